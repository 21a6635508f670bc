// Looks up serial numbers in a CRL without walking it each time: a table of the places of its entries, four octets for
// each slot and at most half full. A list of a million entries takes 8 MiB beside its own octets.
import { DerCursor, openElement } from '../der/reader.ts';
import { DerError, PkiError } from '../errors.ts';
import { TAG } from '../der/tags.ts';
import { readEntryAt, type CertificateList, type RevokedEntry } from './crl.ts';
import { findExtension, readAltNames, readExtensions } from '../x509/extensions.ts';
import { OID } from '../oids.ts';
import type { GeneralName } from '../x509/general-names.ts';

/** As numbers, so that a table can be shared with other threads beside the octets of the list. */
export interface CrlIndexTables {
  /** Places of entries in the list by the hash of their serial number, 0 where a slot is free. */
  readonly slots: Uint32Array;
  /** Places of the entries of an indirect CRL that name another issuer than the entry before, ascending. */
  readonly issuerPlaces: Uint32Array;
  readonly count: number;
  /** Unknown critical extensions of an entry: the list must not be used for any certificate (RFC 5280 §5.3). */
  readonly unknownCritical: readonly string[];
}

export interface IndexedCrl extends Pick<CrlIndexTables, 'unknownCritical'> {
  readonly crl: CertificateList;
  /**
   * Entries with a serial number, given as the octets of its INTEGER. In an indirect CRL there may be several, of
   * different issuers; each has its certificateIssuer then. Throws `DerError` for a malformed entry.
   */
  find(serialBytes: Uint8Array): RevokedEntry[];
}

/** Ten million entries are a list of some 350 MB. */
const MAX_INDEXED = 10_000_000;
/** Slots looked at per entry, on average; chance needs two. Serial numbers that were made to collide need many. */
const MAX_PROBES_PER_ENTRY = 64;

/**
 * Walks the list twice. Throws `DerError` for octets that are not such a list, `PkiError` `bound-exceeded` for serial
 * numbers that are too many, or are chosen to fall into one place of the table.
 */
export function indexEntries(crl: CertificateList): CrlIndexTables {
  const isIndirect = crl.issuingDistributionPoint?.indirectCrl ?? false;
  const count = countEntries(crl);
  const slots = new Uint32Array(new SharedArrayBuffer(4 * 2 ** Math.ceil(Math.log2(2 * count + 2))));
  const issuerPlaces: number[] = [];
  const unknownCritical = new Set<string>();
  const { source } = placesIn(crl);
  let probes = MAX_PROBES_PER_ENTRY * (count + MAX_PROBES_PER_ENTRY);
  for (const place of placesOf(crl)) {
    let slot = hashOf(source, serialAt(source, place)) & (slots.length - 1);
    for (; slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1))
      if (probes-- === 0) throw new PkiError('bound-exceeded', 'The serial numbers of the CRL cannot be indexed.');
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
      const { source } = placesIn(crl);
      const found: RevokedEntry[] = [];
      const wanted = { start: 0, end: serialBytes.length };
      for (
        let slot = hashOf(serialBytes, wanted) & (slots.length - 1);
        slots[slot];
        slot = (slot + 1) & (slots.length - 1)
      ) {
        const place = slots[slot] as number; // not zero
        if (!isEqual(source, serialAt(source, place), serialBytes)) continue;
        found.push(readEntryAt(crl, place, issuerFor(place)));
      }
      return found;
    },
  };

  /** RFC 5280 §5.3.3: an entry without the extension has the issuer of the one before it. */
  function issuerFor(place: number): readonly GeneralName[] | undefined {
    let [low, high] = [0, issuerPlaces.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((issuerPlaces[middle] as number) <= place)
        low = middle + 1; // middle < length
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
const placesIn = ({ entries }: CertificateList): { source: Uint8Array; content: number; end: number } =>
  entries ?? NOWHERE;

function countEntries(crl: CertificateList): number {
  let count = 0;
  for (const _ of placesOf(crl))
    if (++count > MAX_INDEXED) throw new PkiError('bound-exceeded', 'The CRL has more than ten million entries.');
  return count;
}

/** Where each entry begins. Headers are read in place: an object per entry would be most of the work. */
function* placesOf(crl: CertificateList): Generator<number, void, undefined> {
  const { source, content, end } = placesIn(crl);
  for (let at = content; at < end;) {
    const next = contentAt(source, at) + lengthAt(source, at);
    const serial = serialAt(source, at);
    if (source[at] !== TAG.sequence || next > end || serial.end > next || serial.end === serial.start)
      throw new DerError('bad-value', at, 'This is not an entry of a CRL');
    yield at;
    at = next;
  }
}

/** Entries have up to 65,535 octets. */
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
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (octets[at] as number), 0x01000193); // at < length
  return (hash ^ (hash >>> 15)) >>> 0;
}

function isEqual(source: Uint8Array, { start, end }: Span, octets: Uint8Array): boolean {
  if (end - start !== octets.length) return false;
  for (let at = start; at < end; at++) if (source[at] !== octets[at - start]) return false;
  return true;
}

/** Whether BOOLEAN TRUE is among the octets of an entry; only then is it worth decoding. */
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
