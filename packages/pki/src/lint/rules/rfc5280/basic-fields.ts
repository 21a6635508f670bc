// The basic fields except names and key: version, serial number, validity, signature algorithm (RFC 5280 §4.1).
import { readChildren, type DerElement } from '../../../der/reader.ts';
import { equalBytes } from '../../../bytes.ts';
import { OID } from '../../../oids.ts';
import { isEmptyName } from '../../../names.ts';
import { keyFitsAlgorithm } from '../../../keys.ts';
import { resolveSignatureAlgorithm, signatureAlgorithm } from '../../../algorithms.ts';
import { TAG } from '../../../der/tags.ts';
import { withParameters, type CertificateRules, type LintSubject } from '../../certificate-rule.ts';

const YEAR_2050_MS = Date.UTC(2050, 0, 1);
const VERSION = 0xa0;
const UNIQUE_IDENTIFIERS: readonly number[] = [0x81, 0x82];
const EXTENSIONS = 0xa3;

/** The fields of the TBSCertificate after the version. */
const fields = (subject: LintSubject): DerElement[] => subject.fields.filter(({ tag }) => tag !== VERSION);

/** Tags of the two times as encoded. */
function timeTags(subject: LintSubject): (number | undefined)[] {
  const validity = fields(subject)[3]; // after serial number, signature and issuer
  const times = validity === undefined ? [] : readChildren(validity);
  return [times[0]?.tag, times[1]?.tag];
}

const timeTag = (epochMs: number): number => (epochMs < YEAR_2050_MS ? TAG.utcTime : TAG.generalizedTime);

export const BASIC_FIELDS = {
  'version-3': {
    demand: 'A certificate with extensions must have version 3.',
    remedy: 'Issue the certificate with version 3.',
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
    demand: 'The serial number must not be longer than 20 octets.',
    remedy: 'Use a serial number of at most 20 octets, the sign bit included.',
    citation: 'RFC 5280 §4.1.2.2',
    severity: 'error',
    field: 'serialNumber',
    violates: ({ certificate }) => certificate.serialBytes.length > 20,
  },
  'serial-entropy': withParameters({
    demand: 'The serial number should be long enough to hold 64 random bits.',
    remedy: 'Have the CA take serial numbers of 64 or more bits from a random generator.',
    citation: 'CA/Browser Forum BR §7.1.2.7',
    severity: 'warning',
    field: 'serialNumber',
    parameters: { minOctets: 8 },
    violates: ({ certificate }, { minOctets }) => certificate.serialBytes.length < minOctets,
  }),
  'validity-order': {
    demand: 'The validity period must not end before it starts.',
    remedy: 'Correct the dates: the end is before the start.',
    citation: 'RFC 5280 §4.1.2.5',
    severity: 'error',
    field: 'validity',
    violates: ({ certificate }) => certificate.notAfterMs < certificate.notBeforeMs,
  },
  'validity-encoding': {
    demand: 'Times through the year 2049 must be encoded as UTCTime, later ones as GeneralizedTime.',
    remedy: 'Encode the date in the type that its year requires.',
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
    demand: 'A certificate should not outlive its issuer.',
    remedy: 'Issue it with a shorter validity, or renew the CA first.',
    citation: 'RFC 5280 §6.1.3 (a)(2)',
    severity: 'warning',
    field: 'validity.notAfter',
    appliesTo: ['issued'],
    violates: ({ certificate, issuer }) => issuer !== undefined && certificate.notAfterMs > issuer.notAfterMs,
  },
  'unique-identifiers-absent': {
    demand: 'A certificate must not have unique identifiers for its issuer or subject.',
    remedy: 'Leave the unique identifiers out.',
    citation: 'RFC 5280 §4.1.2.8',
    severity: 'error',
    field: 'uniqueIdentifiers',
    violates: (subject) => fields(subject).some(({ tag }) => UNIQUE_IDENTIFIERS.includes(tag)),
  },
  'extensions-not-empty': {
    demand: 'The extensions field must be omitted when there are no extensions.',
    remedy: 'Leave the field out, or add the extensions.',
    citation: 'RFC 5280 §4.1.2.9',
    severity: 'error',
    field: 'extensions',
    violates: (subject) =>
      subject.certificate.extensions.length === 0 && fields(subject).some(({ tag }) => tag === EXTENSIONS),
  },
  'signature-digest': {
    demand: 'MD5 and SHA-1 must not be used for signatures.',
    remedy: 'Sign with SHA-256 or better.',
    citation: 'RFC 6194 §3; RFC 6151 §2',
    severity: 'error',
    field: 'signature',
    violates: ({ certificate }) => /^(?:MD5|SHA1)with/.test(certificate.signatureAlgorithmName),
  },
  'signature-fits-issuer': {
    demand: 'The signature algorithm must be one for the type of key that the issuer has.',
    remedy: 'Sign with an algorithm of the key of the issuer.',
    citation: 'RFC 5280 §4.1.1.2',
    severity: 'error',
    field: 'signature',
    appliesTo: ['issued'],
    violates: ({ certificate, issuer }) =>
      issuer !== undefined &&
      !keyFitsAlgorithm(issuer.publicKey, resolveSignatureAlgorithm(certificate.signatureAlgorithm)),
  },
  'subscriber-not-self-issued': {
    demand: 'A certificate that is not a CA certificate should have another subject than its issuer.',
    remedy: 'Have the certificate issued by a CA, which can also revoke it.',
    citation: 'RFC 5280 §3.2',
    severity: 'warning',
    field: 'issuer',
    appliesTo: ['subscriber'],
    violates: ({ certificate }) => !isEmptyName(certificate.subject) && certificate.isSelfIssued,
  },
  'signature-parameters': {
    demand: 'The signature algorithm must have exactly the parameters that its definition requires.',
    remedy: 'Encode the algorithm identifier as its RFC prescribes.',
    citation: 'RFC 4055 §5; RFC 5758 §3.2; RFC 8410 §3; RFC 9881 §2; RFC 9909 §3',
    severity: 'error',
    field: 'signature',
    violates: ({ certificate }) => {
      const { oid, der } = certificate.signatureAlgorithm;
      if (oid === OID.rsaPss) return false; // they choose digest and salt, so several are right
      const defined = signatureAlgorithm(certificate.signatureAlgorithmName);
      return oid === defined.oid && !equalBytes(der, defined.der);
    },
  },
} satisfies CertificateRules;
