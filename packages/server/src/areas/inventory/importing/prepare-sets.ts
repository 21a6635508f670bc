// Files of an import as sets of rows that a statement each writes: read, told apart by their fingerprints, and put in
// the form in which the database takes many at once. Runs in a worker thread.
import type { NameCodes } from '@signetry/pki';
import { AppError, isAppError, problemsOf } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { readBounded, storedValidity } from '../../certificates/index.ts';
import { readBundle, type BundleFile, type BundlePosition, type Placed, type Refused } from './read-bundle.ts';

/** Certificates of one transaction. */
const SET = 1_000;

export interface ImportTask {
  readonly files: readonly BundleFile[];
  readonly maxCertificates: number;
  /** Fingerprints of keys whose certificates are taken one by one, since somebody waits for them. */
  readonly awaitedKeys: readonly string[];
  /** That names are written with. */
  readonly codes: NameCodes;
}

export interface PreparedSet {
  /** A JSON array of rows of the table, in UTF-8: outside of the heap it costs the event loop no collection. */
  readonly rows: Uint8Array;
  /** What the histories say, by the identifiers of the rows. */
  readonly messages: ReadonlyMap<string, string>;
  /** Where each of them was, by its fingerprint. */
  readonly origins: ReadonlyMap<string, BundlePosition>;
  /** The certificates in DER, one after the other. */
  readonly octets: Uint8Array;
  /** Literals of PostgreSQL arrays, in the order of the octets; the first octet has the place 1. */
  readonly fingerprints: string;
  readonly places: string;
  readonly sizes: string;
}

export interface PreparedImport {
  readonly sets: readonly PreparedSet[];
  /** Certificates that occur again. */
  readonly repeated: number;
  readonly refused: readonly Refused[];
  /** Those of awaited keys, in DER. */
  readonly awaited: readonly Uint8Array[];
}

/** Throws `rejected_by_rules` when there are more certificates than one request may have. */
export function prepareImport({ files, maxCertificates, awaitedKeys, codes }: ImportTask): PreparedImport {
  const bundle = readBundle(files, maxCertificates);
  if (bundle.isCut)
    throw new AppError('rejected_by_rules', {
      problems: [
        `files: they hold more than ${maxCertificates} certificates and other blocks; send them in several requests`,
      ],
    });
  const refused = [...bundle.refused];
  const awaiting = new Set(awaitedKeys);
  const awaited: Uint8Array[] = [];
  const seen = new Set<string>();
  const rows: PreparedRow[] = [];
  for (const placed of bundle.found) {
    const row = prepareRow(placed, codes);
    if ('reason' in row) refused.push({ place: placed.place, reason: row.reason });
    else if (seen.has(row.fingerprint)) continue;
    else {
      seen.add(row.fingerprint);
      if (awaiting.has(row.key)) awaited.push(row.der);
      else rows.push(row);
    }
  }
  const taken = rows.length + awaited.length;
  const repeated = bundle.found.length - taken - (refused.length - bundle.refused.length);
  return { sets: setsOf(rows), repeated, refused, awaited };
}

export interface PreparedRow {
  readonly fingerprint: string;
  readonly key: string;
  readonly der: Uint8Array;
  readonly uuid: string;
  readonly message: string;
  readonly place: BundlePosition;
  readonly json: string;
}

export function prepareRow({ place, der }: Placed, codes: NameCodes): PreparedRow | { readonly reason: string } {
  try {
    const read = readBounded(der, codes);
    const uuid = newUuid();
    const json = JSON.stringify({ ...read.facts, ...storedValidity(read.facts), uuid });
    const message = messageOf(place.name);
    if (UNSTORABLE.test(json) || UNSTORABLE.test(JSON.stringify(message)))
      return { reason: 'A name in it holds a character that no text may have (U+0000 or half of a pair).' };
    const { fingerprint, public_key_fingerprint: key } = read.facts;
    return { fingerprint, key, der: read.certificate.der, uuid, message, place, json };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return {
      reason: problemsOf(error)
        .join('; ')
        .replace(/^certificate: /, ''),
    };
  }
}

/** What JSON.stringify writes as an escape and PostgreSQL takes in no text. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

const messageOf = (origin: string | undefined): string =>
  origin === undefined ? 'Certificate imported' : `Certificate imported from ${origin}`;

function setsOf(rows: readonly PreparedRow[]): PreparedSet[] {
  const sets: PreparedSet[] = [];
  for (let from = 0; from < rows.length; from += SET) sets.push(setOf(rows.slice(from, from + SET)));
  return sets;
}

export function setOf(rows: readonly PreparedRow[]): PreparedSet {
  const octets = new Uint8Array(rows.reduce((sum, { der }) => sum + der.length, 0));
  const places: number[] = [];
  let at = 0;
  for (const { der } of rows) {
    octets.set(der, at);
    places.push(at + 1);
    at += der.length;
  }
  const arrayOf = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;
  return {
    rows: Buffer.from(`[${rows.map(({ json }) => json).join(',')}]`),
    messages: new Map(rows.map(({ uuid, message }) => [uuid, message])),
    origins: new Map(rows.map(({ fingerprint, place }) => [fingerprint, place])),
    octets,
    fingerprints: arrayOf(rows.map(({ fingerprint }) => fingerprint)),
    places: arrayOf(places),
    sizes: arrayOf(rows.map(({ der }) => der.length)),
  };
}
