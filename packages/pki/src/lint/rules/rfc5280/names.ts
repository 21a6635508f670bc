// Issuer and subject (RFC 5280 §4.1.2.4, §4.1.2.6).
import {
  characterProblem,
  countryProblem,
  htmlProblem,
  lengthProblem,
  spaceProblem,
  stringTypeProblem,
  unassignedCountry,
} from '../../attribute-problems.ts';
import { attributeValues, isEmptyName, type NameAttribute } from '../../../names.ts';
import { equalBytes } from '../../../bytes.ts';
import { hiddenCharacterOfName } from '../../../x509/name-characters.ts';
import { OID } from '../../../oids.ts';
import type { CertificateRule, CertificateRules } from '../../certificate-rule.ts';
import type { Violation } from '../../rule.ts';

const SUBJECT_AND_ISSUER = {
  'issuer-not-empty': {
    demand: 'The issuer must not be empty.',
    remedy: 'Specify a name for the CA.',
    citation: 'RFC 5280 §4.1.2.4',
    severity: 'error',
    field: 'issuer',
    violates: ({ certificate }) => isEmptyName(certificate.issuer),
  },
  'issuer-matches': {
    demand: 'The issuer must be encoded exactly like the subject of the issuing certificate.',
    remedy: 'Copy the subject of the CA certificate byte for byte.',
    citation: 'RFC 5280 §4.1.2.4',
    severity: 'error',
    field: 'issuer',
    appliesTo: ['issued'],
    violates: ({ certificate, issuer }) =>
      issuer !== undefined && !equalBytes(certificate.issuerDer, issuer.subjectDer),
  },
  'ca-subject-not-empty': {
    demand: 'The subject of a CA must not be empty.',
    remedy: 'Specify a name for the CA.',
    citation: 'RFC 5280 §4.1.2.6',
    severity: 'error',
    field: 'subject',
    appliesTo: ['authority'],
    violates: ({ certificate }) => isEmptyName(certificate.subject),
  },
  'subject-country': {
    demand: 'A country must be a code of two uppercase letters (ISO 3166).',
    remedy: 'Use the two-letter country code in uppercase.',
    citation: 'RFC 5280 appendix A.1',
    severity: 'error',
    field: 'subject.countryName',
    violates: ({ attributes }) => countryProblem(attributes),
  },
  'subject-country-assigned': {
    demand: 'A country should be an assigned ISO 3166-1 code.',
    remedy: 'Correct the country code.',
    citation: 'RFC 5280 appendix A.1; ISO 3166-1',
    severity: 'warning',
    field: 'subject.countryName',
    violates: ({ attributes }) => unassignedCountry(attributes),
  },
  'subject-space': {
    demand: 'A subject attribute should not contain leading, trailing or consecutive spaces: comparisons ignore them.',
    remedy: 'Remove the spaces.',
    citation: 'RFC 5280 §7.1; RFC 4518 §2.6.1',
    severity: 'warning',
    field: 'subject',
    violates: ({ attributes }) => spaceProblem(attributes),
  },
  'subject-attribute-length': {
    demand: 'A subject attribute must not be empty or exceed its upper bound.',
    remedy: 'Shorten the value, or omit the attribute.',
    citation: 'RFC 5280 appendix A.1',
    severity: 'error',
    field: 'subject',
    violates: ({ attributes }) => lengthProblem(attributes),
  },
  'subject-string-type': {
    demand:
      'A subject attribute must have its prescribed string type or, if there is none, UTF8String or PrintableString.',
    remedy: 'Encode the attribute in its prescribed string type.',
    citation: 'RFC 5280 §4.1.2.4',
    severity: 'error',
    field: 'subject',
    violates: ({ attributes }) => stringTypeProblem(attributes),
  },
  'subject-string-characters': {
    demand: 'A subject attribute must not contain characters that its string type does not allow.',
    remedy: 'Encode the value as UTF8String, or remove the characters.',
    citation: 'X.680 §41',
    severity: 'error',
    field: 'subject',
    violates: ({ attributes }) => characterProblem(attributes),
  },
  'subject-duplicate-attribute': {
    demand: 'A relative distinguished name must not contain the same attribute type twice.',
    remedy: 'Use a separate RDN for each value.',
    citation: 'X.501 §9.3',
    severity: 'error',
    field: 'subject',
    violates: ({ certificate }) =>
      certificate.subject.rdns.some((rdn) => new Set(rdn.map(({ type }) => type)).size < rdn.length),
  },
  'subject-hidden-character': {
    demand: 'The subject must not contain invisible characters.',
    remedy: 'Remove the invisible character from the name.',
    citation: 'RFC 4518 §2.4; Unicode UAX #9',
    severity: 'error',
    field: 'subject',
    violates: ({ certificate }) => {
      const character = hiddenCharacterOfName(certificate.subject);
      return (
        character !== undefined &&
        `The subject contains the invisible character ${character}, which makes it look like a different name.`
      );
    },
  },
  'subject-html-entity': {
    demand: 'A subject attribute should not contain HTML character references such as &amp;.',
    remedy: 'Specify the character itself: names in certificates are not HTML.',
    citation: 'RFC 5280 §4.1.2.4; X.520 §6',
    severity: 'warning',
    field: 'subject',
    violates: ({ attributes }) => htmlProblem(attributes),
  },
  'subject-email-in-san': {
    demand: 'An email address in the subject should also be a SAN.',
    remedy: 'Add the address as an rfc822Name.',
    citation: 'RFC 5280 §4.1.2.6',
    severity: 'warning',
    field: 'subject.emailAddress',
    violates: ({ certificate }) => {
      const mailboxes = certificate.subjectAltNames.flatMap((name) =>
        name.kind === 'rfc822Name' ? [name.value.toLowerCase()] : [],
      );
      const addresses = attributeValues(certificate.subject, OID.emailAddress);
      return addresses.some((address) => !mailboxes.includes(address.toLowerCase()));
    },
  },
} satisfies CertificateRules;

/**
 * Returns an issuer rule that corresponds to a subject rule. It is only a warning because an existing CA can hardly
 * change its name.
 */
function issuerRule(
  demand: string,
  problemOf: (attributes: readonly NameAttribute[]) => Violation | undefined,
): CertificateRule {
  return {
    demand,
    remedy: 'Use a well-formed CA name when the CA certificate is renewed with a new key.',
    citation: 'RFC 5280 §4.1.2.4; appendix A.1',
    severity: 'warning',
    field: 'issuer',
    violates: ({ certificate }) => problemOf(certificate.issuer.rdns.flat()),
  };
}

export const NAMES = {
  ...SUBJECT_AND_ISSUER,
  'issuer-country': issuerRule('The country of the issuer should be a code of two uppercase letters.', countryProblem),
  'issuer-attribute-length': issuerRule(
    'An issuer attribute should not be empty or exceed its upper bound.',
    lengthProblem,
  ),
  'issuer-string-type': issuerRule(
    'An issuer attribute should have its prescribed string type or, if there is none, UTF8String or PrintableString.',
    stringTypeProblem,
  ),
  'issuer-html-entity': issuerRule(
    'An issuer attribute should not contain HTML character references such as &amp;.',
    htmlProblem,
  ),
  'issuer-string-characters': issuerRule(
    'An issuer attribute should not contain characters that its string type does not allow.',
    characterProblem,
  ),
} satisfies CertificateRules;
