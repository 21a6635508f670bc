// Issuer and subject (RFC 5280 §4.1.2.4, §4.1.2.6).
import {
  characterProblem,
  countryProblem,
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
    remedy: 'Give the CA a name.',
    citation: 'RFC 5280 §4.1.2.4',
    severity: 'error',
    field: 'issuer',
    violates: ({ certificate }) => isEmptyName(certificate.issuer),
  },
  'issuer-matches': {
    demand: 'The issuer must be encoded exactly as the subject of the issuing certificate is.',
    remedy: 'Copy the subject of the CA certificate octet by octet.',
    citation: 'RFC 5280 §4.1.2.4',
    severity: 'error',
    field: 'issuer',
    appliesTo: ['issued'],
    violates: ({ certificate, issuer }) =>
      issuer !== undefined && !equalBytes(certificate.issuerDer, issuer.subjectDer),
  },
  'ca-subject-not-empty': {
    demand: 'The subject of a CA must not be empty.',
    remedy: 'Give the CA a name.',
    citation: 'RFC 5280 §4.1.2.6',
    severity: 'error',
    field: 'subject',
    appliesTo: ['authority'],
    violates: ({ certificate }) => isEmptyName(certificate.subject),
  },
  'subject-country': {
    demand: 'A country must be two capital letters (ISO 3166).',
    remedy: 'Write the two-letter code of the country in capitals.',
    citation: 'RFC 5280 appendix A.1',
    severity: 'error',
    field: 'subject.countryName',
    violates: ({ attributes }) => countryProblem(attributes),
  },
  'subject-country-assigned': {
    demand: 'A country should be one that ISO 3166-1 has a code for.',
    remedy: 'Correct the code of the country.',
    citation: 'RFC 5280 appendix A.1; ISO 3166-1',
    severity: 'warning',
    field: 'subject.countryName',
    violates: ({ attributes }) => unassignedCountry(attributes),
  },
  'subject-space': {
    demand: 'A subject attribute should have no spaces at its ends, and no two in a row: comparisons ignore them.',
    remedy: 'Leave the spaces out.',
    citation: 'RFC 5280 §7.1; RFC 4518 §2.6.1',
    severity: 'warning',
    field: 'subject',
    violates: ({ attributes }) => spaceProblem(attributes),
  },
  'subject-attribute-length': {
    demand: 'A subject attribute must not be empty or longer than its upper bound.',
    remedy: 'Shorten the value, or leave the attribute out.',
    citation: 'RFC 5280 appendix A.1',
    severity: 'error',
    field: 'subject',
    violates: ({ attributes }) => lengthProblem(attributes),
  },
  'subject-string-type': {
    demand: 'A subject attribute must have the string type fixed for it, or else UTF8String or PrintableString.',
    remedy: 'Encode the attribute in the string type that is prescribed for it.',
    citation: 'RFC 5280 §4.1.2.4',
    severity: 'error',
    field: 'subject',
    violates: ({ attributes }) => stringTypeProblem(attributes),
  },
  'subject-string-characters': {
    demand: 'A subject attribute must not contain characters outside its string type.',
    remedy: 'Encode the value as UTF8String, or leave the characters out.',
    citation: 'X.680 §41',
    severity: 'error',
    field: 'subject',
    violates: ({ attributes }) => characterProblem(attributes),
  },
  'subject-duplicate-attribute': {
    demand: 'A relative distinguished name must not have the same attribute type twice.',
    remedy: 'Put each value into an RDN of its own.',
    citation: 'X.501 §9.3',
    severity: 'error',
    field: 'subject',
    violates: ({ certificate }) =>
      certificate.subject.rdns.some((rdn) => new Set(rdn.map(({ type }) => type)).size < rdn.length),
  },
  'subject-hidden-character': {
    demand: 'The subject must not contain invisible characters.',
    remedy: 'Write the name without the invisible character.',
    citation: 'RFC 4518 §2.4; Unicode UAX #9',
    severity: 'error',
    field: 'subject',
    violates: ({ certificate }) => {
      const character = hiddenCharacterOfName(certificate.subject);
      return (
        character !== undefined &&
        `The subject contains the invisible character ${character}, which makes it look like another one.`
      );
    },
  },
  'subject-email-in-san': {
    demand: 'An e-mail address in the subject should also be among the alternative names.',
    remedy: 'Add the address as an alternative name of the kind rfc822Name.',
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

/** A rule about the issuer as there is one about the subject; a CA that has its name already can do little about it. */
function issuerRule(
  demand: string,
  problemOf: (attributes: readonly NameAttribute[]) => Violation | undefined,
): CertificateRule {
  return {
    demand,
    remedy: 'Give the CA a well-formed name when its certificate is renewed with a new key.',
    citation: 'RFC 5280 §4.1.2.4; appendix A.1',
    severity: 'warning',
    field: 'issuer',
    violates: ({ certificate }) => problemOf(certificate.issuer.rdns.flat()),
  };
}

export const NAMES = {
  ...SUBJECT_AND_ISSUER,
  'issuer-country': issuerRule('The country of the issuer should be two capital letters.', countryProblem),
  'issuer-attribute-length': issuerRule(
    'An attribute of the issuer should not be empty or longer than its upper bound.',
    lengthProblem,
  ),
  'issuer-string-type': issuerRule(
    'An attribute of the issuer should have the string type fixed for it, or else UTF8String or PrintableString.',
    stringTypeProblem,
  ),
  'issuer-string-characters': issuerRule(
    'An attribute of the issuer should not contain characters outside its string type.',
    characterProblem,
  ),
} satisfies CertificateRules;
