// Key generation on the thread pool.
import { generateKeyPair, randomBytes, type KeyObject } from 'node:crypto';
import { exportPrivateKey, exportPublicKey } from '@signetry/pki/node';
import { SECRET_SPECIFICATIONS, type PairSpecification, type SecretSpecification } from './key-specifications.ts';

/** A key pair to store. `material` is PKCS #8; the caller overwrites it after use. */
export interface NewPair {
  readonly spki: Uint8Array;
  readonly material: Uint8Array;
}

type PairCallback = (error: Error | null, publicKey: KeyObject, privateKey: KeyObject) => void;

export async function generatePair(specification: PairSpecification): Promise<NewPair> {
  const privateKey = await new Promise<KeyObject>((resolve, reject) => {
    start(specification, (error, _, key) => (error ? reject(error) : resolve(key)));
  });
  return { spki: exportPublicKey(privateKey), material: exportPrivateKey(privateKey) };
}

function start(specification: PairSpecification, done: PairCallback): void {
  switch (specification) {
    case 'RSA-2048':
    case 'RSA-3072':
    case 'RSA-4096':
      return generateKeyPair('rsa', { modulusLength: Number(specification.slice(4)), publicExponent: 65_537 }, done);
    case 'P-256':
    case 'P-384':
    case 'P-521':
      return generateKeyPair('ec', { namedCurve: specification }, done);
    default:
      // Node accepts every other name in lowercase, but its types require a separate overload for each.
      return generateKeyPair(specification.toLowerCase() as 'ed25519', {}, done);
  }
}

/** Returns the bytes of a secret key. The caller overwrites them after use. */
export const generateSecret = (specification: SecretSpecification): Buffer =>
  randomBytes(SECRET_SPECIFICATIONS[specification].bits / 8);
