// What is in files that are held against the rules: certificates, requests and public keys, in PEM, DER or PKCS#7.
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
import { messageOf, wrongUsage } from '../failures.ts';

export interface LintedObject {
  readonly file: string;
  readonly kind: 'certificate' | 'request' | 'key' | 'unreadable';
  /** Its subject, or what keeps it from being read. */
  readonly title: string;
  readonly findings: readonly LintFinding[];
}

/** An object that was read, or octets that cannot be. */
type Found =
  | { readonly kind: 'certificate'; readonly certificate: Certificate }
  | { readonly kind: 'request' | 'key'; readonly title: string; readonly lint: (sets: Sets) => LintFinding[] }
  | { readonly kind: 'unreadable'; readonly title: string };

type Sets = readonly string[] | undefined;

/** Findings of each object of the files. A certificate is compared with its issuer where that is in the files too. */
export async function lintFiles(
  files: readonly string[],
  { cwd, sets }: { readonly cwd: string; readonly sets: Sets },
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

/** By name, and by key identifier where both tell it: several CAs may have one name. */
const issuerOf = (certificate: Certificate, all: readonly Certificate[]): Certificate | undefined =>
  all.find((each) => {
    if (each === certificate || !equalBytes(each.subjectDer, certificate.issuerDer)) return false;
    const wanted = unlessMalformed(() => certificate.authorityKeyIdentifier?.keyIdentifier);
    const own = unlessMalformed(() => each.subjectKeyIdentifier);
    return wanted === undefined || own === undefined || equalBytes(wanted, own);
  });

async function objectsIn(file: string, cwd: string): Promise<Found[]> {
  const octets = await readFile(resolve(cwd, file)).catch((error: unknown) => {
    throw wrongUsage(`The file ${file} cannot be read: ${messageOf(error)}`);
  });
  try {
    const text = octets[0] === 0x30 ? '' : octets.toString('latin1');
    const blocks = readPem(text).flatMap(({ label, der }) => objectsOfBlock(label, der));
    return blocks.length > 0 ? blocks : objectsOfDer(octets);
  } catch (error) {
    return [unreadable(error)];
  }
}

const unreadable = (error: unknown): Found => {
  if (!isPkiError(error)) throw error;
  return { kind: 'unreadable', title: error.message };
};

const reads = (read: () => Found[]): Found[] => {
  try {
    return read();
  } catch (error) {
    return [unreadable(error)];
  }
};

const isLabel = (label: string, kind: keyof typeof PEM_LABELS): boolean =>
  (PEM_LABELS[kind] as readonly string[]).includes(label);

/** Blocks of other kinds, such as private keys, are left alone. */
function objectsOfBlock(label: string, der: Uint8Array): Found[] {
  if (isLabel(label, 'certificate')) return reads(() => [asCertificate(der)]);
  if (isLabel(label, 'certificateRequest')) return reads(() => [asRequest(der)]);
  if (isLabel(label, 'pkcs7')) return reads(() => readPkcs7(der).map(asCertificate));
  return isLabel(label, 'publicKey') ? reads(() => [asKey(der)]) : [];
}

/** The first form that fits; otherwise what is wrong with it as a certificate. */
function objectsOfDer(der: Uint8Array): Found[] {
  const forms = [
    () => [asCertificate(der)],
    () => [asRequest(der)],
    () => readPkcs7(der).map(asCertificate),
    () => [asKey(der)],
  ];
  const attempts = forms.map(reads);
  const fitting = attempts.find((found) => found.length > 0 && found.every(({ kind }) => kind !== 'unreadable'));
  return fitting ?? attempts[0] ?? [];
}

const asCertificate = (der: Uint8Array): Found => ({ kind: 'certificate', certificate: parseCertificate(der) });

function asRequest(der: Uint8Array): Found {
  const request = parseCertificationRequest(der);
  const title = formatName(request.subject) || 'request without a subject';
  return { kind: 'request', title, lint: (sets) => findingsOnRequest(request, { sets }) };
}

function asKey(der: Uint8Array): Found {
  const key = parsePublicKey(der);
  return { kind: 'key', title: `${key.name} ${key.curve ?? key.bits}`, lint: (sets) => findingsOnKey(key, { sets }) };
}
