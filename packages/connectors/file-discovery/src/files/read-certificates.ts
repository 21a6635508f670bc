// Certificates in a file of any supported format. The only fact reported about private keys is whether the file
// contains the one for a certificate. Keys are not stored and do not appear in messages.
import type { KeyObject } from 'node:crypto';
import {
  fromBase64,
  isPkiError,
  parseCertificate,
  readPem,
  readPkcs7,
  utf16Text,
  withoutPadding,
  type PemBlock,
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
  /** Reason why part of the file could not be read. */
  readonly failure?: FailureKind | undefined;
}

export const MAX_PASSWORDS = 10;
/** Maximum number of encrypted keys to try: trying a wrong password can take a second. */
const MAX_PROTECTED_KEYS = 4;

const NOTHING: FileContents = { format: undefined, certificates: [] };

/** Throws `FileFailure` if the file should contain certificates but cannot be read. */
export async function readCertificates(octets: Buffer, passwords: readonly string[]): Promise<FileContents> {
  if (octets[0] === 0x30 && octets.length > 4) return readBinary(Buffer.from(withoutPadding(octets)), passwords);
  const magic = octets.subarray(0, 4).toString('hex');
  if (magic === 'feedfeed') return readJavaStore(octets, passwords);
  if (magic === 'cececece') throw new FileFailure('unknown');
  const text = utf16Text(octets) ?? octets.toString('latin1');
  if (text.includes('-----BEGIN ')) return readText(text, passwords);
  return /^\s*MII[A-Za-z0-9+/=\s]+$/.test(text) ? readBinary(Buffer.from(decodeBase64(text)), passwords) : NOTHING;
}

function decodeBase64(text: string): Uint8Array {
  try {
    return fromBase64(text);
  } catch {
    throw new FileFailure('broken');
  }
}

// ---- DER ----

async function readBinary(octets: Buffer, passwords: readonly string[]): Promise<FileContents> {
  const inner = octets.subarray(headerLength(octets));
  // A PKCS #7 ContentInfo begins with its type, a PFX with version 3.
  if (inner[0] === 0x06)
    return { format: 'PKCS#7', certificates: withPositions(parseOrBroken(() => readPkcs7(octets))) };
  if (inner[0] === 0x02 && inner[1] === 1 && inner[2] === 3) return readPfx(octets, passwords);
  // A certificate begins with a TBSCertificate; keys and other structures begin differently.
  const isCertificate =
    inner[0] === 0x30 && /^(?:a003020102|02)/.test(inner.subarray(headerLength(inner)).toString('hex', 0, 5));
  if (!isCertificate) return NOTHING;
  if (!isReadable(octets)) throw new FileFailure('broken');
  return { format: 'DER', certificates: withPositions([octets]) };
}

function headerLength(octets: Uint8Array): number {
  const first = octets[1] ?? 0;
  return first < 0x80 ? 2 : 2 + (first & 0x7f);
}

function isReadable(der: Uint8Array): boolean {
  try {
    parseCertificate(der);
    return true;
  } catch {
    return false;
  }
}

/** Copies the certificates, so that the file need not be kept in memory. */
const withPositions = (ders: readonly Uint8Array[]): FileCertificate[] =>
  ders.map((der, position) => ({ der: Uint8Array.from(der), position }));

function parseOrBroken<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (isPkiError(error)) throw new FileFailure('broken', { cause: error });
    throw error;
  }
}

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
      const isOwn = known !== undefined && isReadable(der) && keyText(known) === hex(parseCertificate(der).spki);
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

const CERTIFICATES: ReadonlySet<string> = new Set(['CERTIFICATE', 'X509 CERTIFICATE']);
const STORES: ReadonlySet<string> = new Set(['PKCS7', 'CMS']);

async function readText(text: string, passwords: readonly string[]): Promise<FileContents> {
  const { blocks, isBroken } = blocksOf(text);
  const ders = blocks.flatMap(({ label, der }) => {
    if (CERTIFICATES.has(label)) return [der];
    return STORES.has(label) ? attemptAll(() => readPkcs7(der)) : [];
  });
  const certificates = ders.filter(isReadable);
  const failure = isBroken || certificates.length < ders.length ? ('broken' as const) : undefined;
  if (certificates.length === 0) {
    if (failure && /-----BEGIN (?:[A-Z0-9]+ )?(?:CERTIFICATE|PKCS7|CMS)-----/.test(text))
      throw new FileFailure(failure);
    return NOTHING;
  }
  const keys = await keysOf(blocks, passwords);
  return {
    format: 'PEM',
    failure,
    certificates: withPositions(certificates).map((each) => ({
      ...each,
      key: keys.get(hex(parseCertificate(each.der).spki)),
    })),
  };
}

/** Returns all PEM blocks, or only the intact ones if any are broken. */
function blocksOf(text: string): { readonly blocks: readonly PemBlock[]; readonly isBroken: boolean } {
  try {
    return { blocks: readPem(text), isBroken: false };
  } catch (error) {
    if (!isPkiError(error)) throw error;
    if (error.code === 'bound-exceeded') throw new FileFailure('tooMuchWork', { cause: error });
  }
  const pieces = text.split(/(?=-----BEGIN )/);
  return { blocks: pieces.flatMap((piece) => attemptAll(() => readPem(piece))), isBroken: true };
}

function attemptAll<Item>(work: () => readonly Item[]): readonly Item[] {
  try {
    return work();
  } catch (error) {
    if (isPkiError(error)) return [];
    throw error;
  }
}

/** Returns the public keys of the file's private keys, as SubjectPublicKeyInfo in hexadecimal. */
async function keysOf(
  blocks: readonly PemBlock[],
  passwords: readonly string[],
): Promise<ReadonlyMap<string, 'open' | 'protected'>> {
  const keys = new Map<string, 'open' | 'protected'>();
  const hasKey = blocks.filter(({ label, headers }) => label.endsWith('PRIVATE KEY') && !headers.has('DEK-Info'));
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
