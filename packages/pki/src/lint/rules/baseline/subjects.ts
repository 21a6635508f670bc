// Subscriber subjects and names in the TLS Baseline Requirements.
import { BASELINE_POLICIES, rulesFor, type CertificateRules } from '../../certificate-rule.ts';
import { OID } from '../../../oids.ts';

const rule = rulesFor('publicServer');
const SINCE_PROFILES = { from: '2023-09-15' };

/** §7.1.4.2: the attributes with a defined position, in order. */
const ORDER: readonly string[] = [
  OID.domainComponent,
  OID.countryName,
  OID.stateOrProvinceName,
  OID.localityName,
  OID.postalCode,
  OID.streetAddress,
  OID.organizationName,
  OID.surname,
  OID.givenName,
  OID.organizationalUnitName,
  OID.commonName,
];
/** §7.1.4.1. */
const REPEATABLE: readonly string[] = [OID.domainComponent, OID.streetAddress];
const ONION = /^(?:[a-z0-9-]+\.)*[a-z2-7]{56}\.onion$/i;

export const BASELINE_SUBJECTS = {
  'baseline-subject-order': rule({
    demand: 'The subject attributes must be in the order that the Baseline Requirements define.',
    remedy: 'Encode country, state, locality, postal code, street, organization and common name in this order.',
    citation: 'CA/Browser Forum BR §7.1.4.1, §7.1.4.2',
    field: 'subject',
    effective: SINCE_PROFILES,
    violates: ({ attributes }) => {
      const places = attributes.map(({ type }) => ORDER.indexOf(type)).filter((place) => place >= 0);
      return places.some((place, index) => index > 0 && place < (places[index - 1] ?? 0));
    },
  }),
  'baseline-subject-repeated': rule({
    demand: 'A subject attribute other than domainComponent and streetAddress must not be repeated.',
    remedy: 'Specify the attribute once.',
    citation: 'CA/Browser Forum BR §7.1.4.1',
    field: 'subject',
    effective: SINCE_PROFILES,
    violates: ({ attributes }) => {
      const types = attributes.map(({ type }) => type).filter((type) => !REPEATABLE.includes(type));
      return new Set(types).size < types.length;
    },
  }),
  'baseline-subject-single-valued': rule({
    demand: 'Each relative distinguished name must contain exactly one attribute.',
    remedy: 'Put each attribute in its own RDN.',
    citation: 'CA/Browser Forum BR §7.1.4.1',
    field: 'subject',
    effective: SINCE_PROFILES,
    violates: ({ certificate }) => certificate.subject.rdns.some(({ length }) => length > 1),
  }),
  'baseline-subject-metadata': rule({
    demand: 'A subject attribute must not contain a placeholder for an absent value, such as "-", "." or a space.',
    remedy: 'Omit the attribute.',
    citation: 'CA/Browser Forum BR §7.1.2.7.3, §7.1.2.7.4, §7.1.2.7.5',
    field: 'subject',
    violates: ({ attributes }) => {
      const empty = attributes.find(({ value }) => /^[\s.\-_*]+$/.test(value));
      return empty && { value: empty.value };
    },
  }),
  'baseline-organization-validated': rule({
    demand:
      'The subject of an organization-validated certificate must contain organization, country, and locality or state.',
    remedy: 'Add the validated organization and its address.',
    citation: 'CA/Browser Forum BR §7.1.2.7.4',
    field: 'subject',
    violates: (subject) =>
      subject.policyOids.includes(BASELINE_POLICIES.organizationValidated) &&
      !(
        subject.has(OID.organizationName) &&
        subject.has(OID.countryName) &&
        (subject.has(OID.localityName) || subject.has(OID.stateOrProvinceName))
      ),
  }),
  'baseline-individual-validated': rule({
    demand:
      'The subject of an individual-validated certificate must contain given name, surname, country, and locality or state.',
    remedy: 'Add the validated name and address of the individual.',
    citation: 'CA/Browser Forum BR §7.1.2.7.3',
    field: 'subject',
    effective: SINCE_PROFILES,
    violates: (subject) =>
      subject.policyOids.includes(BASELINE_POLICIES.individualValidated) &&
      !(
        subject.has(OID.givenName) &&
        subject.has(OID.surname) &&
        subject.has(OID.countryName) &&
        (subject.has(OID.localityName) || subject.has(OID.stateOrProvinceName))
      ),
  }),
  'baseline-common-name-copied': rule({
    demand: 'The common name must match a subject alternative name character for character.',
    remedy: 'Copy the name exactly as it appears in the subjectAltName extension.',
    citation: 'CA/Browser Forum BR §7.1.4.3',
    field: 'subject.commonName',
    effective: SINCE_PROFILES,
    violates: (subject) =>
      subject
        .valuesOf(OID.commonName)
        .some((name) => !subject.dnsNames.includes(name) && subject.dnsNames.includes(name.toLowerCase())),
  }),
  'baseline-wildcard-domain': rule({
    demand: 'A wildcard must not be directly below a top-level domain.',
    remedy: 'Use the registered domain, or a wildcard below it.',
    citation: 'CA/Browser Forum BR §3.2.2.6',
    field: 'extensions.subjectAltName',
    violates: ({ dnsNames }) => {
      const wide = dnsNames.find((name) => /^\*\.[^.]+$/.test(name));
      return wide === undefined ? undefined : { value: wide };
    },
  }),
  'baseline-onion': rule({
    demand: 'An onion name must be version 3: a 56-character label before .onion.',
    remedy: 'Use the version 3 address of the onion service.',
    citation: 'CA/Browser Forum BR appendix B',
    field: 'extensions.subjectAltName',
    violates: ({ dnsNames }) => {
      const wrong = dnsNames.find((name) => /\.onion$/i.test(name) && !ONION.test(name.replace(/^\*\./, '')));
      return wrong === undefined ? undefined : { value: wrong };
    },
  }),
} satisfies CertificateRules;
