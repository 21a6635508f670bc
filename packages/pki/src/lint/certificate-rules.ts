// Lint rules on the basic fields: serial number, validity, version, names, key, signature algorithm (RFC 5280 §4.1).
import { checkKeyPolicy } from '../keys.ts';
import { DerCursor, openElement, parseDer } from '../der/reader.ts';
import { equalBytes } from '../bytes.ts';
import { isEmptyName, type NameAttribute } from '../names.ts';
import { OID } from '../oids.ts';
import { TAG } from '../der/tags.ts';
import { when, type LintRule, type LintSubject } from './rule.ts';

const YEAR_2050_MS = Date.UTC(2050, 0, 1);
/** Octets that 64 random bits need at least. */
const MIN_SERIAL_OCTETS = 8;

/** Upper bounds of RFC 5280 appendix A.1, in characters. */
const NAME_BOUNDS: ReadonlyMap<string, number> = new Map([
  [OID.commonName, 64],
  [OID.organizationName, 64],
  [OID.organizationalUnitName, 64],
  [OID.localityName, 128],
  [OID.stateOrProvinceName, 128],
  [OID.title, 64],
  [OID.serialNumber, 64],
  [OID.pseudonym, 128],
  [OID.surname, 32768],
  [OID.givenName, 32768],
  [OID.emailAddress, 255],
]);

/** String types that RFC 5280 appendix A.1 fixes for single attributes. */
const FIXED_STRING_TYPES: ReadonlyMap<string, number> = new Map<string, number>([
  [OID.countryName, TAG.printableString],
  [OID.serialNumber, TAG.printableString],
  [OID.dnQualifier, TAG.printableString],
  [OID.domainComponent, TAG.ia5String],
  [OID.emailAddress, TAG.ia5String],
]);

function subjectAttributes({ certificate }: LintSubject): readonly NameAttribute[] {
  return certificate.subject.rdns.flat();
}

/** The two time elements as they are encoded. */
function validityElements({ certificate }: LintSubject): { tag: number; epochMs: number }[] {
  const cursor: DerCursor = openElement(parseDer(certificate.tbs), TAG.sequence);
  cursor.optional(0xa0);
  for (let skipped = 0; skipped < 3; skipped++) cursor.next(); // serial number, algorithm, issuer
  const validity = cursor.open(TAG.sequence);
  return [
    { tag: validity.next().tag, epochMs: certificate.notBeforeMs },
    { tag: validity.next().tag, epochMs: certificate.notAfterMs },
  ];
}

export const CERTIFICATE_RULES: readonly LintRule[] = [
  {
    id: 'serial-positive',
    citation: 'RFC 5280 §4.1.2.2',
    severity: 'error',
    check: ({ certificate }) =>
      when(/^(?:-|0$)/.test(certificate.serialNumber), 'The serial number must be a positive integer.'),
  },
  {
    id: 'serial-length',
    citation: 'RFC 5280 §4.1.2.2',
    severity: 'error',
    check: ({ certificate }) =>
      when(certificate.serialBytes.length > 20, 'The serial number must not be longer than 20 octets.'),
  },
  {
    id: 'serial-entropy',
    citation: 'CA/Browser Forum BR §7.1',
    severity: 'warning',
    check: ({ certificate }) =>
      when(
        certificate.serialBytes.length < MIN_SERIAL_OCTETS,
        'The serial number is too short to hold 64 random bits.',
      ),
  },
  {
    id: 'validity-order',
    citation: 'RFC 5280 §4.1.2.5',
    severity: 'error',
    check: ({ certificate }) =>
      when(certificate.notAfterMs < certificate.notBeforeMs, 'The validity ends before it starts.'),
  },
  {
    id: 'validity-encoding',
    citation: 'RFC 5280 §4.1.2.5',
    severity: 'error',
    check: (subject) => {
      const expected = (epochMs: number): number => (epochMs < YEAR_2050_MS ? TAG.utcTime : TAG.generalizedTime);
      const wrong = validityElements(subject).some(({ tag, epochMs }) => tag !== expected(epochMs));
      return when(wrong, 'Times through 2049 must be UTCTime, later ones GeneralizedTime.');
    },
  },
  {
    id: 'validity-within-issuer',
    citation: 'RFC 5280 §6.1.3 (a)(2)',
    severity: 'warning',
    check: ({ certificate, issuer }) =>
      when(issuer !== undefined && certificate.notAfterMs > issuer.notAfterMs, 'The certificate outlives its issuer.'),
  },
  {
    id: 'version-3',
    citation: 'RFC 5280 §4.1.2.1',
    severity: 'error',
    check: ({ certificate }) =>
      when(certificate.extensions.length > 0 && certificate.version !== 3, 'Extensions need version 3.'),
  },
  {
    id: 'issuer-not-empty',
    citation: 'RFC 5280 §4.1.2.4',
    severity: 'error',
    check: ({ certificate }) => when(isEmptyName(certificate.issuer), 'The issuer must not be empty.'),
  },
  {
    id: 'issuer-matches',
    citation: 'RFC 5280 §4.1.2.4',
    severity: 'error',
    check: ({ certificate, issuer }) =>
      when(
        issuer !== undefined && !equalBytes(certificate.issuerDer, issuer.subjectDer),
        'The issuer must be encoded as the subject of the issuing certificate is.',
      ),
  },
  {
    id: 'ca-subject-not-empty',
    citation: 'RFC 5280 §4.1.2.6',
    severity: 'error',
    check: ({ certificate }) =>
      when(certificate.isCa && isEmptyName(certificate.subject), 'The subject of an authority must not be empty.'),
  },
  {
    id: 'subject-country',
    citation: 'RFC 5280 appendix A.1',
    severity: 'error',
    check: (subject) => {
      const wrong = subjectAttributes(subject).find(
        ({ type, value }) => type === OID.countryName && !/^[A-Z]{2}$/.test(value),
      );
      return wrong && `The country "${wrong.value.slice(0, 32)}" must be two capital letters (ISO 3166).`;
    },
  },
  {
    id: 'subject-attribute-length',
    citation: 'RFC 5280 appendix A.1',
    severity: 'error',
    check: (subject) => {
      const wrong = subjectAttributes(subject).find(
        ({ type, value }) => value === '' || [...value].length > (NAME_BOUNDS.get(type) ?? Number.POSITIVE_INFINITY),
      );
      return (
        wrong &&
        `The subject attribute ${wrong.type} is empty or longer than ${NAME_BOUNDS.get(wrong.type) ?? 0} characters.`
      );
    },
  },
  {
    id: 'subject-string-type',
    citation: 'RFC 5280 §4.1.2.4',
    severity: 'error',
    check: (subject) => {
      const wrong = subjectAttributes(subject).find(({ type, tag }) => {
        const fixed = FIXED_STRING_TYPES.get(type);
        if (fixed !== undefined) return tag !== fixed;
        return tag === TAG.teletexString || tag === TAG.bmpString || tag === TAG.universalString;
      });
      return wrong && `The subject attribute ${wrong.type} has a string type that it must not have.`;
    },
  },
  {
    id: 'subject-duplicate-attribute',
    citation: 'X.501 §9.3',
    severity: 'error',
    check: ({ certificate }) =>
      when(
        certificate.subject.rdns.some((rdn) => new Set(rdn.map(({ type }) => type)).size < rdn.length),
        'A relative distinguished name of the subject has one attribute type twice.',
      ),
  },
  {
    id: 'key-policy',
    citation: 'NIST SP 800-131A; RFC 8017 §3.1; RFC 5480 §2.1.1.1',
    severity: 'error',
    check: ({ certificate, keyPolicy }) =>
      checkKeyPolicy(certificate.publicKey, keyPolicy)
        .map(({ message }) => message)
        .join(' ') || undefined,
  },
  {
    id: 'signature-digest',
    citation: 'RFC 6194 §3; RFC 6151 §2',
    severity: 'error',
    check: ({ certificate }) =>
      when(
        /^(?:MD5|SHA1)with/.test(certificate.signatureAlgorithmName),
        'MD5 and SHA-1 must not be used for signatures.',
      ),
  },
];
