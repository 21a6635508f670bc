// The certificates of an uploaded file, whatever form it has: DER, PEM with any number of blocks, PKCS#7, and Base64 of
// each of these. Private keys and other objects are refused by name, never kept.
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

/** The largest bundles, stores of trusted roots, have about 150. */
export const MAX_CERTIFICATES = 500;
/** Certificates with the largest keys and signatures in use have some 60 KB. */
const MAX_CERTIFICATE_BYTES = 256 * 1024;
/** Of a file. Reading them all takes less than a second, however they are made; 500 ordinary ones have 1 MiB. */
const MAX_TOTAL_BYTES = 4 * 1024 * 1024;
/**
 * Of a file as it is sent: as many octets, in Base64 of PEM. Longer ones are refused before they are copied to the
 * thread that would read them.
 */
const MAX_TEXT_LENGTH = 8 * 1024 * 1024;
/** Index entries of PostgreSQL hold 2,704 bytes; names of real issuers have a few hundred. */
const MAX_NAME_BYTES = 2_500;
/** A file may be Base64 of a PEM or of Base64 text; nobody wraps it more often. */
const MAX_WRAPPINGS = 2;

/** Refuses a file that cannot be read within the bounds, whatever it holds. Throws `invalid_fields`. */
export function refuseLongUpload(text: string): void {
  if (text.length > MAX_TEXT_LENGTH) throw invalid(`the file is longer than ${MAX_TEXT_LENGTH} characters`);
}

/**
 * Certificates in the order of the file, each once. Throws `invalid_fields`, or `rejected_by_rules` for other kinds of
 * files.
 */
export function readUpload(text: string, codes?: NameCodes): ReadCertificate[] {
  refuseLongUpload(text);
  const ders = refusingBroken(() => dersOfText(text, MAX_WRAPPINGS));
  if (ders.length === 0) throw invalid('the file holds no certificate');
  if (ders.length > MAX_CERTIFICATES) throw invalid(`the file holds more than ${MAX_CERTIFICATES} certificates`);
  const different = new Map(ders.map((der, place) => [sha256Hex(der), { der, place }]));
  const octets = different.values().reduce((sum, { der }) => sum + der.length, 0);
  if (octets > MAX_TOTAL_BYTES)
    throw invalid(`the certificates of the file are larger than ${MAX_TOTAL_BYTES} bytes in total`);
  return [...different.values()].map(({ der, place }) =>
    readBounded(der, codes, ders.length === 1 ? 'certificate' : `certificate ${place + 1} of ${ders.length}`),
  );
}

/** A certificate that the inventory can hold; `what` is what it is called in a refusal. */
export function readBounded(der: Uint8Array, codes?: NameCodes, what = 'certificate'): ReadCertificate {
  if (der.length > MAX_CERTIFICATE_BYTES) throw invalid(`it is larger than ${MAX_CERTIFICATE_BYTES} bytes`, what);
  const certificate = readCertificate(der, codes, what);
  const { subject_dn_normalized: subject, issuer_dn_normalized: issuer } = certificate.facts;
  if ([subject, issuer ?? ''].some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES))
    throw invalid(`the name of the subject or issuer is longer than ${MAX_NAME_BYTES} bytes`, what);
  return certificate;
}

function dersOfText(text: string, wrappings: number): Uint8Array[] {
  if (text.includes('-----BEGIN')) return readPem(text).flatMap(dersOfBlock);
  const octets = fromBase64(text);
  if (octets[0] === TAG.sequence && !isText(octets)) return dersOfDer(octets);
  const wide = utf16Text(octets);
  const inner = wide ?? Buffer.from(octets).toString('latin1');
  // What stands around the blocks of a PEM file may be in any encoding; tools write names there.
  const isReadable = wide !== undefined || isText(octets) || inner.includes('-----BEGIN');
  if (wrappings === 0 || !isReadable) throw invalid('the file is neither a certificate in DER or PEM nor PKCS#7');
  return dersOfText(inner, wrappings - 1);
}

const isText = (octets: Uint8Array): boolean =>
  octets.every((octet) => (octet >= 0x20 && octet < 0x7f) || octet === 0x0a || octet === 0x0d || octet === 0x09);

const certificateLabels: readonly string[] = PEM_LABELS.certificate;
const pkcs7Labels: readonly string[] = PEM_LABELS.pkcs7;

function dersOfBlock({ label, der }: { readonly label: string; readonly der: Uint8Array }): Uint8Array[] {
  if (certificateLabels.includes(label)) return [der];
  if (pkcs7Labels.includes(label)) return readPkcs7(der);
  throw rejected(`certificate: the file holds a PEM block of type ${label}; upload certificates or PKCS#7 only`);
}

/**
 * Tells the kinds of files apart by their first member: a certificate begins with a SEQUENCE, PKCS#7 with an
 * identifier.
 */
function dersOfDer(padded: Uint8Array): Uint8Array[] {
  const octets = withoutPadding(padded);
  switch (firstMemberTag(octets)) {
    case TAG.oid:
      return readPkcs7(octets);
    case TAG.integer:
      throw rejected(
        'certificate: the file is PKCS#12 or a private key; export the certificate alone, as PEM, DER or PKCS#7, and upload that',
      );
    default:
      return [octets];
  }
}

/** An indefinite length (BER) has no place in a certificate, so it can only be PKCS#7 or PKCS#12. */
function firstMemberTag(octets: Uint8Array): number {
  return octets[1] === 0x80 ? (octets[2] ?? 0) : openDer(octets).peekTag();
}

function refusingBroken<Result>(work: () => Result): Result {
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
