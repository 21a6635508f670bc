// The basic fields except names and key: version, serial number, validity, signature algorithm (RFC 5280 §4.1).
import { parseDer, readChildren, type DerElement } from '../../der/reader.ts';
import { equalBytes } from '../../bytes.ts';
import { OID } from '../../oids.ts';
import { signatureAlgorithm } from '../../algorithms.ts';
import { TAG } from '../../der/tags.ts';
import { withParameters, type CertificateRuleGroup, type LintSubject } from '../certificate-rule.ts';

const YEAR_2050_MS = Date.UTC(2050, 0, 1);
const VERSION = 0xa0;
const UNIQUE_IDENTIFIERS: readonly number[] = [0x81, 0x82];
const EXTENSIONS = 0xa3;

/** The fields of the TBSCertificate after the version. */
function fields({ certificate }: LintSubject): DerElement[] {
  return readChildren(parseDer(certificate.tbs)).filter(({ tag }) => tag !== VERSION);
}

/** Tags of the two times as encoded. */
function timeTags(subject: LintSubject): (number | undefined)[] {
  const validity = fields(subject)[3]; // after serial number, signature and issuer
  const times = validity === undefined ? [] : readChildren(validity);
  return [times[0]?.tag, times[1]?.tag];
}

const timeTag = (epochMs: number): number => (epochMs < YEAR_2050_MS ? TAG.utcTime : TAG.generalizedTime);

export const BASIC_FIELDS = {
  name: 'Basic fields',
  description: 'Version, serial number, validity and signature algorithm',
  rules: {
    'version-3': {
      demand: 'A certificate with extensions must have version 3.',
      citation: 'RFC 5280 §4.1.2.1',
      severity: 'error',
      violates: ({ certificate }) => certificate.extensions.length > 0 && certificate.version !== 3,
    },
    'serial-positive': {
      demand: 'The serial number must be a positive integer.',
      citation: 'RFC 5280 §4.1.2.2',
      severity: 'error',
      violates: ({ certificate }) => /^(?:-|0$)/.test(certificate.serialNumber),
    },
    'serial-length': {
      demand: 'The serial number must not be longer than 20 octets.',
      citation: 'RFC 5280 §4.1.2.2',
      severity: 'error',
      violates: ({ certificate }) => certificate.serialBytes.length > 20,
    },
    'serial-entropy': withParameters({
      demand: 'The serial number should be long enough to hold 64 random bits.',
      citation: 'CA/Browser Forum BR §7.1.2',
      severity: 'warning',
      parameters: { minOctets: 8 },
      violates: ({ certificate }, { minOctets }) => certificate.serialBytes.length < minOctets,
    }),
    'validity-order': {
      demand: 'The validity period must not end before it starts.',
      citation: 'RFC 5280 §4.1.2.5',
      severity: 'error',
      violates: ({ certificate }) => certificate.notAfterMs < certificate.notBeforeMs,
    },
    'validity-encoding': {
      demand: 'Times through the year 2049 must be encoded as UTCTime, later ones as GeneralizedTime.',
      citation: 'RFC 5280 §4.1.2.5',
      severity: 'error',
      violates: (subject) => {
        const { notBeforeMs, notAfterMs } = subject.certificate;
        const [notBefore, notAfter] = timeTags(subject);
        return notBefore !== timeTag(notBeforeMs) || notAfter !== timeTag(notAfterMs);
      },
    },
    'validity-within-issuer': {
      demand: 'A certificate should not outlive its issuer.',
      citation: 'RFC 5280 §6.1.3 (a)(2)',
      severity: 'warning',
      appliesTo: ['issued'],
      violates: ({ certificate, issuer }) => issuer !== undefined && certificate.notAfterMs > issuer.notAfterMs,
    },
    'unique-identifiers-absent': {
      demand: 'A certificate must not have unique identifiers for its issuer or subject.',
      citation: 'RFC 5280 §4.1.2.8',
      severity: 'error',
      violates: (subject) => fields(subject).some(({ tag }) => UNIQUE_IDENTIFIERS.includes(tag)),
    },
    'extensions-not-empty': {
      demand: 'The extensions field must be omitted when there are no extensions.',
      citation: 'RFC 5280 §4.1.2.9',
      severity: 'error',
      violates: (subject) =>
        subject.certificate.extensions.length === 0 && fields(subject).some(({ tag }) => tag === EXTENSIONS),
    },
    'signature-digest': {
      demand: 'MD5 and SHA-1 must not be used for signatures.',
      citation: 'RFC 6194 §3; RFC 6151 §2',
      severity: 'error',
      violates: ({ certificate }) => /^(?:MD5|SHA1)with/.test(certificate.signatureAlgorithmName),
    },
    'signature-parameters': {
      demand: 'The signature algorithm must have exactly the parameters that its definition requires.',
      citation: 'RFC 4055 §5; RFC 5758 §3.2; RFC 8410 §3; RFC 9881 §2; RFC 9909 §3',
      severity: 'error',
      violates: ({ certificate }) => {
        const { oid, der } = certificate.signatureAlgorithm;
        if (oid === OID.rsaPss) return false; // they choose digest and salt, so several are right
        const defined = signatureAlgorithm(certificate.signatureAlgorithmName);
        return oid === defined.oid && !equalBytes(der, defined.der);
      },
    },
  },
} satisfies CertificateRuleGroup;
