// Reads certificates from an uploaded file in any format: DER, PEM with any number of blocks, PKCS #7, and the Base64
// encoding of each of these. Private keys and other objects are rejected with a message that identifies them, and are
// never stored.
import {
  fromBase64,
  isPkiError,
  openDer,
  PEM_LABELS,
  readPem,
  readPkcs7,
  TAG,
  utf16Text,
  withoutPadding,
  type NameCodes,
} from '@signetry/pki';
import { AppError, rejected } from '../../../kernel/errors.ts';
import { readCertificate, sha256Hex, type ReadCertificate } from '../read-certificate.ts';

/** The largest bundles are root stores, which contain about 150 certificates. */
export const MAX_CERTIFICATES = 500;
/** Certificates with the largest keys and signatures in use are about 60 KB long. */
const MAX_CERTIFICATE_BYTES = 256 * 1024;
/**
 * Limit per file. Reading that many bytes takes less than a second regardless of their content; 500 typical
 * certificates are 1 MiB long.
 */
const MAX_TOTAL_BYTES = 4 * 1024 * 1024;
/**
 * Limit per file as sent, in characters: sufficient for the same number of bytes in Base64-encoded PEM. Longer files
 * are rejected before they are copied to the reader thread.
 */
const MAX_TEXT_LENGTH = 8 * 1024 * 1024;
/** PostgreSQL index entries hold up to 2,704 bytes; real issuers' names are a few hundred bytes long. */
const MAX_NAME_BYTES = 2_500;
/** A file can be the Base64 encoding of PEM or of Base64 text. Deeper nesting does not occur. */
const MAX_WRAPPINGS = 2;

/**
 * Rejects a file that is too long to be read within the limits, regardless of its contents. Throws `invalid_fields`.
 */
export function rejectLongUpload(text: string): void {
  if (text.length > MAX_TEXT_LENGTH) throw invalid(`the file is longer than ${MAX_TEXT_LENGTH} characters`);
}

/**
 * Returns the certificates in file order, without duplicates. Throws `invalid_fields`, or `rejected_by_rules` for other
 * kinds of files.
 */
export function readUpload(text: string, codes?: NameCodes): ReadCertificate[] {
  rejectLongUpload(text);
  const ders = rejectMalformed(() => dersOfText(text, MAX_WRAPPINGS));
  if (ders.length === 0) throw invalid('the file contains no certificate');
  if (ders.length > MAX_CERTIFICATES) throw invalid(`the file contains more than ${MAX_CERTIFICATES} certificates`);
  const different = new Map(ders.map((der, place) => [sha256Hex(der), { der, place }]));
  const octets = different.values().reduce((sum, { der }) => sum + der.length, 0);
  if (octets > MAX_TOTAL_BYTES)
    throw invalid(`the certificates in the file are larger than ${MAX_TOTAL_BYTES} bytes in total`);
  return [...different.values()].map(({ der, place }) =>
    readBounded(der, codes, ders.length === 1 ? 'certificate' : `certificate ${place + 1} of ${ders.length}`),
  );
}

/** Returns a certificate that the inventory can store. `what` is the certificate's name in error messages. */
export function readBounded(der: Uint8Array, codes?: NameCodes, what = 'certificate'): ReadCertificate {
  if (der.length > MAX_CERTIFICATE_BYTES) throw invalid(`it is larger than ${MAX_CERTIFICATE_BYTES} bytes`, what);
  const certificate = readCertificate(der, codes, what);
  const { subject_dn_normalized: subject, issuer_dn_normalized: issuer } = certificate.facts;
  if ([subject, issuer ?? ''].some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES))
    throw invalid(`the subject or issuer name is longer than ${MAX_NAME_BYTES} bytes`, what);
  return certificate;
}

function dersOfText(text: string, wrappings: number): Uint8Array[] {
  if (text.includes('-----BEGIN')) return readPem(text).flatMap(dersOfBlock);
  const octets = fromBase64(text);
  if (octets[0] === TAG.sequence && !isText(octets)) return dersOfDer(octets);
  const wide = utf16Text(octets);
  const inner = wide ?? Buffer.from(octets).toString('latin1');
  // The text around the blocks in a PEM file can have any encoding. Tools write names there.
  const isReadable = wide !== undefined || isText(octets) || inner.includes('-----BEGIN');
  if (wrappings === 0 || !isReadable) throw invalid('the file must contain a certificate in DER or PEM, or PKCS #7');
  return dersOfText(inner, wrappings - 1);
}

const isText = (octets: Uint8Array): boolean =>
  octets.every((octet) => (octet >= 0x20 && octet < 0x7f) || octet === 0x0a || octet === 0x0d || octet === 0x09);

const certificateLabels: readonly string[] = PEM_LABELS.certificate;
const pkcs7Labels: readonly string[] = PEM_LABELS.pkcs7;

function dersOfBlock({ label, der }: { readonly label: string; readonly der: Uint8Array }): Uint8Array[] {
  if (certificateLabels.includes(label)) return [der];
  if (pkcs7Labels.includes(label)) return readPkcs7(der);
  throw rejected(`certificate: the file contains a PEM block of type ${label}; upload only certificates or PKCS #7`);
}

/**
 * Distinguishes the kinds of files by their first member: a certificate begins with a SEQUENCE, PKCS #7 with an object
 * identifier.
 */
function dersOfDer(padded: Uint8Array): Uint8Array[] {
  const octets = withoutPadding(padded);
  switch (firstMemberTag(octets)) {
    case TAG.oid:
      return readPkcs7(octets);
    case TAG.integer:
      throw rejected(
        'certificate: the file is PKCS #12 or a private key; export only the certificate, as PEM, DER or PKCS #7, and upload that',
      );
    default:
      return [octets];
  }
}

/** Certificates must not use indefinite lengths (BER), so a file that does can only be PKCS #7 or PKCS #12. */
function firstMemberTag(octets: Uint8Array): number {
  return octets[1] === 0x80 ? (octets[2] ?? 0) : openDer(octets).peekTag();
}

function rejectMalformed<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (isPkiError(error)) throw invalid(lowerFirst(error.message).replace(/\.$/, ''), 'certificate', error);
    throw error;
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const invalid = (problem: string, what = 'certificate', cause?: unknown) =>
  new AppError('invalid_fields', { problems: [`${what}: ${problem}`] }, { cause });
