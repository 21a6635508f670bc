// The key of a CA, wherever it is kept: sealed in the database and in memory while the CA is in use, or in a token of
// the host, which it never leaves.
import type { KeyObject } from 'node:crypto';
import {
  isTokenKeyError,
  rejected,
  unavailable,
  type ConnectorError,
  type TokenKey,
  type TokenKeyError,
  type TokenKeys,
} from '@signetry/connector-sdk';
import { checkKeyPolicy, defaultSignatureAlgorithm, parsePublicKey, type SignatureAlgorithm } from '@signetry/pki';
import { exportPublicKey, nodeCrypto } from '@signetry/pki/node';
import { gatherProblems } from '../problems.ts';

export interface CaKey {
  /** DER of the SubjectPublicKeyInfo. */
  readonly spki: Uint8Array;
  /** It signs within this process, so that what it signed is nowhere else until an answer leaves. */
  readonly isInMemory: boolean;
  sign(request: { readonly algorithm: SignatureAlgorithm; readonly data: Uint8Array }): Promise<Uint8Array>;
}

/** Hashing more takes longer than the transfer to another thread. */
const MAX_SIGNED_AT_ONCE = 64 * 1024;

/**
 * P-256 and Ed25519 take less time than the transfer to another thread; everything else is done there, so that the
 * event loop is free (RSA-4096 takes milliseconds, and so does the hash of a long CRL).
 */
export function keyInMemory(privateKey: KeyObject): CaKey {
  const isQuick =
    privateKey.asymmetricKeyType === 'ed25519' || privateKey.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  return {
    spki: exportPublicKey(privateKey),
    isInMemory: true,
    sign: async (request) =>
      isQuick && request.data.length <= MAX_SIGNED_AT_ONCE
        ? nodeCrypto.sign(privateKey, request)
        : nodeCrypto.signAsync(privateKey, request),
  };
}

/** Where the host's keys in tokens are, if it has any. */
type Host = TokenKeys | undefined;

const NO_TOKENS =
  'the connector runs where it is offered no keys in tokens; run it inside the platform that keeps the key';

/** Signing is refused with 503 while the token does not sign: nothing has left it, and people can mend it. */
export const keyInToken = (host: Host, { uuid, spki }: Pick<TokenKey, 'uuid' | 'spki'>): CaKey => ({
  spki,
  isInMemory: false,
  sign: async ({ algorithm, data }) => {
    if (!host) throw unavailable(NO_TOKENS);
    try {
      return await host.sign(uuid, { algorithm: algorithm.name, data });
    } catch (error) {
      throw isTokenKeyError(error) ? notNow(error) : error;
    }
  },
});

/** The key for a new CA: refused (422) unless it may sign and is strong enough, and with 503 while nobody can tell. */
export async function findTokenKey(host: Host, uuid: string): Promise<TokenKey> {
  if (!host) throw unavailable(NO_TOKENS);
  try {
    const key = await host.find(uuid);
    refuseUnusable(key);
    return key;
  } catch (error) {
    if (!isTokenKeyError(error)) throw error;
    throw error.problem === 'unavailable' ? notNow(error) : rejected(error.message);
  }
}

function refuseUnusable({ name, spki }: TokenKey): void {
  const problems = gatherProblems();
  problems.attempt(`The key ${name}`, () => {
    const publicKey = parsePublicKey(spki);
    for (const { message } of checkKeyPolicy(publicKey)) problems.add(`The key ${name}: ${message}`);
    defaultSignatureAlgorithm(publicKey);
  });
  problems.refuse();
}

/** Shown after other words, as a part of their sentence. */
const notNow = (error: TokenKeyError): ConnectorError =>
  unavailable(error.message.replace(/\.$/, '').replace(/^The /, 'the '), { cause: error });
