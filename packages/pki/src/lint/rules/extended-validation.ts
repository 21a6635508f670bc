// CA/Browser Forum guidelines for extended validation, version 2.0 and later (numbered according to RFC 3647). They
// apply to certificates with policy 2.23.140.1.1.
import { isCountry } from '../attribute-problems.ts';
import { OID } from '../../oids.ts';
import { registrationProblem } from '../organization-identifier.ts';
import { rulesFor, type CertificateRuleSet } from '../certificate-rule.ts';

const rule = rulesFor('extendedValidation');

const CATEGORIES: readonly string[] = [
  'Private Organization',
  'Government Entity',
  'Business Entity',
  'Non-Commercial Entity',
];

/** Attributes defined in the guidelines; all others are forbidden (§7.1.4.2.9). */
const ATTRIBUTES: readonly string[] = [
  OID.organizationName,
  OID.commonName,
  OID.businessCategory,
  OID.jurisdictionLocality,
  OID.jurisdictionState,
  OID.jurisdictionCountry,
  OID.serialNumber,
  OID.streetAddress,
  OID.localityName,
  OID.stateOrProvinceName,
  OID.countryName,
  OID.postalCode,
  OID.organizationIdentifier,
];

export const EXTENDED_VALIDATION = {
  code: 'extended-validation',
  name: 'Extended validation (CA/Browser Forum)',
  description: 'EV guidelines for TLS server certificates that contain the extended validation policy.',
  rules: {
    'ev-organization': rule({
      demand: 'The subject must contain the legal name of the organization.',
      remedy: 'Add the validated organization name.',
      citation: 'CA/Browser Forum EVG §7.1.4.2.1',
      field: 'subject.organizationName',
      violates: (subject) => !subject.has(OID.organizationName),
    }),
    'ev-business-category': rule({
      demand:
        'The business category must be Private Organization, Government Entity, Business Entity or Non-Commercial Entity.',
      remedy: 'Add the validated category, spelled exactly like this.',
      citation: 'CA/Browser Forum EVG §7.1.4.2.3',
      field: 'subject.businessCategory',
      violates: (subject) => {
        const categories = subject.valuesOf(OID.businessCategory);
        return categories.length === 0 || categories.some((category) => !CATEGORIES.includes(category));
      },
    }),
    'ev-jurisdiction': rule({
      demand: 'The subject must contain the country in which the organization is registered.',
      remedy: 'Add jurisdictionCountry.',
      citation: 'CA/Browser Forum EVG §7.1.4.2.4',
      field: 'subject.jurisdictionCountry',
      violates: (subject) => !subject.has(OID.jurisdictionCountry),
    }),
    'ev-jurisdiction-country': rule({
      demand: 'The country of registration must be an ISO 3166-1 code.',
      remedy: 'Use the two-letter country code in uppercase.',
      citation: 'CA/Browser Forum EVG §7.1.4.2.4',
      field: 'subject.jurisdictionCountry',
      violates: (subject) => subject.valuesOf(OID.jurisdictionCountry).some((code) => !isCountry(code)),
    }),
    'ev-jurisdiction-levels': rule({
      demand: 'A locality of registration requires its state or province, unless the country has none.',
      remedy: 'Add jurisdictionState, or omit jurisdictionLocality.',
      citation: 'CA/Browser Forum EVG §7.1.4.2.4',
      severity: 'warning',
      field: 'subject.jurisdictionLocality',
      violates: (subject) => subject.has(OID.jurisdictionLocality) && !subject.has(OID.jurisdictionState),
    }),
    'ev-registration-number': rule({
      demand: "The serial number in the subject must be the organization's registration number.",
      remedy:
        'Add the registration number or, if there is none, the registration date or a government entity statement.',
      citation: 'CA/Browser Forum EVG §7.1.4.2.5',
      field: 'subject.serialNumber',
      violates: (subject) => !subject.has(OID.serialNumber),
    }),
    'ev-country': rule({
      demand: 'The subject must contain the country of the place of business.',
      remedy: 'Add the country.',
      citation: 'CA/Browser Forum EVG §7.1.4.2.6',
      field: 'subject.countryName',
      violates: (subject) => !subject.has(OID.countryName),
    }),
    'ev-locality': rule({
      demand: 'The subject must contain the locality, or the state or province, of the place of business.',
      remedy: 'Add the locality.',
      citation: 'CA/Browser Forum EVG §7.1.4.2.6',
      field: 'subject.localityName',
      violates: (subject) => !subject.has(OID.localityName) && !subject.has(OID.stateOrProvinceName),
    }),
    'ev-other-attributes': rule({
      demand: 'The subject must not contain attributes that the guidelines do not define.',
      remedy: 'Omit the attribute.',
      citation: 'CA/Browser Forum EVG §7.1.4.2.9',
      field: 'subject',
      violates: ({ attributes }) => {
        const other = attributes.find(({ type }) => !ATTRIBUTES.includes(type));
        return other && { value: `${other.type}=${other.value}` };
      },
    }),
    'ev-wildcard': rule({
      demand: 'An EV certificate must not contain a wildcard, except below an onion name.',
      remedy: 'List each host name.',
      citation: 'CA/Browser Forum EVG §7.1.2.1, §7.1.4.2.2',
      field: 'extensions.subjectAltName',
      violates: ({ dnsNames }) => {
        const wildcard = dnsNames.find((name) => name.startsWith('*.') && !/\.onion$/i.test(name));
        return wildcard === undefined ? undefined : { value: wildcard };
      },
    }),
    'ev-address': rule({
      demand: 'An EV certificate must not contain IP addresses.',
      remedy: 'Identify hosts by DNS name.',
      citation: 'CA/Browser Forum EVG §7.1.2.1',
      field: 'extensions.subjectAltName',
      violates: ({ certificate }) => certificate.subjectAltNames.some(({ kind }) => kind === 'iPAddress'),
    }),
    'ev-organization-identifier': rule({
      demand: 'An organization identifier must consist of a scheme, a country and a number, such as VATDE-123456789.',
      remedy: 'Use NTR, VAT or PSD, followed by the country code, a hyphen and the number.',
      citation: 'CA/Browser Forum EVG §7.1.4.2.8',
      field: 'subject.organizationIdentifier',
      violates: (subject) =>
        subject
          .valuesOf(OID.organizationIdentifier)
          .map((id) => registrationProblem(id, ['NTR', 'VAT', 'PSD']))
          .find(Boolean),
    }),
    'ev-organization-identifier-extension': rule({
      demand:
        'If the subject contains an organization identifier, the cabfOrganizationIdentifier extension must be present.',
      remedy: 'Add the extension with the same identifier.',
      citation: 'CA/Browser Forum EVG §7.1.2.2',
      field: 'extensions.cabfOrganizationIdentifier',
      effective: { from: '2020-01-31' },
      violates: (subject) =>
        subject.has(OID.organizationIdentifier) &&
        subject.certificate.extensionValue(OID.cabfOrganizationIdentifier) === undefined,
    }),
  },
} satisfies CertificateRuleSet;
