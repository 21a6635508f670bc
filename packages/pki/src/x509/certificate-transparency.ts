// Signed certificate timestamps (RFC 6962 §3.3): TLS structures (RFC 8446 §3) inside an OCTET STRING.
import { parseDer, readOctetString } from '../der/reader.ts';
import { DerError } from '../errors.ts';

export interface SignedCertificateTimestamp {
  /** The value 0 means version 1, the only version whose other members are known. */
  readonly version: number;
  /** SHA-256 of the log's public key. */
  readonly logId: Uint8Array;
  /** Milliseconds since 1970. */
  readonly timestampMs: number;
  readonly extensions: Uint8Array;
  /** TLS 1.2 HashAlgorithm and SignatureAlgorithm (RFC 5246 §7.4.1.4.1). */
  readonly hashAlgorithm: number;
  readonly signatureAlgorithm: number;
  readonly signature: Uint8Array;
}

/** A timestamp of an unknown version: its bytes, starting with the version. */
export interface OtherTimestamp {
  readonly version: number;
  readonly octets: Uint8Array;
}

/** Browsers require two or three; more provide no benefit. */
const MAX_TIMESTAMPS = 256;
/** The latest time that a Date can represent. */
const MAX_TIME_MS = 8.64e15;

/** Returns the timestamps of the extension 1.3.6.1.4.1.11129.2.4.2, in order. Throws `DerError`. */
export function readTimestampList(value: Uint8Array): (SignedCertificateTimestamp | OtherTimestamp)[] {
  const octets = readOctetString(parseDer(value));
  const list = new Structure(octets, value.length - octets.length);
  const items = list.vector();
  list.finish();
  const timestamps: (SignedCertificateTimestamp | OtherTimestamp)[] = [];
  while (!items.atEnd) {
    if (timestamps.length === MAX_TIMESTAMPS) throw new DerError('too-many-elements', items.offset);
    timestamps.push(readTimestamp(items.vector()));
  }
  return timestamps;
}

function readTimestamp(item: Structure): SignedCertificateTimestamp | OtherTimestamp {
  const { rest } = item;
  const version = item.number(1);
  if (version !== 0) return { version, octets: rest };
  const logId = item.octets(32);
  const { offset } = item;
  const timestampMs = item.number(8);
  if (timestampMs > MAX_TIME_MS) throw new DerError('bad-time', offset, 'The timestamp is outside the supported range');
  const extensions = item.octets(item.number(2));
  const hashAlgorithm = item.number(1);
  const signatureAlgorithm = item.number(1);
  const signature = item.octets(item.number(2));
  item.finish();
  return { version, logId, timestampMs, extensions, hashAlgorithm, signatureAlgorithm, signature };
}

/** Reader for numbers and vectors; `start` is the offset in the value, for error messages. */
class Structure {
  private at = 0;
  private readonly bytes: Uint8Array;
  private readonly start: number;

  constructor(bytes: Uint8Array, start: number) {
    this.bytes = bytes;
    this.start = start;
  }

  get offset(): number {
    return this.start + this.at;
  }

  get atEnd(): boolean {
    return this.at === this.bytes.length;
  }

  get rest(): Uint8Array {
    return this.bytes.subarray(this.at);
  }

  octets(length: number): Uint8Array {
    if (this.at + length > this.bytes.length) throw new DerError('length-beyond-end', this.offset);
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  number(length: number): number {
    return this.octets(length).reduce((sum, octet) => sum * 256 + octet, 0);
  }

  /** Reads a vector with a two-byte length. */
  vector(): Structure {
    const length = this.number(2);
    const start = this.offset;
    return new Structure(this.octets(length), start);
  }

  finish(): void {
    if (!this.atEnd) throw new DerError('trailing-bytes', this.offset);
  }
}
