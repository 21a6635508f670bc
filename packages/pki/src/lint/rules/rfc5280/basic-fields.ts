// Basic fields except names and key: version, serial number, validity, signature algorithm (RFC 5280 §4.1).
import { readChildren, type DerElement } from '../../../der/reader.ts';
import { equalBytes } from '../../../bytes.ts';
import { OID } from '../../../oids.ts';
import { isEmptyName } from '../../../names.ts';
import { keyFitsAlgorithm } from '../../../keys.ts';
import { resolveSignatureAlgorithm, signatureAlgorithm } from '../../../algorithms.ts';
import { TAG } from '../../../der/tags.ts';
import { withParameters, type CertificateRules, type LintSubject } from '../../certificate-rule.ts';
import type { Certificate } from '../../../x509/certificate.ts';
import type { KeyFamily } from '../../../keys.ts';

const YEAR_2050_MS = Date.UTC(2050, 0, 1);
const VERSION = 0xa0;
const UNIQUE_IDENTIFIERS: readonly number[] = [0x81, 0x82];
const EXTENSIONS = 0xa3;

/** TBSCertificate fields after the version. */
const fields = (subject: LintSubject): DerElement[] => subject.fields.filter(({ tag }) => tag !== VERSION);

/** Tags of the two validity times as encoded. */
function timeTags(subject: LintSubject): (number | undefined)[] {
  const validity = fields(subject)[3]; // Validity follows the serial number, signature and issuer.
  const times = validity === undefined ? [] : readChildren(validity);
  return [times[0]?.tag, times[1]?.tag];
}

const timeTag = (epochMs: number): number => (epochMs < YEAR_2050_MS ? TAG.utcTime : TAG.generalizedTime);

const hasBrokenDigest = ({ signatureAlgorithmName }: Certificate): boolean =>
  /^(?:MD5|SHA1)with/.test(signatureAlgorithmName);

/** Key types for encryption and key agreement only. */
const NOT_SIGNING: ReadonlySet<KeyFamily> = new Set<KeyFamily>(['ML-KEM', 'X25519', 'X448', 'DH']);

export const BASIC_FIELDS = {
  'version-3': {
    demand: 'A certificate with extensions must be X.509 version 3.',
    remedy: 'Issue the certificate as X.509 version 3.',
    citation: 'RFC 5280 §4.1.2.1',
    severity: 'error',
    field: 'version',
    violates: ({ certificate }) => certificate.extensions.length > 0 && certificate.version !== 3,
  },
  'serial-positive': {
    demand: 'The serial number must be a positive integer.',
    remedy: 'Issue the certificate with a serial number greater than zero.',
    citation: 'RFC 5280 §4.1.2.2',
    severity: 'error',
    field: 'serialNumber',
    violates: ({ certificate }) => /^(?:-|0$)/.test(certificate.serialNumber),
  },
  'serial-length': {
    demand: 'The serial number must not be longer than 20 bytes.',
    remedy: 'Use a serial number of at most 20 bytes, including the sign bit.',
    citation: 'RFC 5280 §4.1.2.2',
    severity: 'error',
    field: 'serialNumber',
    violates: ({ certificate }) => certificate.serialBytes.length > 20,
  },
  'serial-entropy': withParameters({
    demand: 'The serial number should be long enough for 64 random bits.',
    remedy: 'Configure the CA to generate serial numbers with at least 64 bits from a random generator.',
    citation: 'CA/Browser Forum BR §7.1.2.7',
    severity: 'warning',
    field: 'serialNumber',
    parameters: { minOctets: 8 },
    violates: ({ certificate }, { minOctets }) => certificate.serialBytes.length < minOctets,
  }),
  'validity-order': {
    demand: 'The validity period must not end before it begins.',
    remedy: 'Correct the dates: notAfter is before notBefore.',
    citation: 'RFC 5280 §4.1.2.5',
    severity: 'error',
    field: 'validity',
    violates: ({ certificate }) => certificate.notAfterMs < certificate.notBeforeMs,
  },
  'validity-encoding': {
    demand: 'Times through the year 2049 must be encoded as UTCTime, later ones as GeneralizedTime.',
    remedy: 'Encode the date in the type required for its year.',
    citation: 'RFC 5280 §4.1.2.5',
    severity: 'error',
    field: 'validity',
    violates: (subject) => {
      const { notBeforeMs, notAfterMs } = subject.certificate;
      const [notBefore, notAfter] = timeTags(subject);
      return notBefore !== timeTag(notBeforeMs) || notAfter !== timeTag(notAfterMs);
    },
  },
  'validity-within-issuer': {
    demand: 'A certificate should not expire after its issuer.',
    remedy: 'Issue it with a shorter validity period, or renew the CA certificate first.',
    citation: 'RFC 5280 §6.1.3 (a)(2)',
    severity: 'warning',
    field: 'validity.notAfter',
    appliesTo: ['issued'],
    violates: ({ certificate, issuer }) => issuer !== undefined && certificate.notAfterMs > issuer.notAfterMs,
  },
  'unique-identifiers-absent': {
    demand: 'A certificate must not contain unique identifiers for its issuer or subject.',
    remedy: 'Omit the unique identifiers.',
    citation: 'RFC 5280 §4.1.2.8',
    severity: 'error',
    field: 'uniqueIdentifiers',
    violates: (subject) => fields(subject).some(({ tag }) => UNIQUE_IDENTIFIERS.includes(tag)),
  },
  'extensions-not-empty': {
    demand: 'The extensions field must be omitted if there are no extensions.',
    remedy: 'Omit the field, or add extensions.',
    citation: 'RFC 5280 §4.1.2.9',
    severity: 'error',
    field: 'extensions',
    violates: (subject) =>
      subject.certificate.extensions.length === 0 && fields(subject).some(({ tag }) => tag === EXTENSIONS),
  },
  'signature-digest': {
    demand: 'MD5 and SHA-1 must not be used for signatures.',
    remedy: 'Sign with SHA-256 or stronger.',
    citation: 'RFC 6194 §3; RFC 6151 §2',
    severity: 'error',
    field: 'signature',
    violates: ({ certificate, isRoot }) => !isRoot && hasBrokenDigest(certificate),
  },
  'self-signature-digest': {
    demand: 'The self-signature of a root should not use MD5 or SHA-1, although path validation does not check it.',
    remedy: 'No action is required. Use SHA-256 or stronger for the next root.',
    citation: 'RFC 5280 §6.1; RFC 6194 §3; RFC 6151 §2',
    severity: 'notice',
    field: 'signature',
    appliesTo: ['authority'],
    violates: ({ certificate, isRoot }) => isRoot && hasBrokenDigest(certificate),
  },
  'signature-algorithms-equal': {
    demand: 'The signature algorithm must be encoded identically inside and outside the signed part.',
    remedy: 'Encode the NULL parameters of RSA signature algorithms in both places.',
    citation: 'RFC 5280 §4.1.1.2',
    severity: 'error',
    field: 'signature',
    violates: ({ certificate }) => !certificate.hasEqualAlgorithms,
  },
  'signature-fits-issuer': {
    demand: "The signature algorithm must match the type of the issuer's key.",
    remedy: "Sign with an algorithm for the issuer's key type.",
    citation: 'RFC 5280 §4.1.1.2',
    severity: 'error',
    field: 'signature',
    appliesTo: ['issued'],
    violates: ({ certificate, issuer }) =>
      issuer !== undefined &&
      !keyFitsAlgorithm(issuer.publicKey, resolveSignatureAlgorithm(certificate.signatureAlgorithm)),
  },
  'subscriber-not-self-issued': {
    demand: 'An end-entity certificate should have a different subject than its issuer.',
    remedy: 'Have the certificate issued by a CA, which can also revoke it.',
    citation: 'RFC 5280 §3.2',
    severity: 'warning',
    field: 'issuer',
    appliesTo: ['subscriber'],
    // A key that cannot sign has a different issuer, even if the names match.
    violates: ({ certificate }) =>
      !isEmptyName(certificate.subject) && certificate.isSelfIssued && !NOT_SIGNING.has(certificate.publicKey.family),
  },
  'signature-parameters': {
    demand: 'The signature algorithm must have exactly the parameters that its definition requires.',
    remedy: 'Encode the algorithm identifier as its RFC specifies.',
    citation: 'RFC 4055 §5; RFC 5758 §3.2; RFC 8410 §3; RFC 9881 §2; RFC 9909 §3',
    severity: 'error',
    field: 'signature',
    violates: ({ certificate }) => {
      const { oid, der } = certificate.signatureAlgorithm;
      if (oid === OID.rsaPss) return false; // PSS parameters select digest and salt, so multiple encodings are correct.
      const defined = signatureAlgorithm(certificate.signatureAlgorithmName);
      return oid === defined.oid && !equalBytes(der, defined.der);
    },
  },
} satisfies CertificateRules;
