// A CA's key. It is either sealed in the database and in memory while the CA is in use, or in one of the host's tokens,
// which it never leaves.
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
  /** True if signing happens in this process, so that no signed object exists elsewhere until a response is sent. */
  readonly isInMemory: boolean;
  sign(request: { readonly algorithm: SignatureAlgorithm; readonly data: Uint8Array }): Promise<Uint8Array>;
}

/** Hashing more data than this takes longer than handing the work off to another thread. */
const MAX_SIGNED_AT_ONCE = 64 * 1024;

/**
 * Signing with P-256 or Ed25519 takes less time than handing the work off to another thread. All other work is done on
 * another thread to keep the event loop free: RSA-4096 takes milliseconds, and so does hashing a long CRL.
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

/** Access to the host's keys in tokens, if it has any. */
type Host = TokenKeys | undefined;

const NO_TOKENS = 'the connector has no access to keys in tokens here; run it inside the platform that holds the key';

/**
 * Signing fails with 503 while the token is unable to sign: no signature has left the token, and operators can fix the
 * problem.
 */
export const keyInToken = (host: Host, { uuid, spki }: Pick<TokenKey, 'uuid' | 'spki'>): CaKey => ({
  spki,
  isInMemory: false,
  sign: async ({ algorithm, data }) => {
    if (!host) throw unavailable(NO_TOKENS);
    try {
      return await host.sign(uuid, { algorithm: algorithm.name, data });
    } catch (error) {
      throw isTokenKeyError(error) ? unavailableError(error) : error;
    }
  },
});

/**
 * Returns the key for a new CA. Throws 422 if the key must not sign or is too weak, and 503 while this cannot be
 * determined.
 */
export async function findTokenKey(host: Host, uuid: string): Promise<TokenKey> {
  if (!host) throw unavailable(NO_TOKENS);
  try {
    const key = await host.find(uuid);
    rejectUnusable(key);
    return key;
  } catch (error) {
    if (!isTokenKeyError(error)) throw error;
    throw error.problem === 'unavailable' ? unavailableError(error) : rejected(error.message);
  }
}

function rejectUnusable({ name, spki }: TokenKey): void {
  const problems = gatherProblems();
  problems.attempt(`The key ${name}`, () => {
    const publicKey = parsePublicKey(spki);
    for (const { message } of checkKeyPolicy(publicKey)) problems.add(`The key ${name}: ${message}`);
    defaultSignatureAlgorithm(publicKey);
  });
  problems.refuse();
}

/** Shown at the end of another sentence, so it has neither a capital letter nor a period. */
const unavailableError = (error: TokenKeyError): ConnectorError =>
  unavailable(error.message.replace(/\.$/, '').replace(/^The /, 'the '), { cause: error });
