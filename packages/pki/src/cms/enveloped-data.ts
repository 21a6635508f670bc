// Decoding of EnvelopedData (RFC 5652 §6) and AuthEnvelopedData (RFC 5083). For decryption, see open-envelope.ts.
import {
  contentBytes,
  DerCursor,
  expectTag,
  explicitContent,
  openElement,
  parseDer,
  readBitStringBytes,
  readIntegerBetween,
  readOctetString,
  readOid,
  type DerElement,
} from '../der/reader.ts';
import { bitStringPart, constructed, encodeDer, sequence } from '../der/writer.ts';
import { concatBytes } from '../bytes.ts';
import { DerError } from '../errors.ts';
import { readAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import { readAttributes } from '../x509/attributes.ts';
import {
  readCertificateIdentifier,
  readIssuerAndSerial,
  type CertificateIdentifier,
} from './certificate-identifier.ts';
import { readKemRecipient, type KemRecipient } from './kem-recipient.ts';
import { TAG } from '../der/tags.ts';

/** Maximum number of recipients, far more than in any protocol message. */
const MAX_RECIPIENTS = 100;

export interface KeyTransportRecipient {
  readonly kind: 'keyTransport';
  readonly identifier: CertificateIdentifier;
  readonly algorithm: AlgorithmIdentifier;
  readonly encryptedKey: Uint8Array;
}

export interface KeyAgreementRecipient {
  readonly kind: 'keyAgreement';
  /** The sender's ephemeral public key; `undefined` if the sender used a certificate's key, which is not supported. */
  readonly originator: { readonly algorithm: AlgorithmIdentifier; readonly keyBytes: Uint8Array } | undefined;
  readonly userKeyingMaterial: Uint8Array | undefined;
  readonly algorithm: AlgorithmIdentifier;
  readonly keys: readonly { readonly identifier: CertificateIdentifier; readonly encryptedKey: Uint8Array }[];
}

export interface PasswordRecipient {
  readonly kind: 'password';
  readonly derivation: AlgorithmIdentifier | undefined;
  readonly algorithm: AlgorithmIdentifier;
  readonly encryptedKey: Uint8Array;
}

/** An unsupported recipient type: a shared key-encryption key (§6.2.3), or an unknown type added later. */
export interface OtherRecipient {
  readonly kind: 'other';
}

export type Recipient =
  KeyTransportRecipient | KeyAgreementRecipient | KemRecipient | PasswordRecipient | OtherRecipient;

export interface EnvelopedData {
  readonly recipients: readonly Recipient[];
  /** Type of the encrypted content: `OID.pkcs7Data` for arbitrary data. */
  readonly contentType: string;
  readonly algorithm: AlgorithmIdentifier;
  readonly encryptedContent: Uint8Array;
  /** AuthEnvelopedData only: the tag, and the encoded SET of attributes that it also covers. */
  readonly authentication: { readonly tag: Uint8Array; readonly attributes: Uint8Array } | undefined;
}

/**
 * Reads an EnvelopedData in DER. If it has an IMPLICIT tag, pass it as `tag`. Throws `DerError`. See `openContentInfo`.
 */
export function parseEnvelopedData(der: Uint8Array, tag: number = TAG.sequence): EnvelopedData {
  const cursor = openElement(parseDer(der), tag);
  readIntegerBetween(cursor.next(), { min: 0, max: 4 });
  const common = readCommon(cursor);
  cursor.optional(0xa1); // Unprotected attributes are ignored.
  cursor.finish();
  return { ...common, authentication: undefined };
}

/** Reads an AuthEnvelopedData in DER. Throws `DerError`. */
export function parseAuthEnvelopedData(der: Uint8Array, tag: number = TAG.sequence): EnvelopedData {
  const cursor = openElement(parseDer(der), tag);
  readIntegerBetween(cursor.next(), { min: 0, max: 0 });
  const common = readCommon(cursor);
  const attributes = cursor.optional(0xa1);
  const authenticationTag = readOctetString(cursor.next());
  cursor.optional(0xa2);
  cursor.finish();
  return {
    ...common,
    authentication: { tag: authenticationTag, attributes: attributes ? asSet(attributes) : new Uint8Array() },
  };
}

/** Returns the attributes with the SET tag, which is part of the authenticated bytes (RFC 5083 §2.2). */
function asSet(attributes: DerElement): Uint8Array {
  readAttributes(attributes);
  return encodeDer(constructed(TAG.set, [contentBytes(attributes)]));
}

type CommonFields = Omit<EnvelopedData, 'authentication'>;

function readCommon(cursor: DerCursor): CommonFields {
  cursor.optional(0xa0); // originatorInfo: certificates and CRLs from senders that use certificates.
  const recipients: Recipient[] = [];
  const set = cursor.open(TAG.set);
  while (!set.atEnd) {
    if (recipients.length === MAX_RECIPIENTS) throw new DerError('too-many-elements', set.offset);
    recipients.push(readRecipient(set.next()));
  }
  const encrypted = cursor.open(TAG.sequence);
  const contentType = readOid(encrypted.next());
  const algorithm = readAlgorithm(encrypted.next());
  const encryptedContent = readSegments(encrypted.next());
  encrypted.finish();
  return { recipients, contentType, algorithm, encryptedContent };
}

/**
 * Reads an OCTET STRING tagged [0] IMPLICIT. Streaming encoders write it in segments, which remain after its lengths
 * have been made definite.
 */
function readSegments(element: DerElement): Uint8Array {
  if (element.tag !== 0xa0) {
    expectTag(element, 0x80);
    return contentBytes(element);
  }
  const cursor = new DerCursor(element);
  const pieces: Uint8Array[] = [];
  while (!cursor.atEnd) pieces.push(readOctetString(cursor.next()));
  return concatBytes(pieces);
}

function readRecipient(element: DerElement): Recipient {
  switch (element.tag) {
    case TAG.sequence:
      return readKeyTransport(element);
    case 0xa1:
      return readKeyAgreement(element);
    case 0xa3:
      return readPassword(element);
    case 0xa4:
      return readKemRecipient(element) ?? { kind: 'other' };
    case 0xa2:
      return { kind: 'other' };
    default:
      throw new DerError('unexpected-tag', element.start);
  }
}

/** RFC 5652 §6.2.1. */
function readKeyTransport(element: DerElement): KeyTransportRecipient {
  const cursor = new DerCursor(element);
  readIntegerBetween(cursor.next(), { min: 0, max: 2 });
  const identifier = readCertificateIdentifier(cursor.next());
  const algorithm = readAlgorithm(cursor.next());
  const encryptedKey = readOctetString(cursor.next());
  cursor.finish();
  return { kind: 'keyTransport', identifier, algorithm, encryptedKey };
}

/** RFC 5652 §6.2.2. */
function readKeyAgreement(element: DerElement): KeyAgreementRecipient {
  const cursor = new DerCursor(element);
  readIntegerBetween(cursor.next(), { min: 3, max: 3 });
  const originator = readOriginator(explicitContent(cursor.take(0xa0)));
  const material = cursor.optional(0xa1);
  const algorithm = readAlgorithm(cursor.next());
  const list = cursor.open(TAG.sequence);
  cursor.finish();
  const keys: KeyAgreementRecipient['keys'][number][] = [];
  while (!list.atEnd) {
    if (keys.length === MAX_RECIPIENTS) throw new DerError('too-many-elements', list.offset);
    const pair = list.open(TAG.sequence);
    const identifier = readKeyAgreementIdentifier(pair.next());
    const encryptedKey = readOctetString(pair.next());
    pair.finish();
    keys.push({ identifier, encryptedKey });
  }
  const userKeyingMaterial = material && readOctetString(explicitContent(material));
  return { kind: 'keyAgreement', originator, userKeyingMaterial, algorithm, keys };
}

function readOriginator(element: DerElement): KeyAgreementRecipient['originator'] {
  if (element.tag !== 0xa1) {
    readCertificateIdentifier(element);
    return undefined;
  }
  const cursor = new DerCursor(element);
  const algorithm = readAlgorithm(cursor.next());
  const keyBytes = readBitStringBytes(cursor.next());
  cursor.finish();
  return { algorithm, keyBytes };
}

function readKeyAgreementIdentifier(element: DerElement): CertificateIdentifier {
  if (element.tag !== 0xa0) return readIssuerAndSerial(element);
  const cursor = new DerCursor(element);
  const keyIdentifier = readOctetString(cursor.next());
  cursor.optional(TAG.generalizedTime);
  cursor.optional(TAG.sequence);
  cursor.finish();
  return { kind: 'subjectKeyIdentifier', keyIdentifier };
}

/** RFC 5652 §6.2.4. */
function readPassword(element: DerElement): PasswordRecipient {
  const cursor = new DerCursor(element);
  readIntegerBetween(cursor.next(), { min: 0, max: 0 });
  const derivation = cursor.optional(0xa0);
  const algorithm = readAlgorithm(cursor.next());
  const encryptedKey = readOctetString(cursor.next());
  cursor.finish();
  return { kind: 'password', derivation: derivation && readImplicitAlgorithm(derivation), algorithm, encryptedKey };
}

/** Reads an AlgorithmIdentifier tagged [0] IMPLICIT. */
function readImplicitAlgorithm(element: DerElement): AlgorithmIdentifier {
  return readAlgorithm(parseDer(encodeDer(constructed(TAG.sequence, [contentBytes(element)]))));
}

/**
 * Returns an originator's SubjectPublicKeyInfo, whose AlgorithmIdentifier may omit the parameters (RFC 5753 §3.1.1).
 */
export function originatorSpki(
  { keyBytes }: { readonly keyBytes: Uint8Array },
  recipient: AlgorithmIdentifier,
): Uint8Array {
  return encodeDer(sequence([recipient.der, bitStringPart(keyBytes)]));
}
