// Key pairs based on node:crypto: generation, import and export. Encrypted keys are decrypted by pbe.ts, which limits
// the work; OpenSSL would run any iteration count that a file requests.
import { createPrivateKey, createPublicKey, generateKeyPair as generate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { plainBytes } from '../bytes.ts';
import { PkiError } from '../errors.ts';
import { readPem, writePem } from '../pem.ts';
import { TAG } from '../der/tags.ts';
import { decryptPrivateKeyInfo, encryptPrivateKeyInfo } from './pbe.ts';

/** Key types to generate: RSA by size in bits, EC by curve, the others by name. */
export const KEY_SPECS = [
  'RSA-2048',
  'RSA-3072',
  'RSA-4096',
  'P-256',
  'P-384',
  'P-521',
  'Ed25519',
  'Ed448',
  'ML-DSA-44',
  'ML-DSA-65',
  'ML-DSA-87',
] as const;

export type KeySpec = (typeof KEY_SPECS)[number];

export interface KeyPair {
  readonly privateKey: KeyObject;
  /** Encoded SubjectPublicKeyInfo. */
  readonly spki: Uint8Array;
}

/** Generates a key pair on the thread pool: RSA-4096 can take seconds. */
export async function generateKeyPair(spec: KeySpec): Promise<KeyPair> {
  return await new Promise((resolve, reject) => {
    const done = (error: Error | null, _publicKey: KeyObject, privateKey: KeyObject): void => {
      if (error) reject(new PkiError('bad-key', `Cannot generate a key of type ${spec}.`, { cause: error }));
      else resolve({ privateKey, spki: exportPublicKey(privateKey) });
    };
    switch (spec) {
      case 'RSA-2048':
      case 'RSA-3072':
      case 'RSA-4096':
        return generate('rsa', { modulusLength: Number(spec.slice(4)), publicExponent: 65_537 }, done);
      case 'P-256':
      case 'P-384':
      case 'P-521':
        return generate('ec', { namedCurve: spec }, done);
      case 'Ed25519':
        return generate('ed25519', {}, done);
      case 'Ed448':
        return generate('ed448', {}, done);
      case 'ML-DSA-44':
        return generate('ml-dsa-44', {}, done);
      case 'ML-DSA-65':
        return generate('ml-dsa-65', {}, done);
      case 'ML-DSA-87':
        return generate('ml-dsa-87', {}, done);
    }
  });
}

/** Returns the encoded SubjectPublicKeyInfo of a private or public key. */
export function exportPublicKey(key: KeyObject): Uint8Array {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return plainBytes(publicKey.export({ type: 'spki', format: 'der' }));
}

/**
 * Imports a private key from PKCS #8 (plain or encrypted), PKCS #1 or SEC 1, in DER or PEM. Throws `PkiError`:
 * `encrypted` if a password is required, `wrong-password`, `unsupported-algorithm`, `bound-exceeded` for hostile
 * iteration counts, `bad-key`.
 */
export async function importPrivateKey(
  input: Uint8Array | string,
  options: { password?: string } = {},
): Promise<KeyObject> {
  const { label, der } = findPrivateKey(input);
  if (label === 'ENCRYPTED PRIVATE KEY') {
    if (options.password === undefined)
      throw new PkiError('encrypted', 'The private key is encrypted. Specify its password.');
    const pkcs8 = await decryptPrivateKeyInfo(der, options.password);
    const key = tryImport(pkcs8, ['pkcs8']);
    pkcs8.fill(0);
    if (key === undefined) throw new PkiError('wrong-password', 'The private key password is wrong.');
    return key;
  }
  const key = tryImport(der, ['pkcs8', 'pkcs1', 'sec1']);
  if (key === undefined) throw new PkiError('bad-key', 'The private key is malformed or not supported.');
  return key;
}

const PRIVATE_KEY_LABELS: ReadonlySet<string> = new Set([
  'PRIVATE KEY',
  'ENCRYPTED PRIVATE KEY',
  'RSA PRIVATE KEY',
  'EC PRIVATE KEY',
]);

function findPrivateKey(input: Uint8Array | string): { label: string; der: Uint8Array } {
  if (typeof input !== 'string' && input[0] === TAG.sequence && (input[1] ?? 0) >= 0x80) {
    return { label: labelOfDer(input), der: input };
  }
  if (typeof input !== 'string' && input[0] === TAG.sequence && (input[1] ?? 0) + 2 === input.length) {
    return { label: labelOfDer(input), der: input };
  }
  const text = typeof input === 'string' ? input : new TextDecoder().decode(input);
  const block = readPem(text).find(({ label }) => PRIVATE_KEY_LABELS.has(label));
  if (block === undefined) throw new PkiError('bad-pem', 'The input does not contain a private key.');
  if (block.headers.has('DEK-Info')) {
    throw new PkiError(
      'unsupported-algorithm',
      'The key is encrypted in the legacy OpenSSL format. Convert it to PKCS #8 first.',
    );
  }
  return block;
}

/**
 * EncryptedPrivateKeyInfo starts with an AlgorithmIdentifier, whereas all unencrypted formats start with a version
 * number.
 */
function labelOfDer(der: Uint8Array): string {
  const headerLength = (der[1] ?? 0) < 0x80 ? 2 : 2 + ((der[1] ?? 0) & 0x7f);
  return der[headerLength] === TAG.sequence ? 'ENCRYPTED PRIVATE KEY' : 'PRIVATE KEY';
}

function tryImport(der: Uint8Array, types: readonly ('pkcs8' | 'pkcs1' | 'sec1')[]): KeyObject | undefined {
  for (const type of types) {
    try {
      return createPrivateKey({ key: Buffer.from(der.buffer, der.byteOffset, der.length), format: 'der', type });
    } catch {
      // Not in this format, or not a key. The caller reports an error if no format matches.
    }
  }
  return undefined;
}

/**
 * Returns the unencrypted PKCS #8 bytes. The caller must seal or zero them. ML-DSA keys are exported as their 32-byte
 * seed.
 */
export function exportPrivateKey(key: KeyObject): Uint8Array {
  if (key.type !== 'private') throw new PkiError('bad-key', 'Only private keys can be exported as private keys.');
  return plainBytes(key.export({ type: 'pkcs8', format: 'der' }));
}

/**
 * Returns the key as PKCS #8 in PEM. If a password is specified, the key is encrypted with AES-256 and PBKDF2 (RFC 8018
 * PBES2).
 */
export async function exportPrivateKeyPem(key: KeyObject, options: { password?: string } = {}): Promise<string> {
  const pkcs8 = exportPrivateKey(key);
  const { password } = options;
  const pem =
    password === undefined
      ? writePem('PRIVATE KEY', pkcs8)
      : writePem('ENCRYPTED PRIVATE KEY', await encryptPrivateKeyInfo(pkcs8, password));
  pkcs8.fill(0);
  return pem;
}
