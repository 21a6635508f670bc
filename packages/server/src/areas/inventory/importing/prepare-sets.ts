// Converts import files to batches of rows, each written in one statement: certificates are parsed, deduplicated by
// fingerprint, and formatted for bulk inserts. Runs in a worker thread.
import { describeForms, formsOf, type LenientForm, type NameCodes } from '@signetry/pki';
import { AppError, isAppError, problemsOf } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { readBounded, storedValidity, withFindings } from '../../certificates/index.ts';
import {
  readBundle,
  type BundleFile,
  type BundlePosition,
  type PositionedCertificate,
  type RejectedEntry,
} from './read-bundle.ts';

/** Number of certificates per transaction. */
const SET = 1_000;

export interface ImportTask {
  readonly files: readonly BundleFile[];
  readonly maxCertificates: number;
  /**
   * Fingerprints of keys whose certificates are imported one at a time, because a pending operation is waiting for
   * them.
   */
  readonly awaitedKeys: readonly string[];
  /** Attribute type codes used in distinguished names. */
  readonly codes: NameCodes;
}

export interface PreparedSet {
  /** JSON array of table rows in UTF-8. It is off-heap, so it does not cause garbage collection on the event loop. */
  readonly rows: Uint8Array;
  /** History messages, by row identifier. */
  readonly messages: ReadonlyMap<string, string>;
  /** Position of each certificate in the import, by fingerprint. */
  readonly origins: ReadonlyMap<string, BundlePosition>;
  /** The concatenated certificates in DER. */
  readonly octets: Uint8Array;
  /** PostgreSQL array literals, in the order of `octets`; positions start at 1. */
  readonly fingerprints: string;
  readonly places: string;
  readonly sizes: string;
}

export interface PreparedImport {
  readonly sets: readonly PreparedSet[];
  /** Number of duplicates. */
  readonly repeated: number;
  readonly refused: readonly RejectedEntry[];
  /** Accepted file variants, each with the number of certificates that it applies to. */
  readonly findings: readonly FileFinding[];
  /** DER certificates for the awaited keys. */
  readonly awaited: readonly Uint8Array[];
}

export interface FileFinding extends Pick<BundlePosition, 'file' | 'name'> {
  readonly certificates: number;
  readonly finding: string;
}

/** Throws `rejected_by_rules` if the request contains more certificates than allowed. */
export function prepareImport({ files, maxCertificates, awaitedKeys, codes }: ImportTask): PreparedImport {
  const bundle = readBundle(files, maxCertificates);
  if (bundle.isCut)
    throw new AppError('rejected_by_rules', {
      problems: [
        `files: they contain more than ${maxCertificates} certificates and other blocks; split them into multiple requests`,
      ],
    });
  const refused = [...bundle.refused];
  const awaiting = new Set(awaitedKeys);
  const awaited: Uint8Array[] = [];
  const seen = new Set<string>();
  const rows: PreparedRow[] = [];
  const findings = new Map<string, FileFinding>();
  for (const placed of bundle.found) {
    const row = prepareRow(placed, codes);
    if (!('reason' in row)) countFindings(findings, row);
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
  return { sets: setsOf(rows), repeated, refused, findings: [...findings.values()], awaited };
}

function countFindings(
  findings: Map<string, FileFinding>,
  { place: { file, name }, forms }: Pick<PreparedRow, 'place' | 'forms'>,
): void {
  for (const finding of describeForms(forms)) {
    const key = `${file} ${finding}`;
    const certificates = (findings.get(key)?.certificates ?? 0) + 1;
    findings.set(key, { file, ...(name !== undefined && { name }), certificates, finding });
  }
}

export interface PreparedRow {
  readonly fingerprint: string;
  readonly key: string;
  readonly der: Uint8Array;
  readonly uuid: string;
  readonly message: string;
  readonly place: BundlePosition;
  readonly forms: readonly LenientForm[];
  readonly json: string;
}

export function prepareRow(
  { place, der, forms: fileForms }: PositionedCertificate,
  codes: NameCodes,
): PreparedRow | { readonly reason: string } {
  try {
    const read = readBounded(der, codes);
    const uuid = newUuid();
    const json = JSON.stringify({ ...read.facts, ...storedValidity(read.facts), uuid });
    const forms = formsOf({ forms: fileForms }, read.certificate);
    const message = withFindings(messageOf(place.name), forms);
    if (UNSTORABLE.test(json) || UNSTORABLE.test(JSON.stringify(message)))
      return { reason: 'A name contains a character that cannot be stored (U+0000 or an unpaired surrogate).' };
    const { fingerprint, public_key_fingerprint: key } = read.facts;
    return { fingerprint, key, der: read.certificate.der, uuid, message, place, forms, json };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return {
      reason: problemsOf(error)
        .join('; ')
        .replace(/^certificate: /, ''),
    };
  }
}

/** Matches characters that JSON.stringify escapes and PostgreSQL does not accept in text. */
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
