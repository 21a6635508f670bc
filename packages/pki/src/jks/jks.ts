// Java key stores in JKS format, as read and written by `keytool -storetype JKS`. The format has no published
// specification; this implementation follows sun.security.provider.JavaKeyStore in OpenJDK. All integers are
// big-endian:
//
// FEEDFEED, version, count; per entry: tag, alias, date in milliseconds, and tag 1: length and EncryptedPrivateKeyInfo
// of the key, number of certificates, certificates tag 2: one certificate SHA-1 over the password, a constant and all
// preceding bytes
//
// A certificate consists of its type as text (not in version 1), its length and its DER. The integrity of the store and
// its keys (key-protector.ts) are protected only by SHA-1 without iterations: security depends on the length of the
// password.
import { equalBytes, concatBytes } from '../bytes.ts';
import type { Digest } from '../crypto.ts';
import { encodeUtf16, encodeUtf8 } from '../der/text.ts';
import { PkiError } from '../errors.ts';
import { decodeModifiedUtf8, encodeModifiedUtf8 } from './modified-utf8.ts';

const MAGIC_JKS = 0xfeedfeed;
const MAGIC_JCEKS = 0xcececece;
const TAG_KEY = 1;
const TAG_CERTIFICATE = 2;
const CERTIFICATE_TYPE = 'X.509';
/** Inserted between password and content in the digest input. */
const DIGEST_CONSTANT = 'Mighty Aphrodite';
const DIGEST_LENGTH = 20;

/** Limits: real stores have at most a few hundred entries, with a few certificates per chain. */
const MAX_ENTRIES = 10_000;
const MAX_CHAIN = 100;
const MAX_DATE_MS = 8_640_000_000_000_000;

export type JksEntry = JksKeyEntry | JksCertificateEntry;

export interface JksKeyEntry {
  readonly kind: 'key';
  readonly alias: string;
  /** Epoch milliseconds. */
  readonly createdMs: number;
  /** EncryptedPrivateKeyInfo (RFC 5958 §3) with Sun's algorithm; see `openJksKey` and `protectJksKey`. */
  readonly protectedKey: Uint8Array;
  /** DER certificates, starting with the key's certificate. */
  readonly chain: readonly Uint8Array[];
}

/** A trusted certificate. */
export interface JksCertificateEntry {
  readonly kind: 'certificate';
  readonly alias: string;
  /** Epoch milliseconds. */
  readonly createdMs: number;
  /** DER. */
  readonly certificate: Uint8Array;
}

export interface JksOptions {
  readonly password: string;
  readonly digest: Digest;
}

/**
 * Reads a JKS store, version 1 or 2, without parsing its certificates and keys. Throws `PkiError`: `wrong-password`;
 * `truncated`, `bad-value` and `bad-text` for malformed input; `bound-exceeded`; `unsupported-version`;
 * `unsupported-algorithm` for JCEKS and for certificates other than X.509.
 */
export function readJks(bytes: Uint8Array, options: JksOptions): JksEntry[] {
  const reader = new JksReader(bytes);
  const version = readHeader(reader);
  const count = reader.number();
  if (count > MAX_ENTRIES)
    throw new PkiError('bound-exceeded', `The key store has ${count} entries; the maximum is ${MAX_ENTRIES}.`);
  const entries: JksEntry[] = [];
  for (let i = 0; i < count; i++) entries.push(readEntry(reader, version));
  const content = bytes.subarray(0, reader.offset);
  const expected = reader.octets(DIGEST_LENGTH);
  reader.finish();
  if (!equalBytes(expected, storeDigest(content, options)))
    throw new PkiError('wrong-password', 'The key store password is wrong, or the file is damaged.');
  return entries;
}

function readHeader(reader: JksReader): number {
  const magic = reader.number();
  if (magic === MAGIC_JCEKS)
    throw new PkiError(
      'unsupported-algorithm',
      'The file is a JCEKS key store, which is not supported. Convert it with: keytool -importkeystore -srcstoretype JCEKS -deststoretype PKCS12.',
    );
  if (magic !== MAGIC_JKS) throw new PkiError('bad-value', 'The file is not a JKS key store.');
  const version = reader.number();
  if (version !== 1 && version !== 2)
    throw new PkiError('unsupported-version', `Key store version ${version} is not supported. Use version 1 or 2.`);
  return version;
}

function readEntry(reader: JksReader, version: number): JksEntry {
  const tag = reader.number();
  if (tag !== TAG_KEY && tag !== TAG_CERTIFICATE)
    throw new PkiError('bad-value', `The key store contains an entry of unknown type ${tag}.`);
  const alias = reader.text();
  const createdMs = reader.date();
  if (tag === TAG_CERTIFICATE)
    return { kind: 'certificate', alias, createdMs, certificate: readCertificate(reader, version) };
  const protectedKey = reader.octets(reader.number());
  const length = reader.number();
  if (length > MAX_CHAIN)
    throw new PkiError(
      'bound-exceeded',
      `A key in the key store has ${length} certificates; the maximum is ${MAX_CHAIN}.`,
    );
  const chain: Uint8Array[] = [];
  for (let i = 0; i < length; i++) chain.push(readCertificate(reader, version));
  return { kind: 'key', alias, createdMs, protectedKey, chain };
}

function readCertificate(reader: JksReader, version: number): Uint8Array {
  // Version 1 only supports X.509.
  const type = version === 1 ? CERTIFICATE_TYPE : reader.text();
  if (type !== CERTIFICATE_TYPE && type !== 'X509')
    throw new PkiError(
      'unsupported-algorithm',
      'The key store contains a certificate that is not an X.509 certificate.',
    );
  return reader.octets(reader.number());
}

/** Sequential reader. Checks every length against the remaining bytes before using it. */
class JksReader {
  offset = 0;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Returns a view of the next bytes. */
  octets(length: number): Uint8Array {
    const start = this.advance(length);
    return this.bytes.subarray(start, start + length);
  }

  number(): number {
    return this.view.getUint32(this.advance(4));
  }

  text(): string {
    return decodeModifiedUtf8(this.octets(this.view.getUint16(this.advance(2))));
  }

  date(): number {
    const milliseconds = this.view.getBigInt64(this.advance(8));
    if (milliseconds < -MAX_DATE_MS || milliseconds > MAX_DATE_MS)
      throw new PkiError('bad-value', 'The key store contains an entry whose date is out of range.');
    return Number(milliseconds);
  }

  finish(): void {
    if (this.offset < this.bytes.length)
      throw new PkiError('trailing-bytes', 'The key store is followed by unexpected bytes.');
  }

  private advance(length: number): number {
    if (length > this.bytes.length - this.offset)
      throw new PkiError('truncated', `The key store is truncated in the middle of an entry (byte ${this.offset}).`);
    const start = this.offset;
    this.offset += length;
    return start;
  }
}

/**
 * Returns the alias that Java stores and looks up for a name. Java cannot find an entry whose alias in the file
 * contains an uppercase letter (JavaKeyStore.JKS.convertAlias).
 */
export const jksAlias = (name: string): string => name.toLowerCase();

/**
 * Returns a JKS store, version 2, with lowercase aliases so that Java finds them; aliases that differ only in case are
 * not changed. Throws `PkiError` `bad-argument` if an alias is too long.
 */
export function writeJks(given: readonly JksEntry[], options: JksOptions): Uint8Array<ArrayBuffer> {
  const byAlias = Map.groupBy(given, ({ alias }) => jksAlias(alias));
  const entries = given.map((entry) => {
    const alias = jksAlias(entry.alias);
    return byAlias.get(alias)?.length === 1 ? { ...entry, alias } : entry;
  });
  const content = concatBytes([
    numberOctets(MAGIC_JKS),
    numberOctets(2),
    numberOctets(entries.length),
    ...entries.flatMap(entryOctets),
  ]);
  return concatBytes([content, storeDigest(content, options)]);
}

function entryOctets(entry: JksEntry): Uint8Array[] {
  const head = [
    numberOctets(entry.kind === 'key' ? TAG_KEY : TAG_CERTIFICATE),
    textOctets(entry.alias),
    dateOctets(entry.createdMs),
  ];
  if (entry.kind === 'certificate') return [...head, ...certificateOctets(entry.certificate)];
  const { protectedKey, chain } = entry;
  const key = [numberOctets(protectedKey.length), protectedKey, numberOctets(chain.length)];
  return [...head, ...key, ...chain.flatMap(certificateOctets)];
}

const certificateOctets = (der: Uint8Array): Uint8Array[] => [
  textOctets(CERTIFICATE_TYPE),
  numberOctets(der.length),
  der,
];

function textOctets(text: string): Uint8Array {
  const encoded = encodeModifiedUtf8(text);
  if (encoded.length > 0xffff) throw new PkiError('bad-argument', 'The key store alias is too long.');
  return concatBytes([Uint8Array.of(encoded.length >> 8, encoded.length & 0xff), encoded]);
}

function numberOctets(value: number): Uint8Array {
  const octets = new Uint8Array(4);
  new DataView(octets.buffer).setUint32(0, value);
  return octets;
}

function dateOctets(epochMs: number): Uint8Array {
  const octets = new Uint8Array(8);
  new DataView(octets.buffer).setBigInt64(0, BigInt(Math.trunc(epochMs)));
  return octets;
}

const storeDigest = (content: Uint8Array, { password, digest }: JksOptions): Uint8Array =>
  digest('sha1', concatBytes([encodeUtf16(password), encodeUtf8(DIGEST_CONSTANT), content]));
