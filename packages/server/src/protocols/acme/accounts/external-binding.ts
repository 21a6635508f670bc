// External account binding (RFC 8555 §7.3.4): a JWS inside the request that authenticates the public key of the new
// account with a MAC key from the operator.
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  isMacAlgorithm,
  JoseError,
  MAC_ALGORITHMS,
  parseJws,
  parseStrictJson,
  readJwk,
  verifyJwsMac,
  type MacDigest,
} from '@signetry/pki';
import type { EabKeyLookup, EabKeys } from '../../../areas/acme-profiles/index.ts';
import { rejection } from '../model/problems.ts';
import { sha256 } from '../model/sha256.ts';
import type { SignedCall } from '../requests/call.ts';

const mac = {
  hmac: (digest: MacDigest, key: Uint8Array, data: Uint8Array): Uint8Array =>
    createHmac(digest, key).update(data).digest(),
  timingSafeEqual: (a: Uint8Array, b: Uint8Array): boolean => timingSafeEqual(a, b),
};

export interface ExternalBinding {
  readonly eabKeyUuid: string;
  readonly keyId: string;
}

/** Verifies the binding of a new-account request; returns undefined if there is none and none is required. */
export async function readExternalBinding(
  eabKeys: EabKeys,
  { call, value, now }: { readonly call: SignedCall; readonly value: unknown; readonly now: Date },
): Promise<ExternalBinding | undefined> {
  if (value === undefined || value === null) {
    if (!call.profile.externalAccountRequired) return undefined;
    throw rejection(
      'externalAccountRequired',
      'This directory requires an external account binding. Ask the operator for a key ID and a MAC key.',
    );
  }
  const jws = parseJws(value);
  const { alg, kid, url, nonce } = jws.header;
  if (!isMacAlgorithm(alg)) {
    const known = MAC_ALGORITHMS.join(', ');
    throw rejection('malformed', `The external account binding must be signed with one of ${known} (RFC 8555 §7.3.4).`);
  }
  if (kid === undefined)
    throw rejection('malformed', 'The external account binding must contain "kid", the key ID from the operator.');
  if (nonce !== undefined) throw rejection('malformed', 'The external account binding must not contain a nonce.');
  if (url !== call.urls.newAccount)
    throw rejection('malformed', 'The "url" of the external account binding does not match the request URL.');
  if (readJwk(parseStrictJson(jws.payload), sha256).thumbprint !== call.key.thumbprint)
    throw rejection('malformed', 'The external account binding is not for the key that signed this request.');
  const found = await eabKeys.findUsable(kid, { acmeProfileUuid: call.profile.uuid, now });
  if ('reason' in found) throw invalidBinding(describeState(kid, found.reason));
  try {
    verifyJwsMac(jws, { key: found.macKey, mac });
  } catch (error) {
    if (error instanceof JoseError) throw invalidBinding(`The MAC does not match the key with the ID ${shown(kid)}.`);
    throw error;
  }
  return { eabKeyUuid: found.uuid, keyId: kid };
}

/** Uses the same message for every reason, so that it does not reveal which key IDs exist. */
export const invalidBinding = (hiddenReason: string) =>
  rejection(
    'unauthorized',
    'The external account binding was rejected: its key ID is unknown, expired, revoked or already used, or its MAC is incorrect. Ask the operator for a new key.',
    { hiddenReason },
  );

/** Maximum number of characters of a key ID in a message; the IDs of this platform have 22. */
const MAX_KEY_ID = 64;

const shown = (keyId: string): string => JSON.stringify(keyId.slice(0, MAX_KEY_ID));

function describeState(keyId: string, reason: Extract<EabKeyLookup, { reason: unknown }>['reason']): string {
  switch (reason) {
    case 'unknown':
      return `The ACME profile has no key with the ID ${shown(keyId)}.`;
    case 'used':
      return `The key with the ID ${shown(keyId)} can be used once, and an account was already created with it.`;
    case 'expired':
      return `The key with the ID ${shown(keyId)} has expired.`;
    case 'revoked':
      return `The key with the ID ${shown(keyId)} was revoked.`;
  }
}
