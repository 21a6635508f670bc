// Reads certificates from an uploaded file in any format: DER, PEM with any number of blocks, PKCS #7, and the Base64
// encoding of each of these. Private keys and other objects are rejected with a message that identifies them, and are
// never stored.
import {
  formsOf,
  MAX_PEM_BLOCKS,
  readCertificateFile,
  type CertificateFile,
  type FoundCertificate,
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
  const file = readCertificateFile(text, { maxEntries: MAX_PEM_BLOCKS });
  rejectOthers(file);
  const { certificates } = file;
  if (certificates.length === 0) throw invalid('the file contains no certificate');
  if (certificates.length > MAX_CERTIFICATES)
    throw invalid(`the file contains more than ${MAX_CERTIFICATES} certificates`);
  const different = new Map<string, { readonly found: FoundCertificate; readonly place: number }>();
  for (const [index, found] of certificates.entries()) {
    const fingerprint = sha256Hex(found.der);
    if (!different.has(fingerprint)) different.set(fingerprint, { found, place: index + 1 });
  }
  const kept = [...different.values()];
  const octets = kept.reduce((sum, { found }) => sum + found.der.length, 0);
  if (octets > MAX_TOTAL_BYTES)
    throw invalid(`the certificates in the file are larger than ${MAX_TOTAL_BYTES} bytes in total`);
  return kept.map(({ found, place }) => {
    const what = certificates.length === 1 ? 'certificate' : `certificate ${place} of ${certificates.length}`;
    const read = readBounded(found.der, codes, what);
    const forms = formsOf(found, read.certificate);
    return forms.length === 0 ? read : { ...read, forms };
  });
}

/** Rejects a file that contains anything but certificates. */
function rejectOthers({ unreadable: [unreadable], others: [other], isCut }: CertificateFile): void {
  if (isCut) throw invalid(`the file contains more than ${MAX_PEM_BLOCKS} certificates and other blocks`);
  if (unreadable) throw invalid(lowerFirst(unreadable.reason).replace(/\.$/, ''));
  if (!other) return;
  throw other.label === undefined
    ? rejected(
        'certificate: the file is PKCS #12 or a private key; export only the certificate, as PEM, DER or PKCS #7, and upload that',
      )
    : rejected(
        `certificate: the file contains a PEM block of type ${other.label}; upload only certificates or PKCS #7`,
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

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const invalid = (problem: string, what = 'certificate') =>
  new AppError('invalid_fields', { problems: [`${what}: ${problem}`] });
