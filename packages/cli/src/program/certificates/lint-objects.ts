// Reads the objects to lint from files: certificates, requests and public keys, in PEM, DER or PKCS #7.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  equalBytes,
  formatName,
  isPkiError,
  parseCertificate,
  parseCertificationRequest,
  parsePublicKey,
  PEM_LABELS,
  readPem,
  readPkcs7,
  unlessMalformed,
  type Certificate,
} from '@signetry/pki';
import { findingsOnCertificate, findingsOnKey, findingsOnRequest, type LintFinding } from '@signetry/pki/lint';
import { messageOf, usageError } from '../failures.ts';

export interface LintedObject {
  readonly file: string;
  readonly kind: 'certificate' | 'request' | 'key' | 'unreadable';
  /** The object's subject, or the reason why the object cannot be parsed. */
  readonly title: string;
  readonly findings: readonly LintFinding[];
}

/** A parsed object, or bytes that could not be parsed. */
type ParsedObject =
  | { readonly kind: 'certificate'; readonly certificate: Certificate }
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
    const { certificate } = found;
    const title = formatName(certificate.subject) || `serial number ${certificate.serialNumber}`;
    const issuer = issuerOf(certificate, all);
    return { file, kind: found.kind, title, findings: findingsOnCertificate(certificate, { issuer, sets }) };
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

async function objectsIn(file: string, cwd: string): Promise<ParsedObject[]> {
  const octets = await readFile(resolve(cwd, file)).catch((error: unknown) => {
    throw usageError(`Cannot read file ${file}: ${messageOf(error)}`);
  });
  try {
    const text = octets[0] === 0x30 ? '' : octets.toString('latin1');
    const blocks = readPem(text).flatMap(({ label, der }) => objectsOfBlock(label, der));
    return blocks.length > 0 ? blocks : objectsOfDer(octets);
  } catch (error) {
    return [unreadable(error)];
  }
}

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

/** Returns the objects in a PEM block. Ignores other kinds of blocks, such as private keys. */
function objectsOfBlock(label: string, der: Uint8Array): ParsedObject[] {
  if (isLabel(label, 'certificate')) return attemptRead(() => [asCertificate(der)]);
  if (isLabel(label, 'certificateRequest')) return attemptRead(() => [asRequest(der)]);
  if (isLabel(label, 'pkcs7')) return attemptRead(() => readPkcs7(der).map(asCertificate));
  return isLabel(label, 'publicKey') ? attemptRead(() => [asKey(der)]) : [];
}

/** Returns the objects in the first format that can be parsed, or the certificate parsing error if none can. */
function objectsOfDer(der: Uint8Array): ParsedObject[] {
  const forms = [
    () => [asCertificate(der)],
    () => [asRequest(der)],
    () => readPkcs7(der).map(asCertificate),
    () => [asKey(der)],
  ];
  const attempts = forms.map(attemptRead);
  const fitting = attempts.find((found) => found.length > 0 && found.every(({ kind }) => kind !== 'unreadable'));
  return fitting ?? attempts[0] ?? [];
}

const asCertificate = (der: Uint8Array): ParsedObject => ({ kind: 'certificate', certificate: parseCertificate(der) });

function asRequest(der: Uint8Array): ParsedObject {
  const request = parseCertificationRequest(der);
  const title = formatName(request.subject) || 'CSR without a subject';
  return { kind: 'request', title, lint: (sets) => findingsOnRequest(request, { sets }) };
}

function asKey(der: Uint8Array): ParsedObject {
  const key = parsePublicKey(der);
  return { kind: 'key', title: `${key.name} ${key.curve ?? key.bits}`, lint: (sets) => findingsOnKey(key, { sets }) };
}
