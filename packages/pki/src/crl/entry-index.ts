// Indexes a CRL by serial number, so that lookups need no scan: a hash table of entry offsets with four bytes per slot,
// at most half full. For a million entries, it takes 8 MiB in addition to the CRL.
import { DerCursor, openElement } from '../der/reader.ts';
import { DerError, PkiError } from '../errors.ts';
import { TAG } from '../der/tags.ts';
import { readEntryAt, type CertificateList, type RevokedEntry } from './crl.ts';
import { findExtension, readAltNames, readExtensions } from '../x509/extensions.ts';
import { OID } from '../oids.ts';
import type { GeneralName } from '../x509/general-names.ts';

/** Typed arrays, so that the index can be shared with other threads along with the CRL bytes. */
export interface CrlIndexTables {
  /** Entry offsets in the CRL by serial number hash; 0 marks a free slot. */
  readonly slots: Uint32Array;
  /** Offsets of indirect CRL entries that specify a certificate issuer, in ascending order. */
  readonly issuerPlaces: Uint32Array;
  readonly count: number;
  /**
   * OIDs of unknown critical entry extensions. If there are any, the CRL must not be used for any certificate (RFC 5280
   * §5.3).
   */
  readonly unknownCritical: readonly string[];
}

export interface IndexedCrl extends Pick<CrlIndexTables, 'unknownCritical'> {
  readonly crl: CertificateList;
  /**
   * Returns the entries for a serial number, passed as INTEGER contents. An indirect CRL may have multiple entries from
   * different issuers, each with its certificateIssuer. Throws `DerError` for a malformed entry.
   */
  find(serialBytes: Uint8Array): RevokedEntry[];
}

/** Maximum number of entries; ten million entries take about 350 MB. */
const MAX_INDEXED = 10_000_000;
/** Average number of probes per entry. Random serial numbers need two; numbers chosen to collide need many. */
const MAX_PROBES_PER_ENTRY = 64;

/**
 * Builds the index in two passes. Throws `DerError` for malformed entries, `PkiError` `bound-exceeded` for too many
 * entries or serial numbers chosen to collide.
 */
export function indexEntries(crl: CertificateList): CrlIndexTables {
  const isIndirect = crl.issuingDistributionPoint?.indirectCrl ?? false;
  const count = countEntries(crl);
  const slots = new Uint32Array(new SharedArrayBuffer(4 * 2 ** Math.ceil(Math.log2(2 * count + 2))));
  const issuerPlaces: number[] = [];
  const unknownCritical = new Set<string>();
  const { source } = entryRange(crl);
  let probes = MAX_PROBES_PER_ENTRY * (count + MAX_PROBES_PER_ENTRY);
  for (const place of entryOffsets(crl)) {
    let slot = hashOf(source, serialAt(source, place)) & (slots.length - 1);
    for (; slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1))
      if (probes-- === 0)
        throw new PkiError('bound-exceeded', 'Cannot index the serial numbers of the CRL: too many hash collisions.');
    slots[slot] = place;
    if (isIndirect && certificateIssuerAt(crl, place)) issuerPlaces.push(place);
    if (mayHaveCritical(source, place))
      for (const oid of readEntryAt(crl, place, undefined).unknownCritical) unknownCritical.add(oid);
  }
  return { slots, issuerPlaces: Uint32Array.from(issuerPlaces), count, unknownCritical: [...unknownCritical] };
}

export function indexedCrl(crl: CertificateList, tables: CrlIndexTables = indexEntries(crl)): IndexedCrl {
  const { slots, issuerPlaces, unknownCritical } = tables;
  return {
    crl,
    unknownCritical,
    find(serialBytes) {
      const { source } = entryRange(crl);
      const found: RevokedEntry[] = [];
      const wanted = { start: 0, end: serialBytes.length };
      for (
        let slot = hashOf(serialBytes, wanted) & (slots.length - 1);
        slots[slot];
        slot = (slot + 1) & (slots.length - 1)
      ) {
        const place = slots[slot] as number; // The loop ends at slots that contain zero.
        if (!isEqual(source, serialAt(source, place), serialBytes)) continue;
        found.push(readEntryAt(crl, place, issuerFor(place)));
      }
      return found;
    },
  };

  /**
   * Returns the issuer for an entry. An entry without the extension has the same issuer as the previous entry (RFC 5280
   * §5.3.3).
   */
  function issuerFor(place: number): readonly GeneralName[] | undefined {
    let [low, high] = [0, issuerPlaces.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((issuerPlaces[middle] as number) <= place)
        low = middle + 1; // The index is within bounds.
      else high = middle;
    }
    const last = issuerPlaces[low - 1];
    return last === undefined ? undefined : certificateIssuerAt(crl, last);
  }
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const NOWHERE = { source: new Uint8Array(), content: 0, end: 0 };
const entryRange = ({ entries }: CertificateList): { source: Uint8Array; content: number; end: number } =>
  entries ?? NOWHERE;

function countEntries(crl: CertificateList): number {
  let count = 0;
  for (const _ of entryOffsets(crl))
    if (++count > MAX_INDEXED) throw new PkiError('bound-exceeded', 'The CRL has more than ten million entries.');
  return count;
}

/**
 * Yields the offset of each entry. Headers are read in place: allocating an object per entry would dominate the cost.
 */
function* entryOffsets(crl: CertificateList): Generator<number, void, undefined> {
  const { source, content, end } = entryRange(crl);
  for (let at = content; at < end;) {
    const next = contentAt(source, at) + lengthAt(source, at);
    const serial = serialAt(source, at);
    if (source[at] !== TAG.sequence || next > end || serial.end > next || serial.end === serial.start)
      throw new DerError('bad-value', at, 'This is not a CRL entry');
    yield at;
    at = next;
  }
}

/** Entries are at most 65,535 bytes long. */
function lengthAt(source: Uint8Array, at: number): number {
  const first = source[at + 1] ?? 0;
  if (first < 0x80) return first;
  if (first === 0x81) return source[at + 2] ?? 0;
  if (first === 0x82) return ((source[at + 2] ?? 0) << 8) | (source[at + 3] ?? 0);
  throw new DerError('length-too-large', at);
}

const contentAt = (source: Uint8Array, at: number): number => {
  const first = source[at + 1] ?? 0;
  return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
};

function serialAt(source: Uint8Array, place: number): Span {
  const at = contentAt(source, place);
  const length = source[at + 1] ?? 0;
  if (source[at] !== TAG.integer || length >= 0x80) throw new DerError('unexpected-tag', at);
  return { start: at + 2, end: at + 2 + length };
}

/** FNV-1a. */
function hashOf(octets: Uint8Array, { start, end }: Span): number {
  let hash = 0x811c9dc5;
  // The index is within bounds.
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (octets[at] as number), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function isEqual(source: Uint8Array, { start, end }: Span, octets: Uint8Array): boolean {
  if (end - start !== octets.length) return false;
  for (let at = start; at < end; at++) if (source[at] !== octets[at - start]) return false;
  return true;
}

/** Returns whether an entry contains the bytes of BOOLEAN TRUE. Other entries do not need to be decoded. */
function mayHaveCritical(source: Uint8Array, place: number): boolean {
  const end = contentAt(source, place) + lengthAt(source, place) - 2;
  for (let at = serialAt(source, place).end; at < end; at++)
    if (source[at] === TAG.boolean && source[at + 1] === 1 && source[at + 2] === 0xff) return true;
  return false;
}

function certificateIssuerAt(crl: CertificateList, place: number): readonly GeneralName[] | undefined {
  if (!crl.entries) return undefined;
  const cursor = openElement(new DerCursor({ ...crl.entries, content: place }).next(), TAG.sequence);
  cursor.next();
  cursor.next();
  if (cursor.atEnd) return undefined;
  const issuer = findExtension(readExtensions(cursor.next()), OID.certificateIssuer);
  return issuer && readAltNames(issuer.value);
}
