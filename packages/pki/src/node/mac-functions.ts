// Functions for CMP MACs and certificate confirmations, beyond signatures and digests, based on node:crypto.
import { createHmac, hash, pbkdf2, pbkdf2Sync } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { PkiError } from '../errors.ts';
import { plainBytes } from '../bytes.ts';
import type { DigestName } from '../algorithms.ts';
import type { PasswordMacFunctions } from '../crmf/password-mac.ts';

/** Number of digests computed before yielding to the event loop: about 10 ms of work. */
const DIGESTS_PER_TURN = 8192;

type Derivation<Name extends 'repeatDigest' | 'pbkdf2'> = (
  ...input: Parameters<PasswordMacFunctions[Name]>
) => Uint8Array;

/** Returns the digest via a string, which takes a third of the time of an off-heap buffer. */
const digestOnce = (digest: DigestName, octets: Uint8Array): Uint8Array =>
  Buffer.from(hash(digest, octets, 'latin1'), 'latin1');

/** Synchronous derivations, for dedicated threads. */
export const blockingDerivations: {
  readonly repeatDigest: Derivation<'repeatDigest'>;
  readonly pbkdf2: Derivation<'pbkdf2'>;
} = {
  repeatDigest: (digest, { data, iterations }) => {
    let state = data;
    for (let done = 0; done < iterations; done++) state = digestOnce(digest, state);
    return plainBytes(state);
  },
  pbkdf2: (digest, { secret, salt, iterations, length }) =>
    plainBytes(pbkdf2Sync(secret, salt, iterations, length, digest)),
};

/** HMAC, repeated digest and PBKDF2. Neither derivation blocks the event loop: PBKDF2 runs on the thread pool. */
export const nodeMacFunctions: PasswordMacFunctions = {
  hmac: (digest, { key, data }) => plainBytes(createHmac(digest, key).update(data).digest()),
  repeatDigest: async (digest, { data, iterations }) => {
    let state = digestOnce(digest, data);
    for (let done = 1; done < iterations; done++) {
      if (done % DIGESTS_PER_TURN === 0) await setImmediate();
      state = digestOnce(digest, state);
    }
    return plainBytes(state);
  },
  pbkdf2: (digest, { secret, salt, iterations, length }) =>
    new Promise((resolve, reject) => {
      pbkdf2(secret, salt, iterations, length, digest, (error, key) => {
        if (error) reject(new PkiError('bad-value', 'Key derivation failed.', { cause: error }));
        else resolve(plainBytes(key));
      });
    }),
};

/** Returns SHAKE256 (FIPS 202) with an output of `length` bytes. */
export function shake256(data: Uint8Array, length: number): Uint8Array {
  return plainBytes(hash('shake256', data, { outputEncoding: 'buffer', outputLength: length }));
}
