// CRL entries as bytes, encoded one by one and changed without decoding. A CRL with a hundred thousand entries takes
// megabytes; as objects, the entries would take many times more, and creating them would block the caller's thread.
import { concatBytes } from '../bytes.ts';
import { DerError } from '../errors.ts';
import { OID } from '../oids.ts';
import { TAG } from '../der/tags.ts';
import {
  encodeDer,
  enumeratedPart,
  generalizedTimePart,
  integerPart,
  octetStringOf,
  oidPart,
  sequence,
  timePart,
  type DerPart,
} from '../der/writer.ts';
import { REVOCATION_REASONS, type RevocationReason } from './reasons.ts';

export interface RevokedEntryInput {
  /** Unsigned big-endian bytes. */
  readonly serialNumber: Uint8Array;
  readonly revocationMs: number;
  /** For `unspecified`, the extension is omitted (RFC 5280 §5.3.1). */
  readonly reason?: RevocationReason;
  readonly invalidityMs?: number;
}

/** Concatenated encoded entries: the contents of `revokedCertificates` without its header. */
export interface EntryList {
  readonly octets: Uint8Array;
  readonly count: number;
}

export const NO_ENTRIES: EntryList = { octets: new Uint8Array(), count: 0 };

/** Most entries only have a reason, and there are ten reasons, so each is encoded once. */
const reasonExtensions = new Map<RevocationReason, DerPart>();

function reasonExtension(reason: RevocationReason): DerPart {
  let part = reasonExtensions.get(reason);
  if (part === undefined) {
    part = encodeDer(sequence([oidPart(OID.reasonCode), octetStringOf(enumeratedPart(REVOCATION_REASONS[reason]))]));
    reasonExtensions.set(reason, part);
  }
  return part;
}

export function entryPart(entry: RevokedEntryInput): DerPart {
  const { reason, invalidityMs } = entry;
  const reasonPart = reason === undefined || reason === 'unspecified' ? undefined : reasonExtension(reason);
  const invalidityPart =
    invalidityMs === undefined
      ? undefined
      : sequence([oidPart(OID.invalidityDate), octetStringOf(generalizedTimePart(invalidityMs))]);
  const hasExtensions = reasonPart !== undefined || invalidityPart !== undefined;
  return sequence([
    integerPart(entry.serialNumber),
    timePart(entry.revocationMs),
    hasExtensions ? sequence([reasonPart, invalidityPart]) : undefined,
  ]);
}

/** Encodes entries in the given order. */
export function encodeEntries(entries: readonly RevokedEntryInput[]): EntryList {
  return { octets: concatBytes(entries.map((entry) => encodeDer(entryPart(entry)))), count: entries.length };
}

/** Concatenates entry lists. */
export const joinEntries = (lists: readonly EntryList[]): EntryList => ({
  octets: concatBytes(lists.map(({ octets }) => octets)),
  count: lists.reduce((sum, { count }) => sum + count, 0),
});

export interface EntryChanges {
  /** Entries to add. An entry replaces any existing entry with the same serial number. */
  readonly put: readonly RevokedEntryInput[];
  /** Serial numbers, unsigned big-endian, of entries to remove. */
  readonly drop: readonly Uint8Array[];
}

/** Number of entries processed between two pauses: one or two milliseconds of work. */
const ENTRIES_PER_SLICE = 8_192;

/**
 * Applies changes to a list in ascending order of serial numbers and preserves the order. Scans the entry headers once
 * and copies unchanged entries in runs. Yields regularly, so that the thread can do other work. Throws `DerError` for
 * malformed or unsorted entries.
 */
export function* changeEntriesInSlices(
  octets: Uint8Array,
  changes: EntryChanges,
): Generator<undefined, EntryList, undefined> {
  const steps = toSortedSteps(changes);
  const runs: Uint8Array[] = [];
  let [before, entry] = [createEntryRange(octets), createEntryRange(octets)];
  let copiedTo = 0;
  let count = 0;
  let next = 0;
  for (let walked = 1; entry.end < octets.length; walked++) {
    [before, entry] = [entry, before];
    readNext(entry, before);
    let isKept = true;
    for (let step = steps[next]; step !== undefined; step = steps[++next]) {
      const order = compareMagnitudes(step.serial, entry.serial);
      if (order > 0) break;
      isKept &&= order < 0;
      runs.push(octets.subarray(copiedTo, entry.start));
      copiedTo = isKept ? entry.start : entry.end;
      count += appendEntry(runs, step);
    }
    if (isKept) count++;
    if (walked % ENTRIES_PER_SLICE === 0) yield;
  }
  runs.push(octets.subarray(copiedTo));
  for (const step of steps.slice(next)) count += appendEntry(runs, step);
  return { octets: concatBytes(runs), count };
}

/** Same as `changeEntriesInSlices`, without pauses. */
export function changeEntries(octets: Uint8Array, changes: EntryChanges): EntryList {
  const slices = changeEntriesInSlices(octets, changes);
  for (;;) {
    const slice = slices.next();
    if (slice.done) return slice.value;
  }
}

function appendEntry(runs: Uint8Array[], { entry }: Step): number {
  if (entry === undefined) return 0;
  runs.push(entry);
  return 1;
}

/** An unsigned number without leading zeros, as a range of a larger buffer. */
interface Magnitude {
  octets: Uint8Array;
  start: number;
  end: number;
}

interface Step {
  readonly serial: Magnitude;
  readonly entry: Uint8Array | undefined;
}

/** Returns one step per serial number, in ascending order; `put` overrides `drop`. */
function toSortedSteps({ put, drop }: EntryChanges): readonly Step[] {
  const steps = [
    ...drop.map((serial) => ({ serial: magnitude(serial), entry: undefined })),
    ...put.map((entry) => ({ serial: magnitude(entry.serialNumber), entry: encodeDer(entryPart(entry)) })),
  ].sort((a, b) => compareMagnitudes(a.serial, b.serial)); // The sort is stable, so `put` follows `drop`.
  return steps.filter((step, index) => {
    const after = steps[index + 1];
    return after === undefined || compareMagnitudes(step.serial, after.serial) !== 0;
  });
}

const magnitude = (octets: Uint8Array): Magnitude => withoutLeadingZeros({ octets, start: 0, end: octets.length });

function withoutLeadingZeros(number: Magnitude): Magnitude {
  while (number.start < number.end - 1 && number.octets[number.start] === 0) number.start++;
  return number;
}

/** Compares in unsigned lexicographic order, a proper prefix first, like `compareBytes` and PostgreSQL's bytea. */
function compareMagnitudes(a: Magnitude, b: Magnitude): number {
  const shared = Math.min(a.end - a.start, b.end - b.start);
  for (let i = 0; i < shared; i++) {
    // Both indexes are within their range.
    const difference = (a.octets[a.start + i] as number) - (b.octets[b.start + i] as number);
    if (difference !== 0) return difference;
  }
  return a.end - a.start - (b.end - b.start);
}

/** Offsets of one entry. */
interface EntryRange {
  start: number;
  end: number;
  readonly serial: Magnitude;
}

const createEntryRange = (octets: Uint8Array): EntryRange => ({
  start: 0,
  end: 0,
  serial: { octets, start: 0, end: 0 },
});

/** Reads the next entry into an existing object, since a long list would need many objects. */
function readNext(entry: EntryRange, before: EntryRange): void {
  readEntryRange(entry, before.end);
  if (before.end > 0 && compareMagnitudes(before.serial, entry.serial) >= 0) {
    throw new DerError('bad-value', entry.start, 'The entries must be in ascending order of their serial numbers');
  }
}

/**
 * Entries and serial numbers are short: their lengths take one byte, or up to three if an entry has long extensions.
 */
function readEntryRange(entry: EntryRange, start: number): void {
  const { octets } = entry.serial;
  const first = octets[start + 1] ?? 0;
  const content = first < 0x80 ? start + 2 : first === 0x81 ? start + 3 : start + 4;
  const length = first < 0x80 ? first : first === 0x81 ? (octets[start + 2] ?? 0) : readUint16(octets, start + 2);
  const serialLength = octets[content + 1] ?? 0;
  entry.start = start;
  entry.end = content + length;
  entry.serial.start = content + 2;
  entry.serial.end = content + 2 + serialLength;
  const isWhole = octets[start] === TAG.sequence && first <= 0x82 && first !== 0x80 && entry.end <= octets.length;
  const hasSerial = octets[content] === TAG.integer && serialLength > 0 && serialLength < 0x80;
  if (!isWhole || !hasSerial || entry.serial.end > entry.end) {
    throw new DerError('bad-value', start, 'This is not a CRL entry');
  }
  withoutLeadingZeros(entry.serial);
}

const readUint16 = (octets: Uint8Array, at: number): number => ((octets[at] ?? 0) << 8) | (octets[at + 1] ?? 0);
