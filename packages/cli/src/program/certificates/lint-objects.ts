// Reads the objects to lint from files: certificates, requests and public keys, in PEM, DER or PKCS #7.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  describeForms,
  equalBytes,
  formatName,
  isPkiError,
  MAX_PEM_BLOCKS,
  parseCertificate,
  parseCertificationRequest,
  parsePublicKey,
  PEM_LABELS,
  readCertificateFile,
  unlessMalformed,
  type Certificate,
  type EntryPosition,
  type FoundCertificate,
  type LenientForm,
  type OtherEntry,
} from '@signetry/pki';
import { findingsOnCertificate, findingsOnKey, findingsOnRequest, type LintFinding } from '@signetry/pki/lint';
import { messageOf, usageError } from '../failures.ts';

export interface LintedObject {
  readonly file: string;
  readonly kind: 'certificate' | 'request' | 'key' | 'unreadable';
  /** The object's subject, or the reason why the object cannot be parsed. */
  readonly title: string;
  readonly findings: readonly LintFinding[];
  /** Variants of certificate files that were accepted to read the object, as sentences; absent if there are none. */
  readonly fileFindings?: readonly string[];
}

/** A parsed object, or bytes that could not be parsed. */
type ParsedObject =
  | { readonly kind: 'certificate'; readonly certificate: Certificate; readonly forms: readonly LenientForm[] }
  | { readonly kind: 'request' | 'key'; readonly title: string; readonly lint: (sets: RuleSets) => LintFinding[] }
  | { readonly kind: 'unreadable'; readonly title: string };

type RuleSets = readonly string[] | undefined;

/**
 * Returns the findings for each object in the files. A certificate is also checked against its issuer if the files
 * contain it.
 */
export async function lintFiles(
  files: readonly string[],
  { cwd, sets }: { readonly cwd: string; readonly sets: RuleSets },
): Promise<LintedObject[]> {
  const read = await Promise.all(
    files.map(async (file) => (await objectsIn(file, cwd)).map((found) => ({ file, found }))),
  );
  const objects = read.flat();
  const all = objects.flatMap(({ found }) => (found.kind === 'certificate' ? [found.certificate] : []));
  return objects.map(({ file, found }) => {
    if (found.kind === 'unreadable') return { file, ...found, findings: [] };
    if (found.kind !== 'certificate') return { file, kind: found.kind, title: found.title, findings: found.lint(sets) };
    const { certificate, forms } = found;
    const fileFindings = describeForms([...new Set(forms)]);
    const title = formatName(certificate.subject) || `serial number ${certificate.serialNumber}`;
    const issuer = issuerOf(certificate, all);
    const findings = findingsOnCertificate(certificate, { issuer, sets });
    return { file, kind: found.kind, title, findings, ...(fileFindings.length > 0 && { fileFindings }) };
  });
}

/** Matches by name, and also by key identifier if both certificates have one: multiple CAs can share a name. */
const issuerOf = (certificate: Certificate, all: readonly Certificate[]): Certificate | undefined =>
  all.find((each) => {
    if (each === certificate || !equalBytes(each.subjectDer, certificate.issuerDer)) return false;
    const wanted = unlessMalformed(() => certificate.authorityKeyIdentifier?.keyIdentifier);
    const own = unlessMalformed(() => each.subjectKeyIdentifier);
    return wanted === undefined || own === undefined || equalBytes(wanted, own);
  });

async function objectsIn(path: string, cwd: string): Promise<ParsedObject[]> {
  const octets = await readFile(resolve(cwd, path)).catch((error: unknown) => {
    throw usageError(`Cannot read file ${path}: ${messageOf(error)}`);
  });
  const file = readCertificateFile(octets, { maxEntries: MAX_PEM_BLOCKS });
  if (file.isCut) return [{ kind: 'unreadable', title: `The file contains more than ${MAX_PEM_BLOCKS} objects.` }];
  const entries: (EntryPosition & { readonly objects: ParsedObject[] })[] = [
    ...file.certificates.map((found) => ({
      ...found,
      objects: file.format === 'DER' ? objectsOfDer(found) : attemptRead(() => [asCertificate(found)]),
    })),
    ...file.others.map((other) => ({ ...other, objects: objectsOfBlock(other) })),
    ...file.unreadable.map(({ number = 0, reason }): (typeof entries)[number] => ({
      number,
      objects: [{ kind: 'unreadable', title: reason }],
    })),
  ];
  const objects = entries.toSorted((one, other) => one.number - other.number).flatMap((entry) => entry.objects);
  return objects.length > 0 ? objects : [{ kind: 'unreadable', title: NOTHING_TO_LINT }];
}

const NOTHING_TO_LINT = 'The file contains no certificate, CSR or public key.';

const unreadable = (error: unknown): ParsedObject => {
  if (!isPkiError(error)) throw error;
  return { kind: 'unreadable', title: error.message };
};

const attemptRead = (read: () => ParsedObject[]): ParsedObject[] => {
  try {
    return read();
  } catch (error) {
    return [unreadable(error)];
  }
};

const isLabel = (label: string, kind: keyof typeof PEM_LABELS): boolean =>
  (PEM_LABELS[kind] as readonly string[]).includes(label);

/** Returns the objects in a PEM block that is not a certificate. Ignores other kinds, such as private keys. */
function objectsOfBlock({ label = '', der }: OtherEntry): ParsedObject[] {
  if (isLabel(label, 'certificateRequest')) return attemptRead(() => [asRequest(der)]);
  return isLabel(label, 'publicKey') ? attemptRead(() => [asKey(der)]) : [];
}

/** Returns the objects in the first format that can be parsed, or the certificate parsing error if none can. */
function objectsOfDer(found: FoundCertificate): ParsedObject[] {
  const forms = [() => [asCertificate(found)], () => [asRequest(found.der)], () => [asKey(found.der)]];
  const attempts = forms.map(attemptRead);
  const fitting = attempts.find((objects) => objects.every(({ kind }) => kind !== 'unreadable'));
  return fitting ?? attempts[0] ?? [];
}

function asCertificate(found: FoundCertificate): ParsedObject {
  const certificate = parseCertificate(found.der);
  return { kind: 'certificate', certificate, forms: found.forms };
}

function asRequest(der: Uint8Array): ParsedObject {
  const request = parseCertificationRequest(der);
  const title = formatName(request.subject) || 'CSR without a subject';
  return { kind: 'request', title, lint: (sets) => findingsOnRequest(request, { sets }) };
}

function asKey(der: Uint8Array): ParsedObject {
  const key = parsePublicKey(der);
  return { kind: 'key', title: `${key.name} ${key.curve ?? key.bits}`, lint: (sets) => findingsOnKey(key, { sets }) };
}
