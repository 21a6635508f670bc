// The signed tree head of a log: a note (c2sp.org/signed-note) whose text is a checkpoint (c2sp.org/tlog-checkpoint),
// with the signature defined by static-ct-api (RFC 6962 §3.5 inside the note).
import { createHash, verify, type KeyObject } from 'node:crypto';
import { importPublicKey } from '@signetry/pki/node';
import { falseLogError } from './log-error.ts';
import type { TreeHead } from './trusted-tree.ts';
import { HASH_OCTETS } from './tree-hash.ts';

export interface Checkpoint extends TreeHead {
  /** Name of the log: its submission prefix without the scheme. */
  readonly origin: string;
  /** Signing time, milliseconds since 1970; defined if the signature was verified. */
  readonly signedAtMs: number | undefined;
}

/** A log's public key, parsed from its SubjectPublicKeyInfo. */
export interface LogKey {
  readonly key: KeyObject;
  /** SHA-256 of the SubjectPublicKeyInfo (RFC 6962 §3.2). */
  readonly logId: Uint8Array;
}

/**
 * Returns undefined unless the key is of a type that logs may sign with: ECDSA with P-256, or RSA (RFC 6962 §2.1.4).
 */
export function logKeyOf(spki: Uint8Array): LogKey | undefined {
  const key = importPublicKey(spki);
  const isEc = key?.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  if (!key || (!isEc && key.asymmetricKeyType !== 'rsa')) return undefined;
  return { key, logId: createHash('sha256').update(spki).digest() };
}

const SIGNATURE_LINE = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/;
/** Signature type of an RFC 6962 tree head in a note (c2sp.org/static-ct-api). */
const RFC6962_NOTE = 0x05;
const KEY_ID_OCTETS = 4;

/** Parses a checkpoint. If no key is specified, its signature is not verified. */
export function readCheckpoint(text: string, key: LogKey | undefined): Checkpoint {
  const end = text.indexOf('\n\n');
  const [origin = '', sizeText = '', rootText = ''] = text.slice(0, Math.max(0, end)).split('\n');
  const root = Buffer.from(rootText, 'base64');
  const size = Number(sizeText);
  if (
    end < 0 ||
    origin === '' ||
    !/^(?:0|[1-9]\d{0,15})$/.test(sizeText) ||
    !Number.isSafeInteger(size) ||
    root.length !== HASH_OCTETS
  )
    throw falseLogError(
      'The log serves no checkpoint: /checkpoint does not contain the name, size and root hash of a tree.',
    );
  const head = { origin, size, root: root.toString('hex') };
  if (!key) return { ...head, signedAtMs: undefined };
  const signatures = text
    .slice(end + 2)
    .split('\n')
    .flatMap((line) => {
      const [, name, value = ''] = SIGNATURE_LINE.exec(line) ?? [];
      return name === origin ? [Buffer.from(value, 'base64')] : [];
    });
  const keyId = keyIdOf(origin, key);
  const own = signatures.find((signature) => signature.subarray(0, KEY_ID_OCTETS).equals(keyId));
  if (!own)
    throw falseLogError(`The checkpoint of ${printableOrigin(origin)} has no signature by the specified log key.`);
  const signedAtMs = verifySignature(own.subarray(KEY_ID_OCTETS), { size, root }, key);
  if (signedAtMs === undefined)
    throw falseLogError(`The signature of the checkpoint of ${printableOrigin(origin)} is not valid.`);
  return { ...head, signedAtMs };
}

const printableOrigin = (origin: string): string => origin.replaceAll(/[^\x21-\x7e]/g, '?').slice(0, 100);

function keyIdOf(origin: string, { logId }: LogKey): Buffer {
  const text = Buffer.concat([Buffer.from(`${origin}\n`), Buffer.from([RFC6962_NOTE]), logId]);
  return createHash('sha256').update(text).digest().subarray(0, KEY_ID_OCTETS);
}

/** Returns the signing time, or undefined if the signature is not valid. */
function verifySignature(
  value: Buffer,
  { size, root }: { readonly size: number; readonly root: Uint8Array },
  { key }: LogKey,
): number | undefined {
  // Timestamp, hash algorithm (4 is SHA-256), signature algorithm, and the length-prefixed signature.
  if (value.length < 12 || value[8] !== 4 || value.readUInt16BE(10) !== value.length - 12) return undefined;
  const timestamp = value.readBigUInt64BE(0);
  const signed = Buffer.alloc(50);
  signed[0] = 0; // v1
  signed[1] = 1; // Signature type `tree_hash`.
  signed.writeBigUInt64BE(timestamp, 2);
  signed.writeBigUInt64BE(BigInt(size), 10);
  signed.set(root, 18);
  return verify('sha256', signed, key, value.subarray(12)) ? Number(timestamp) : undefined;
}
