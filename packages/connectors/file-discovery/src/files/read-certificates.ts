// Certificates in a file of any supported format. The only fact reported about private keys is whether the file
// contains the one for a certificate. Keys are not stored and do not appear in messages.
import type { KeyObject } from 'node:crypto';
import {
  formsOf,
  isPkiError,
  MAX_PEM_BLOCKS,
  parseCertificate,
  parseCertificationRequest,
  parseCrl,
  readCertificateFile,
  unlessMalformed,
  utf16Text,
  type Certificate,
  type CertificateFile,
  type FoundCertificate,
  type LenientForm,
  type OtherEntry,
} from '@signetry/pki';
import { exportPublicKey, importPrivateKey, keyStorePrivateKey, readKeyStore, readPkcs12 } from '@signetry/pki/node';
import { FileFailure, type FailureKind } from './failure.ts';

export type FileFormat = 'PEM' | 'DER' | 'PKCS#7' | 'PKCS#12' | 'JKS';

export interface FileCertificate {
  readonly der: Uint8Array;
  /** Position in the file, from 0. */
  readonly position: number;
  /** Entry name, in key stores. */
  readonly alias?: string | undefined;
  /** Whether the file contains the private key, and if so, whether everyone who can read the file can use the key. */
  readonly key?: 'open' | 'protected' | undefined;
}

export interface FileContents {
  /** Undefined for a file without certificates. */
  readonly format: FileFormat | undefined;
  readonly certificates: readonly FileCertificate[];
  /** Variants of certificate files that were accepted to read it. */
  readonly forms?: readonly LenientForm[];
  /** Reason why part of the file could not be read. */
  readonly failure?: FailureKind | undefined;
}

export const MAX_PASSWORDS = 10;
/** Maximum number of encrypted keys to try: trying a wrong password can take a second. */
const MAX_PROTECTED_KEYS = 4;

const NOTHING: FileContents = { format: undefined, certificates: [] };

/** Throws `FileFailure` if the file should contain certificates but cannot be read. */
export async function readCertificates(octets: Buffer, passwords: readonly string[]): Promise<FileContents> {
  const magic = octets.subarray(0, 4).toString('hex');
  if (magic === 'feedfeed') return readJavaStore(octets, passwords);
  if (magic === 'cececece') throw new FileFailure('unknown');
  const file = readCertificateFile(octets, { maxEntries: MAX_PEM_BLOCKS });
  if (file.isCut) throw new FileFailure('tooMuchWork');
  if (file.format === 'PEM') return readBlocks(file, passwords);
  const [store] = file.others;
  if (store) return beginsWith(store.der, 'PKCS#12') ? readPfx(Buffer.from(store.der), passwords) : NOTHING;
  if (file.unreadable.length > 0) {
    if (shouldContainCertificates(octets)) throw new FileFailure('broken');
    return NOTHING;
  }
  return readBinary(file);
}

// ---- DER ----

function readBinary({ format, certificates }: CertificateFile): FileContents {
  if (format === 'PKCS#7') return { format, forms: formsIn(certificates), certificates: withPositions(certificates) };
  const [found] = certificates;
  if (!found || !beginsWith(found.der, 'DER')) return NOTHING;
  const certificate = parseIfReadable(found.der);
  if (!certificate) {
    if (isOtherObject(found.der)) return NOTHING;
    throw new FileFailure('broken');
  }
  return { format: 'DER', forms: formsOf(found, certificate), certificates: withPositions([found]) };
}

/** CRLs and CSRs begin like certificates. */
const isOtherObject = (der: Uint8Array): boolean =>
  unlessMalformed(() => parseCrl(der)) !== undefined ||
  unlessMalformed(() => parseCertificationRequest(der)) !== undefined;

const formsIn = (certificates: readonly FoundCertificate[]): LenientForm[] => [
  ...new Set(
    certificates.flatMap((found) => {
      const certificate = parseIfReadable(found.der);
      return certificate ? formsOf(found, certificate) : found.forms;
    }),
  ),
];

/** Returns whether an unreadable file begins like a certificate, PKCS #7 or PKCS #12, in DER or Base64. */
function shouldContainCertificates(octets: Buffer): boolean {
  if (octets[0] === 0x30 && octets.length > 4)
    return (['DER', 'PKCS#7', 'PKCS#12'] as const).some((format) => beginsWith(octets, format));
  return /^\s*MII[A-Za-z0-9+/=\s]+$/.test(utf16Text(octets) ?? octets.toString('latin1'));
}

/** Whether DER begins like a file of this format. Certificates begin with a TBSCertificate, unlike other structures. */
function beginsWith(der: Uint8Array, format: 'DER' | 'PKCS#7' | 'PKCS#12'): boolean {
  const inner = der.subarray(headerLength(der));
  if (format === 'PKCS#7') return inner[0] === 0x06;
  if (format === 'PKCS#12') return inner[0] === 0x02 && inner[1] === 1 && inner[2] === 3;
  const start = Buffer.from(inner.subarray(headerLength(inner)).subarray(0, 5)).toString('hex');
  return inner[0] === 0x30 && /^(?:a003020102|02)/.test(start);
}

function headerLength(octets: Uint8Array): number {
  const first = octets[1] ?? 0;
  return first < 0x80 ? 2 : 2 + (first & 0x7f);
}

function parseIfReadable(der: Uint8Array): Certificate | undefined {
  try {
    return parseCertificate(der);
  } catch {
    return undefined;
  }
}

/** Copies the certificates, so that the file need not be kept in memory. */
const withPositions = (found: readonly FoundCertificate[]): FileCertificate[] =>
  found.map(({ der }, position) => ({ der: Uint8Array.from(der), position }));

// ---- key stores ----

/** Opens with the first password that works; throws `closed` if none does. */
async function openWithPasswords<Result>(
  passwords: readonly string[],
  open: (password: string) => Promise<Result>,
): Promise<{ readonly result: Result; readonly password: string }> {
  // Stores without a password can be opened with an empty one.
  for (const password of [...passwords.slice(0, MAX_PASSWORDS), '']) {
    try {
      return { result: await open(password), password };
    } catch (error) {
      if (!isPkiError(error)) throw error;
      if (error.code !== 'wrong-password') throw new FileFailure(KINDS[error.code] ?? 'broken', { cause: error });
    }
  }
  throw new FileFailure('closed');
}

const KINDS: Readonly<Record<string, FailureKind>> = {
  'bound-exceeded': 'tooMuchWork',
  'unsupported-algorithm': 'unknown',
  'unsupported-version': 'unknown',
};

async function readPfx(octets: Buffer, passwords: readonly string[]): Promise<FileContents> {
  const { result, password } = await openWithPasswords(passwords, (each) => readPkcs12(octets, { password: each }));
  const keys = result.keys.map(({ privateKey }) => keyText(privateKey));
  return {
    format: 'PKCS#12',
    certificates: result.certificates.map(({ certificate, friendlyName }, position) => ({
      der: Uint8Array.from(certificate.der),
      position,
      alias: friendlyName,
      key: keys.includes(hex(certificate.spki)) ? protection(password) : undefined,
    })),
  };
}

async function readJavaStore(octets: Buffer, passwords: readonly string[]): Promise<FileContents> {
  const { result, password } = await openWithPasswords(passwords, (each) =>
    readKeyStore(octets, { type: 'JKS', password: each }),
  );
  const certificates: FileCertificate[] = [];
  for (const { alias, chain, key } of result.entries) {
    const known = key && (await attemptKey(() => keyStorePrivateKey(key, password)));
    for (const der of chain) {
      const certificate = parseIfReadable(der);
      const isOwn = known !== undefined && certificate !== undefined && keyText(known) === hex(certificate.spki);
      certificates.push({
        der: Uint8Array.from(der),
        position: certificates.length,
        alias,
        key: isOwn ? protection(password) : undefined,
      });
    }
  }
  return { format: 'JKS', certificates };
}

const protection = (password: string): 'open' | 'protected' => (password === '' ? 'open' : 'protected');
const hex = (octets: Uint8Array): string => Buffer.from(octets).toString('hex');
const keyText = (key: KeyObject): string => hex(exportPublicKey(key));

// ---- PEM ----

const LABELS = /^(?:[A-Z0-9]+ )?(?:CERTIFICATE|PKCS7|CMS)$/;

async function readBlocks(file: CertificateFile, passwords: readonly string[]): Promise<FileContents> {
  const readable = file.certificates.flatMap((found) => {
    const certificate = parseIfReadable(found.der);
    return certificate ? [{ found, certificate }] : [];
  });
  const isBroken = file.unreadable.length > 0 || readable.length < file.certificates.length;
  if (readable.length === 0) {
    const labels = file.unreadable.map(({ label }) => label ?? '');
    if (file.certificates.length > 0 || labels.some((label) => LABELS.test(label))) throw new FileFailure('broken');
    return NOTHING;
  }
  const keys = await keysOf(file.others, passwords);
  return {
    format: 'PEM',
    forms: [...new Set(readable.flatMap(({ found, certificate }) => formsOf(found, certificate)))],
    ...(isBroken && { failure: 'broken' }),
    certificates: withPositions(readable.map(({ found }) => found)).map((each, index) => {
      const key = keys.get(hex(readable[index]?.certificate.spki ?? new Uint8Array()));
      return { ...each, key };
    }),
  };
}

/** Returns the public keys of the file's private keys, as SubjectPublicKeyInfo in hexadecimal. */
async function keysOf(
  blocks: readonly OtherEntry[],
  passwords: readonly string[],
): Promise<ReadonlyMap<string, 'open' | 'protected'>> {
  const keys = new Map<string, 'open' | 'protected'>();
  const hasKey = blocks.filter(({ label = '', headers }) => label.endsWith('PRIVATE KEY') && !headers.has('DEK-Info'));
  let tries = MAX_PROTECTED_KEYS;
  for (const { label, der } of hasKey) {
    const isProtected = label === 'ENCRYPTED PRIVATE KEY';
    if (isProtected && tries-- <= 0) continue;
    for (const password of isProtected ? passwords.slice(0, MAX_PASSWORDS) : ['']) {
      const key = await attemptKey(() => importPrivateKey(der, isProtected ? { password } : {}));
      if (!key) continue;
      keys.set(keyText(key), isProtected ? 'protected' : 'open');
      break;
    }
  }
  return keys;
}

async function attemptKey(work: () => KeyObject | Promise<KeyObject>): Promise<KeyObject | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isPkiError(error)) return undefined;
    throw error;
  }
}
