// Issuer and subject (RFC 5280 §4.1.2.4, §4.1.2.6).
import { attributeValues, isEmptyName, type NameAttribute } from '../../names.ts';
import { equalBytes } from '../../bytes.ts';
import { hiddenCharacterOfName } from '../../x509/name-characters.ts';
import { OID } from '../../oids.ts';
import { TAG } from '../../der/tags.ts';
import type { CertificateRuleGroup, LintSubject } from '../certificate-rule.ts';

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
  [OID.initials, 32768],
  [OID.generationQualifier, 32768],
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

const OLD_STRING_TYPES: readonly number[] = [TAG.teletexString, TAG.bmpString, TAG.universalString];

/** The characters of restricted string types (X.680 §41). */
const CHARACTERS: ReadonlyMap<number, RegExp> = new Map<number, RegExp>([
  [TAG.printableString, /^[A-Za-z0-9 '()+,\-./:=?]*$/],
  // oxlint-disable-next-line no-control-regex -- IA5String is ASCII, which includes the controls
  [TAG.ia5String, /^[\x00-\x7f]*$/],
]);

/** A sentence about the first subject attribute with a problem. */
function firstAttribute(
  { certificate }: LintSubject,
  { isWrong, problem }: { isWrong: (attribute: NameAttribute) => boolean; problem: (type: string) => string },
): string | undefined {
  for (const rdn of certificate.subject.rdns)
    for (const attribute of rdn)
      if (isWrong(attribute)) return `The subject attribute ${attribute.type} ${problem(attribute.type)}.`;
  return undefined;
}

export const NAMES = {
  name: 'Names',
  description: 'Distinguished names of issuer and subject',
  rules: {
    'issuer-not-empty': {
      demand: 'The issuer must not be empty.',
      citation: 'RFC 5280 §4.1.2.4',
      severity: 'error',
      violates: ({ certificate }) => isEmptyName(certificate.issuer),
    },
    'issuer-matches': {
      demand: 'The issuer must be encoded exactly as the subject of the issuing certificate is.',
      citation: 'RFC 5280 §4.1.2.4',
      severity: 'error',
      appliesTo: ['issued'],
      violates: ({ certificate, issuer }) =>
        issuer !== undefined && !equalBytes(certificate.issuerDer, issuer.subjectDer),
    },
    'ca-subject-not-empty': {
      demand: 'The subject of a CA must not be empty.',
      citation: 'RFC 5280 §4.1.2.6',
      severity: 'error',
      appliesTo: ['authority'],
      violates: ({ certificate }) => isEmptyName(certificate.subject),
    },
    'subject-country': {
      demand: 'A country must be two capital letters (ISO 3166).',
      citation: 'RFC 5280 appendix A.1',
      severity: 'error',
      violates: ({ certificate }) => {
        const wrong = attributeValues(certificate.subject, OID.countryName).find((value) => !/^[A-Z]{2}$/.test(value));
        return wrong !== undefined && `The country "${wrong.slice(0, 32)}" must be two capital letters (ISO 3166).`;
      },
    },
    'subject-attribute-length': {
      demand: 'A subject attribute must not be empty or longer than its upper bound.',
      citation: 'RFC 5280 appendix A.1',
      severity: 'error',
      violates: (subject) =>
        firstAttribute(subject, {
          isWrong: ({ type, value }) => value === '' || [...value].length > (NAME_BOUNDS.get(type) ?? Infinity),
          problem: (type) => {
            const bound = NAME_BOUNDS.get(type);
            return bound === undefined ? 'is empty' : `is empty or longer than ${bound} characters`;
          },
        }),
    },
    'subject-string-type': {
      demand: 'A subject attribute must have the string type fixed for it, or else UTF8String or PrintableString.',
      citation: 'RFC 5280 §4.1.2.4',
      severity: 'error',
      violates: (subject) =>
        firstAttribute(subject, {
          isWrong: ({ type, tag }) => {
            const fixed = FIXED_STRING_TYPES.get(type);
            return fixed === undefined ? OLD_STRING_TYPES.includes(tag) : tag !== fixed;
          },
          problem: () => 'has a string type that is not allowed',
        }),
    },
    'subject-string-characters': {
      demand: 'A subject attribute must not contain characters outside its string type.',
      citation: 'X.680 §41',
      severity: 'error',
      violates: (subject) =>
        firstAttribute(subject, {
          isWrong: ({ tag, value }) => CHARACTERS.get(tag)?.test(value) === false,
          problem: () => 'has characters that its string type cannot hold',
        }),
    },
    'subject-duplicate-attribute': {
      demand: 'A relative distinguished name must not have the same attribute type twice.',
      citation: 'X.501 §9.3',
      severity: 'error',
      violates: ({ certificate }) =>
        certificate.subject.rdns.some((rdn) => new Set(rdn.map(({ type }) => type)).size < rdn.length),
    },
    'subject-hidden-character': {
      demand: 'The subject must not contain invisible characters.',
      citation: 'RFC 4518 §2.4; Unicode UAX #9',
      severity: 'error',
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
      citation: 'RFC 5280 §4.1.2.6',
      severity: 'warning',
      violates: ({ certificate }) => {
        const mailboxes = certificate.subjectAltNames.flatMap((name) =>
          name.kind === 'rfc822Name' ? [name.value.toLowerCase()] : [],
        );
        const addresses = attributeValues(certificate.subject, OID.emailAddress);
        return addresses.some((address) => !mailboxes.includes(address.toLowerCase()));
      },
    },
  },
} satisfies CertificateRuleGroup;
