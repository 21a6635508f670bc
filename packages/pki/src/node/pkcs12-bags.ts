// Bags in a PKCS #12 file (RFC 7292): encoded keys and certificates with their attributes. The MAC is verified first,
// to distinguish a wrong password from other errors; key derivation is limited for the entire file.
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
import { OID } from '../oids.ts';
import { TAG } from '../der/tags.ts';
import type { Pkcs12Password } from './pkcs12-derivation.ts';

/** Limits: typical files have a handful of bags, nested two levels deep; key stores can have hundreds. */
const MAX_SAFES = 64;
const MAX_BAGS = 1024;
const MAX_NESTING = 4;

export interface Pkcs12Attributes {
  readonly friendlyName: string | undefined;
  /** Hexadecimal; a key and its certificate have the same value. */
  readonly localKeyId: string | undefined;
  /** Whether Java trusts the certificate because it has Oracle's attribute for trusted key usage. */
  readonly isTrusted: boolean;
  /** All other attributes, as PKCS12Attribute in DER. */
  readonly others: readonly Uint8Array[];
}

export interface Pkcs12KeyBag extends Pkcs12Attributes {
  /** Unencrypted PKCS #8. The reader must zero it. */
  readonly pkcs8: Uint8Array;
}

export interface Pkcs12CertificateBag extends Pkcs12Attributes {
  /** Certificate in DER, not parsed. */
  readonly certificate: Uint8Array;
}

export interface Pkcs12Bags {
  readonly keys: readonly Pkcs12KeyBag[];
  /** In file order. */
  readonly certificates: readonly Pkcs12CertificateBag[];
  /** SafeBags of other types, such as secrets and CRLs, unchanged. */
  readonly others: readonly Uint8Array[];
}

export interface Pkcs12Options {
  readonly password: string;
  /** CPU time limit for key derivation, in seconds. Every key in a file requires its own derivation. Default: 1. */
  readonly seconds?: number;
}

/** Reads the bags of a PKCS #12 file. Throws the same errors as `readPkcs12`. */
export async function readPkcs12Bags(der: Uint8Array, options: Pkcs12Options): Promise<Pkcs12Bags> {
  const outer = openDer(der);
  readIntegerBetween(outer.next(), { min: 3, max: 3 }); // Version 3 is the only version (RFC 7292 §4).
  const authSafe = readContentInfo(outer.next());
  const macData = outer.optional(TAG.sequence);
  outer.finish();
  if (authSafe.type !== OID.pkcs7Data) {
    throw new PkiError('unsupported-algorithm', 'PKCS #12 files protected with a public key are not supported.');
  }
  const content = readOctetString(authSafe.content);
  const budget = createDerivationBudget(options.seconds);
  const password =
    macData === undefined
      ? options.password
      : await verifyPkcs12Mac(macData, { password: options.password, content, budget });
  const reading: ReadState = { password, budget, keys: [], certificates: [], others: [], bags: 0 };
  const safes = openDer(content);
  for (let count = 0; !safes.atEnd; count++) {
    if (count === MAX_SAFES) throw new DerError('too-many-elements', safes.offset);
    await readSafe(reading, safes.next());
  }
  const { keys, certificates, others } = reading;
  return { keys, certificates, others };
}

interface ReadState {
  readonly password: Pkcs12Password;
  readonly budget: DerivationBudget;
  readonly keys: Pkcs12KeyBag[];
  readonly certificates: Pkcs12CertificateBag[];
  readonly others: Uint8Array[];
  bags: number;
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

async function readSafe(reading: ReadState, element: DerElement): Promise<void> {
  const { type, content } = readContentInfo(element);
  if (type === OID.pkcs7Data)
    return await readBags(reading, { contents: parseDer(readOctetString(content)), depth: 0 });
  if (type !== OID.pkcs7EncryptedData) {
    throw new PkiError('unsupported-algorithm', 'PKCS #12 contents protected with a public key are not supported.');
  }
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

/** About one wrong password in 256 passes the padding check and yields malformed content. */
function parseDecrypted(plain: Uint8Array): DerElement {
  try {
    const element = parseDer(plain);
    if (element.tag === TAG.sequence) return element;
  } catch {
    // Reported below: if the result is not DER, it was decrypted with the wrong key.
  }
  throw new PkiError('wrong-password', 'The PKCS #12 password is wrong.');
}

async function readBags(reading: ReadState, safe: { contents: DerElement; depth: number }): Promise<void> {
  if (safe.depth > MAX_NESTING) throw new DerError('too-deep', safe.contents.start);
  const bags = openElement(safe.contents, TAG.sequence);
  while (!bags.atEnd) {
    if (++reading.bags > MAX_BAGS) throw new DerError('too-many-elements', bags.offset);
    const bag = bags.next();
    const cursor = openElement(bag, TAG.sequence);
    const type = readOid(cursor.next());
    const value = explicitContent(cursor.take(0xa0));
    const attributes = readBagAttributes(cursor.optional(TAG.set));
    cursor.finish();
    switch (type) {
      case OID.pkcs12KeyBag:
        // Copy the key, because the reader may zero it.
        reading.keys.push({ pkcs8: elementBytes(value).slice(), ...attributes });
        break;
      case OID.pkcs12ShroudedKeyBag:
        reading.keys.push({ pkcs8: await decryptPrivateKeyPart(elementBytes(value), reading), ...attributes });
        break;
      case OID.pkcs12CertBag:
        reading.certificates.push({ certificate: readCertBag(value), ...attributes });
        break;
      case OID.pkcs12SafeContentsBag:
        await readBags(reading, { contents: value, depth: safe.depth + 1 });
        break;
      default:
        reading.others.push(elementBytes(bag));
    }
  }
}

function readCertBag(element: DerElement): Uint8Array {
  const cursor = openElement(element, TAG.sequence);
  const type = readOid(cursor.next());
  const value = explicitContent(cursor.take(0xa0));
  cursor.finish();
  if (type !== OID.pkcs9X509Certificate)
    throw new PkiError('unsupported-algorithm', 'Only X.509 certificates are supported.');
  return readOctetString(value);
}

function readBagAttributes(set: DerElement | undefined): Pkcs12Attributes {
  let friendlyName: string | undefined;
  let localKeyId: string | undefined;
  let isTrusted = false;
  const others: Uint8Array[] = [];
  if (set !== undefined) {
    const cursor = new DerCursor(set);
    while (!cursor.atEnd) {
      const attribute = cursor.next();
      const pair = openElement(attribute, TAG.sequence);
      const type = readOid(pair.next());
      const values = pair.open(TAG.set);
      pair.finish();
      if (values.atEnd) continue;
      const value = values.next();
      if (type === OID.friendlyName) friendlyName = decodeText(value.tag, contentBytes(value));
      else if (type === OID.localKeyId && value.tag === TAG.octetString) localKeyId = contentBytes(value).toHex();
      else if (type === OID.oracleTrustedKeyUsage) isTrusted = true;
      else others.push(elementBytes(attribute));
    }
  }
  return { friendlyName, localKeyId, isTrusted, others };
}
