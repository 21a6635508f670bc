// Reading PKCS#12 files (RFC 7292): private key, its certificate and the chain, to import an authority from another
// system. The MAC is verified first, so that a wrong password can be told from other faults; derivation work is bounded
// for the whole file.
import { createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import {
  contentBytes,
  DerCursor,
  elementBytes,
  explicitContent,
  openDer,
  openElement,
  parseDer,
  readIntegerBetween,
  readOctetString,
  readOid,
  type DerElement,
} from '../der/reader.ts';
import { decodeText } from '../der/text.ts';
import { createDerivationBudget, type DerivationBudget } from './derivation-budget.ts';
import { decryptPrivateKeyPart, decryptWithPassword } from './pbe.ts';
import { DerError, PkiError } from '../errors.ts';
import { readAlgorithm } from '../algorithms.ts';
import { verifyPkcs12Mac } from './pkcs12-mac.ts';
import { equalBytes } from '../bytes.ts';
import { exportPublicKey } from './keys.ts';
import { OID } from '../oids.ts';
import { parseCertificate, type Certificate } from '../x509/certificate.ts';
import { TAG } from '../der/tags.ts';
import type { Pkcs12Password } from './pkcs12-derivation.ts';

/** Bounds: real files have a handful of bags, two levels deep. */
const MAX_SAFES = 64;
const MAX_BAGS = 1024;
const MAX_NESTING = 4;
const MAX_ENCRYPTED_PARTS = 16;

export interface Pkcs12Key {
  readonly privateKey: KeyObject;
  readonly friendlyName: string | undefined;
  /** Hex; equal in a key and its certificate. */
  readonly localKeyId: string | undefined;
}

export interface Pkcs12Certificate {
  readonly certificate: Certificate;
  readonly friendlyName: string | undefined;
  readonly localKeyId: string | undefined;
}

export interface Pkcs12Contents {
  readonly keys: readonly Pkcs12Key[];
  /** In the order of the file. */
  readonly certificates: readonly Pkcs12Certificate[];
}

/**
 * Reads a PKCS#12 file in DER. Throws `PkiError`: `wrong-password` (the MAC does not fit), `unsupported-algorithm`
 * naming what was used (RC2, RC4), `bound-exceeded` for more key derivation than one file may ask for, `DerError` for
 * malformed octets. A file without MAC is read when its encrypted parts open.
 */
export async function readPkcs12(der: Uint8Array, options: { password: string }): Promise<Pkcs12Contents> {
  const outer = openDer(der);
  readIntegerBetween(outer.next(), { min: 3, max: 3 }); // version 3 is the only one (RFC 7292 §4)
  const authSafe = readContentInfo(outer.next());
  const macData = outer.optional(TAG.sequence);
  outer.finish();
  if (authSafe.type !== OID.pkcs7Data) {
    throw new PkiError('unsupported-algorithm', 'PKCS#12 files protected by a public key are not supported.');
  }
  const content = readOctetString(authSafe.content);
  const budget = createDerivationBudget();
  const password =
    macData === undefined ? options.password : await verifyPkcs12Mac(macData, { ...options, content, budget });
  const reading: Reading = { password, budget, keys: [], certificates: [], bags: 0, encryptedParts: 0 };
  const safes = openDer(content);
  for (let count = 0; !safes.atEnd; count++) {
    if (count === MAX_SAFES) throw new DerError('too-many-elements', safes.offset);
    await readSafe(reading, safes.next());
  }
  return { keys: reading.keys, certificates: reading.certificates };
}

interface Reading {
  readonly password: Pkcs12Password;
  readonly budget: DerivationBudget;
  readonly keys: Pkcs12Key[];
  readonly certificates: Pkcs12Certificate[];
  bags: number;
  encryptedParts: number;
}

interface ContentInfo {
  readonly type: string;
  readonly content: DerElement;
}

function readContentInfo(element: DerElement): ContentInfo {
  const cursor = openElement(element, TAG.sequence);
  const type = readOid(cursor.next());
  const content = explicitContent(cursor.take(0xa0));
  cursor.finish();
  return { type, content };
}

async function readSafe(reading: Reading, element: DerElement): Promise<void> {
  const { type, content } = readContentInfo(element);
  if (type === OID.pkcs7Data)
    return await readBags(reading, { contents: parseDer(readOctetString(content)), depth: 0 });
  if (type !== OID.pkcs7EncryptedData) {
    throw new PkiError('unsupported-algorithm', 'PKCS#12 contents protected by a public key are not supported.');
  }
  countEncryptedPart(reading);
  // EncryptedData ::= SEQUENCE { version, EncryptedContentInfo } (RFC 5652 §8)
  const cursor = openElement(content, TAG.sequence);
  readIntegerBetween(cursor.next(), { min: 0, max: 2 });
  const inner = cursor.open(TAG.sequence);
  readOid(inner.next());
  const algorithm = readAlgorithm(inner.next());
  const data = contentBytes(inner.take(0x80));
  const plain = await decryptWithPassword(algorithm, { ...reading, data });
  await readBags(reading, { contents: parseDecrypted(plain), depth: 0 });
}

/** About one wrong password in 256 passes the padding check: the content is malformed then. */
function parseDecrypted(plain: Uint8Array): DerElement {
  try {
    const element = parseDer(plain);
    if (element.tag === TAG.sequence) return element;
  } catch {
    // reported below: octets that are not DER were decrypted with the wrong key
  }
  throw new PkiError('wrong-password', 'The password does not open the PKCS#12 file.');
}

function countEncryptedPart(reading: Reading): void {
  if (++reading.encryptedParts > MAX_ENCRYPTED_PARTS) {
    throw new PkiError('bound-exceeded', `The file has more than ${MAX_ENCRYPTED_PARTS} encrypted parts.`);
  }
}

async function readBags(reading: Reading, safe: { contents: DerElement; depth: number }): Promise<void> {
  if (safe.depth > MAX_NESTING) throw new DerError('too-deep', safe.contents.start);
  const bags = openElement(safe.contents, TAG.sequence);
  while (!bags.atEnd) {
    if (++reading.bags > MAX_BAGS) throw new DerError('too-many-elements', bags.offset);
    const cursor = bags.open(TAG.sequence);
    const type = readOid(cursor.next());
    const value = explicitContent(cursor.take(0xa0));
    const attributes = readBagAttributes(cursor.optional(TAG.set));
    cursor.finish();
    switch (type) {
      case OID.pkcs12KeyBag:
        reading.keys.push({ privateKey: importKey(elementBytes(value)), ...attributes });
        break;
      case OID.pkcs12ShroudedKeyBag: {
        countEncryptedPart(reading);
        const pkcs8 = await decryptPrivateKeyPart(elementBytes(value), reading);
        reading.keys.push({ privateKey: importKey(pkcs8), ...attributes });
        pkcs8.fill(0);
        break;
      }
      case OID.pkcs12CertBag:
        reading.certificates.push({ certificate: readCertBag(value), ...attributes });
        break;
      case OID.pkcs12SafeContentsBag:
        await readBags(reading, { contents: value, depth: safe.depth + 1 });
        break;
      default:
        break; // CRLs and secrets are not used here
    }
  }
}

function importKey(pkcs8: Uint8Array): KeyObject {
  try {
    return createPrivateKey({
      key: Buffer.from(pkcs8.buffer, pkcs8.byteOffset, pkcs8.length),
      format: 'der',
      type: 'pkcs8',
    });
  } catch (cause) {
    throw new PkiError('bad-key', 'The PKCS#12 file holds a private key that cannot be read.', { cause });
  }
}

function readCertBag(element: DerElement): Certificate {
  const cursor = openElement(element, TAG.sequence);
  const type = readOid(cursor.next());
  const value = explicitContent(cursor.take(0xa0));
  cursor.finish();
  if (type !== OID.pkcs9X509Certificate)
    throw new PkiError('unsupported-algorithm', 'Only X.509 certificates are supported.');
  return parseCertificate(readOctetString(value));
}

function readBagAttributes(set: DerElement | undefined): Pick<Pkcs12Key, 'friendlyName' | 'localKeyId'> {
  let friendlyName: string | undefined;
  let localKeyId: string | undefined;
  if (set !== undefined) {
    const cursor = new DerCursor(set);
    while (!cursor.atEnd) {
      const pair = cursor.open(TAG.sequence);
      const type = readOid(pair.next());
      const values = pair.open(TAG.set);
      pair.finish();
      if (values.atEnd) continue;
      const value = values.next();
      if (type === OID.friendlyName) friendlyName = decodeText(value.tag, contentBytes(value));
      if (type === OID.localKeyId && value.tag === TAG.octetString) localKeyId = contentBytes(value).toHex();
    }
  }
  return { friendlyName, localKeyId };
}

export interface Pkcs12Identity {
  readonly privateKey: KeyObject;
  /** The key's own certificate first, then its issuers as far as the file has them. */
  readonly chain: readonly Certificate[];
}

/**
 * The one key of a file with its certificate and chain. Throws `PkiError` `bad-key` when the file has no key, several,
 * or no certificate for it.
 */
export function pkcs12Identity(contents: Pkcs12Contents): Pkcs12Identity {
  const [entry, ...others] = contents.keys;
  if (entry === undefined || others.length > 0) {
    throw new PkiError('bad-key', `The PKCS#12 file holds ${contents.keys.length} private keys; one is needed.`);
  }
  const spki = exportPublicKey(entry.privateKey);
  const certificates = contents.certificates.map(({ certificate }) => certificate);
  let current = certificates.find((certificate) => equalBytes(certificate.spki, spki));
  if (current === undefined)
    throw new PkiError('bad-key', 'The PKCS#12 file holds no certificate for its private key.');
  const chain: Certificate[] = [];
  while (current !== undefined && !chain.includes(current)) {
    const last: Certificate = current;
    chain.push(last);
    current = last.isSelfIssued
      ? undefined
      : certificates.find((candidate) => equalBytes(candidate.subjectDer, last.issuerDer));
  }
  return { privateKey: entry.privateKey, chain };
}
