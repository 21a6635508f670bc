// Key stores in Java's own format, JKS: what `keytool -storetype JKS` reads and writes. Nobody published a
// specification; this is the format of OpenJDK's sun.security.provider.JavaKeyStore. All integers are big endian:
//
//   FEEDFEED, version, count; per entry: tag, alias, date in milliseconds, and
//     tag 1: length and EncryptedPrivateKeyInfo of the key, number of certificates, certificates
//     tag 2: one certificate
//   SHA-1 over password, a constant and all octets before
//
// A certificate has its type as text (not in version 1), its length and DER. The protection of a store against changes,
// and of its keys (key-protector.ts), is SHA-1 without iterations: a store is as safe as its password is long.
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
/** Between password and content in the digest. */
const DIGEST_CONSTANT = 'Mighty Aphrodite';
const DIGEST_LENGTH = 20;

/** Bounds: real stores have up to a few hundred entries, and chains of a handful. */
const MAX_ENTRIES = 10_000;
const MAX_CHAIN = 100;
const MAX_DATE_MS = 8_640_000_000_000_000;

export type JksEntry = JksKeyEntry | JksCertificateEntry;

export interface JksKeyEntry {
  readonly kind: 'key';
  readonly alias: string;
  /** Epoch milliseconds. */
  readonly createdMs: number;
  /** EncryptedPrivateKeyInfo (RFC 5958 §3) of Sun's algorithm: `openJksKey`, `protectJksKey`. */
  readonly protectedKey: Uint8Array;
  /** DER, the certificate of the key first. */
  readonly chain: readonly Uint8Array[];
}

/** A certificate that is trusted. */
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
 * Reads a JKS store, version 1 or 2; certificates and keys are not looked into. Throws `PkiError`: `wrong-password`,
 * `truncated`, `bad-value` and `bad-text` for malformed octets, `bound-exceeded`, `unsupported-version`,
 * `unsupported-algorithm` for JCEKS and for certificates other than X.509.
 */
export function readJks(bytes: Uint8Array, options: JksOptions): JksEntry[] {
  const reader = new JksReader(bytes);
  const version = readHeader(reader);
  const count = reader.number();
  if (count > MAX_ENTRIES)
    throw new PkiError('bound-exceeded', `The key store has ${count} entries; at most ${MAX_ENTRIES} are read.`);
  const entries: JksEntry[] = [];
  for (let i = 0; i < count; i++) entries.push(readEntry(reader, version));
  const content = bytes.subarray(0, reader.offset);
  const expected = reader.octets(DIGEST_LENGTH);
  reader.finish();
  if (!equalBytes(expected, storeDigest(content, options)))
    throw new PkiError('wrong-password', 'The password does not open the key store, or the file is damaged.');
  return entries;
}

function readHeader(reader: JksReader): number {
  const magic = reader.number();
  if (magic === MAGIC_JCEKS)
    throw new PkiError(
      'unsupported-algorithm',
      'Key stores of the type JCEKS are not supported; convert it: keytool -importkeystore -srcstoretype JCEKS -deststoretype PKCS12.',
    );
  if (magic !== MAGIC_JKS) throw new PkiError('bad-value', 'The file is not a key store of the type JKS.');
  const version = reader.number();
  if (version !== 1 && version !== 2)
    throw new PkiError('unsupported-version', `The key store has version ${version}; 1 and 2 are supported.`);
  return version;
}

function readEntry(reader: JksReader, version: number): JksEntry {
  const tag = reader.number();
  if (tag !== TAG_KEY && tag !== TAG_CERTIFICATE)
    throw new PkiError('bad-value', `The key store has an entry of the unknown kind ${tag}.`);
  const alias = reader.text();
  const createdMs = reader.date();
  if (tag === TAG_CERTIFICATE)
    return { kind: 'certificate', alias, createdMs, certificate: readCertificate(reader, version) };
  const protectedKey = reader.octets(reader.number());
  const length = reader.number();
  if (length > MAX_CHAIN)
    throw new PkiError('bound-exceeded', `A key has ${length} certificates; at most ${MAX_CHAIN} are read.`);
  const chain: Uint8Array[] = [];
  for (let i = 0; i < length; i++) chain.push(readCertificate(reader, version));
  return { kind: 'key', alias, createdMs, protectedKey, chain };
}

function readCertificate(reader: JksReader, version: number): Uint8Array {
  // Version 1 knows X.509 only.
  const type = version === 1 ? CERTIFICATE_TYPE : reader.text();
  if (type !== CERTIFICATE_TYPE && type !== 'X509')
    throw new PkiError('unsupported-algorithm', 'The key store has a certificate that is not of the type X.509.');
  return reader.octets(reader.number());
}

/** Walks the octets; every length is compared with what is left before it is used. */
class JksReader {
  offset = 0;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** A view of the octets. */
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
      throw new PkiError('bad-value', 'The key store has an entry with an impossible date.');
    return Number(milliseconds);
  }

  finish(): void {
    if (this.offset < this.bytes.length)
      throw new PkiError('trailing-bytes', 'Octets follow the end of the key store.');
  }

  private advance(length: number): number {
    if (length > this.bytes.length - this.offset)
      throw new PkiError('truncated', `The key store ends in the middle of an entry (octet ${this.offset}).`);
    const start = this.offset;
    this.offset += length;
    return start;
  }
}

/**
 * The alias that Java stores for a name, and the one it looks up: it finds no entry whose alias in the file has an
 * upper-case letter (JavaKeyStore.JKS.convertAlias).
 */
export const jksAlias = (name: string): string => name.toLowerCase();

/**
 * A JKS store of version 2, with the aliases that Java finds; two entries that differ only in case keep theirs. Throws
 * `PkiError` `bad-argument` for an alias that does not fit.
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
  if (encoded.length > 0xffff) throw new PkiError('bad-argument', 'The alias is too long for a key store.');
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
