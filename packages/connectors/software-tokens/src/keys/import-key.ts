// Takes over a key that was made elsewhere: read from its file, checked, and tried out before it is stored.
import { sign, verify, type KeyObject } from 'node:crypto';
import { refuseIf, rejected, type FileContent } from '@signetry/connector-sdk';
import { checkKeyPolicy, DEFAULT_KEY_POLICY, parsePublicKey, PkiError, type PublicKey } from '@signetry/pki';
import { exportPrivateKey, exportPublicKey, importPrivateKey, importPublicKey, readPkcs12 } from '@signetry/pki/node';
import { readOrReject } from '../problems.ts';
import type { NewPair } from './generate-key.ts';

const WHAT = 'The key cannot be imported';
/** Keys that can be made here can be imported, ML-KEM too. */
const POLICY = { families: [...DEFAULT_KEY_POLICY.families, 'ML-KEM' as const] };

/** Refuses files that do not open, several keys, weak keys, and keys whose halves do not belong together. */
export async function importPair(file: FileContent, password: string | undefined): Promise<NewPair> {
  const privateKey = await readOrReject(WHAT, () => readKey(file.bytes, password));
  const spki = exportPublicKey(privateKey);
  const publicKey = await readOrReject(WHAT, () => parsePublicKey(spki));
  // RSASSA-PSS keys (RFC 4055 §1.2) would be refused by every use but one.
  if (privateKey.asymmetricKeyType === 'rsa-pss') throw rejected(`${WHAT}: RSA keys for PSS only are not supported.`);
  refuseIf(checkKeyPolicy(publicKey, POLICY).map(({ message }) => `${WHAT}: ${message}`));
  if (!signsForItself(privateKey, publicKey)) throw rejected(`${WHAT}: its private and public half do not match.`);
  return { spki, material: exportPrivateKey(privateKey) };
}

/** DER begins with the tag of a SEQUENCE; PEM is text. */
const isPem = (bytes: Uint8Array): boolean => bytes[0] !== 0x30;

async function readKey(bytes: Uint8Array, password: string | undefined): Promise<KeyObject> {
  if (isPem(bytes)) return importPrivateKey(bytes, password === undefined ? {} : { password });
  const { keys } = await readPkcs12(bytes, { password: password ?? '' });
  const [first, ...others] = keys;
  if (!first || others.length > 0)
    throw new PkiError('bad-key', `The PKCS#12 file has ${keys.length} private keys; it has to have one.`);
  return first.privateKey;
}

/** OpenSSL does not compare the halves of a key that it reads, and a wrong one gives the right one away. */
function signsForItself(privateKey: KeyObject, { family, spki }: PublicKey): boolean {
  if (family === 'ML-KEM') return true;
  const publicKey = importPublicKey(spki);
  const digest = family === 'RSA' || family === 'ECDSA' ? 'sha256' : null;
  const probe = Buffer.from('software-tokens: a key that is imported');
  try {
    return publicKey !== undefined && verify(digest, probe, publicKey, sign(digest, probe, privateKey));
  } catch {
    return false;
  }
}
