// Entries of a data tile (static-ct-api: `TileLeaf`), each with its hash in the tree.
import { LogError } from './log-error.ts';
import { leafHash } from './tree-hash.ts';

export interface LogEntry {
  readonly index: number;
  /** Milliseconds since 1970. */
  readonly timestampMs: number;
  readonly kind: 'certificate' | 'precertificate';
  /** DER: the certificate, or the TBSCertificate that the log signed. */
  readonly logged: Uint8Array;
  /** DER of the precertificate as submitted; not covered by the tree. */
  readonly precertificate: Uint8Array | undefined;
  /** SHA-256 of the chain certificates, the issuer first; not covered by the tree. */
  readonly chain: readonly Uint8Array[];
  /** All bytes of the entry. */
  readonly octets: Uint8Array;
  readonly hash: Uint8Array;
}

const X509_ENTRY = 0;
const PRECERT_ENTRY = 1;
const LEAF_INDEX_EXTENSION = 0;
/** MerkleTreeLeaf: version 1, a timestamped entry (RFC 6962 §3.4). */
const LEAF_PREFIX = Buffer.from([0, 0]);
const FINGERPRINT_OCTETS = 32;

/** Reads as many entries as the tile is wide. Throws `LogError` if the tile is malformed. */
export function readEntries(tile: Uint8Array, { first, width }: { first: number; width: number }): LogEntry[] {
  const reader = new Reader(tile, first);
  return Array.from({ length: width }, (_, at) => readEntry(reader, first + at));
}

function readEntry(reader: Reader, index: number): LogEntry {
  reader.index = index;
  const start = reader.at;
  const timestampMs = reader.number(8);
  const type = reader.number(2);
  if (type !== X509_ENTRY && type !== PRECERT_ENTRY) throw reader.broken(`has the unknown type ${type}`);
  if (type === PRECERT_ENTRY) reader.octets(32); // Hash of the issuer's key.
  const logged = reader.vector(3);
  const extensions = reader.vector(2);
  const leaf = Buffer.concat([LEAF_PREFIX, reader.since(start)]);
  const precertificate = type === PRECERT_ENTRY ? reader.vector(3) : undefined;
  const fingerprints = reader.vector(2);
  if (fingerprints.length % FINGERPRINT_OCTETS !== 0) throw reader.broken('has issuers that are not fingerprints');
  if (leafIndexOf(extensions) !== index) throw reader.broken('has the leaf index of a different entry');
  return {
    index,
    timestampMs,
    kind: type === PRECERT_ENTRY ? 'precertificate' : 'certificate',
    logged,
    precertificate,
    chain: Array.from({ length: fingerprints.length / FINGERPRINT_OCTETS }, (_, at) =>
      fingerprints.subarray(at * FINGERPRINT_OCTETS, (at + 1) * FINGERPRINT_OCTETS),
    ),
    octets: reader.since(start),
    hash: leafHash(leaf),
  };
}

/** Reads the `leaf_index` extension of static-ct-api, which every entry has. */
function leafIndexOf(extensions: Uint8Array): number | undefined {
  const view = Buffer.from(extensions.buffer, extensions.byteOffset, extensions.length);
  for (let at = 0; at + 3 <= view.length; at += 3 + view.readUInt16BE(at + 1))
    if (view[at] === LEAF_INDEX_EXTENSION && view.readUInt16BE(at + 1) === 5 && at + 8 <= view.length)
      return view.readUIntBE(at + 3, 5);
  return undefined;
}

class Reader {
  at = 0;
  index: number;
  private readonly source: Buffer;

  constructor(source: Uint8Array, index: number) {
    this.source = Buffer.from(source.buffer, source.byteOffset, source.length);
    this.index = index;
  }

  broken(what: string): LogError {
    return new LogError('false', `Entry ${this.index} of the log ${what}.`);
  }

  octets(count: number): Uint8Array {
    const end = this.at + count;
    if (end > this.source.length) throw this.broken('is truncated at the end of its tile');
    const octets = this.source.subarray(this.at, end);
    this.at = end;
    return octets;
  }

  number(count: number): number {
    return this.octets(count).reduce((sum, octet) => sum * 256 + octet, 0);
  }

  vector(lengthOctets: number): Uint8Array {
    return this.octets(this.number(lengthOctets));
  }

  since(start: number): Uint8Array {
    return this.source.subarray(start, this.at);
  }
}
