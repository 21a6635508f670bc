// RA profile form: the contents of certificates issued under the profile, and limits on requests. The file is long
// because it is a table of definitions.
import { dataAttribute, inRange, infoAttribute } from '@signetry/connector-sdk';
import type { BaseAttributeDto } from '@signetry/contract';
import { EXTENDED_KEY_USAGE_NAMES, KEY_USAGES } from '@signetry/pki';
import { raProfileAttributeUuid as uuid } from './attribute-uuids.ts';
import {
  ALT_NAME_TYPES,
  type AltNameType,
  CURVES,
  DEFAULT_BACKDATE_MINUTES,
  DEFAULT_MAX_ALT_NAMES,
  DEFAULT_MIN_RSA_BITS,
  DEFAULT_URLS,
  DEFAULT_VALIDITY_DAYS,
  EXCESS,
  KEY_FAMILIES,
  MAX_ALT_NAMES,
  MAX_BACKDATE_MINUTES,
  MAX_VALIDITY_DAYS,
  PROFILE,
  SUBJECT_PARTS,
} from './ra-profile-settings.ts';

const altNameTypeLabels: Readonly<Record<AltNameType, string>> = {
  dns: 'DNS name',
  ip: 'IP address',
  email: 'Email address',
  uri: 'URI',
  directoryName: 'Directory name',
  otherName: 'Other name (e.g. user principal name)',
  registeredId: 'Registered ID',
};

const DELTA_URL = '{{revocationUrl}}/crl/{{authority}}-delta.crl';

const INTRODUCTION = `Contents of certificates and limits on requests. Empty fields have sensible defaults.\n\nEmpty URL fields use the URLs of the platform; \`none\` omits URLs from certificates. In URLs, the platform replaces \`{{revocationUrl}}\` with the base URL where it serves CRLs and OCSP, \`{{publicUrl}}\` with its public URL, and \`{{authority}}\` with the identifier of the CA.`;

const URLS = 'One per line; "none" for no URL';

const groups = {
  validity: 'Validity',
  usage: 'Usage',
  keys: 'Public keys',
  subject: 'Subject',
  altNames: 'Subject alternative names',
  urls: 'AIA and CDP',
  requests: 'Requests beyond the profile',
  further: 'Additional extensions',
  ca: 'Subordinate CA',
} as const;

const validityAttributes: readonly BaseAttributeDto[] = [
  dataAttribute({
    uuid: uuid(2),
    name: PROFILE.validityDays,
    label: 'Validity (days)',
    description: 'Certificates never outlive the CA.',
    group: groups.validity,
    contentType: 'integer',
    content: DEFAULT_VALIDITY_DAYS,
    constraints: [inRange({ from: 1, to: MAX_VALIDITY_DAYS })],
  }),
  dataAttribute({
    uuid: uuid(3),
    name: PROFILE.maxValidityDays,
    label: 'Maximum requested validity (days)',
    description: 'Default: the validity above',
    group: groups.validity,
    contentType: 'integer',
    constraints: [inRange({ from: 1, to: MAX_VALIDITY_DAYS })],
  }),
  dataAttribute({
    uuid: uuid(4),
    name: PROFILE.backdateMinutes,
    label: 'Backdate notBefore (minutes)',
    description: 'Allows clients whose clocks are slightly slow to use the certificate immediately.',
    group: groups.validity,
    contentType: 'integer',
    content: DEFAULT_BACKDATE_MINUTES,
    constraints: [inRange({ from: 0, to: MAX_BACKDATE_MINUTES })],
  }),
];

const usageAttributes: readonly BaseAttributeDto[] = [
  dataAttribute({
    uuid: uuid(5),
    name: PROFILE.keyUsages,
    label: 'Key usages',
    description: 'Default: digital signature; for a subordinate CA, certificate and CRL signing',
    group: groups.usage,
    contentType: 'string',
    choices: [...KEY_USAGES],
    multiSelect: true,
  }),
  dataAttribute({
    uuid: uuid(6),
    name: PROFILE.extendedKeyUsages,
    label: 'Extended key usages',
    description: 'Default: TLS server and client; for a subordinate CA, none',
    group: groups.usage,
    contentType: 'string',
    choices: [...EXTENDED_KEY_USAGE_NAMES].map(([oid, name]) => ({ reference: name, data: oid })),
    multiSelect: true,
  }),
  dataAttribute({
    uuid: uuid(7),
    name: PROFILE.otherExtendedKeyUsages,
    label: 'Additional extended key usages',
    description: 'Object identifiers, one per line',
    group: groups.usage,
    contentType: 'text',
  }),
];

const keyAttributes: readonly BaseAttributeDto[] = [
  dataAttribute({
    uuid: uuid(8),
    name: PROFILE.keyAlgorithms,
    label: 'Allowed key algorithms',
    description: 'Default: all',
    group: groups.keys,
    contentType: 'string',
    choices: [...KEY_FAMILIES],
    multiSelect: true,
  }),
  dataAttribute({
    uuid: uuid(9),
    name: PROFILE.minRsaBits,
    label: 'Minimum RSA key size (bits)',
    group: groups.keys,
    contentType: 'integer',
    content: DEFAULT_MIN_RSA_BITS,
    constraints: [inRange({ from: 2048, to: 8192 })],
  }),
  dataAttribute({
    uuid: uuid(38),
    name: PROFILE.otherRsaExponents,
    label: 'Accept RSA public exponents other than 65537',
    description: 'Exponents that are even, below 65537 or longer than 256 bits are always rejected.',
    group: groups.keys,
    contentType: 'boolean',
    content: false,
  }),
  dataAttribute({
    uuid: uuid(10),
    name: PROFILE.curves,
    label: 'Allowed ECDSA curves',
    description: 'Default: all',
    group: groups.keys,
    contentType: 'string',
    choices: Object.keys(CURVES),
    multiSelect: true,
  }),
];

const subjectAttributes: readonly BaseAttributeDto[] = [
  dataAttribute({
    uuid: uuid(11),
    name: PROFILE.copySubject,
    label: 'Copy subject from request',
    group: groups.subject,
    contentType: 'boolean',
    content: true,
  }),
  dataAttribute({
    uuid: uuid(36),
    name: PROFILE.subjectParts,
    label: 'Subject attributes to copy',
    description: 'Default: all',
    group: groups.subject,
    contentType: 'string',
    choices: Object.entries(SUBJECT_PARTS).map(([data, reference]) => ({ reference, data })),
    multiSelect: true,
  }),
  dataAttribute({
    uuid: uuid(12),
    name: PROFILE.fixedSubject,
    label: 'Fixed subject attributes',
    description: 'Distinguished name such as "O=Example, C=DE"; replaces attributes of the same type in the request',
    group: groups.subject,
    contentType: 'string',
  }),
  dataAttribute({
    uuid: uuid(13),
    name: PROFILE.commonNamePattern,
    label: 'Common name pattern',
    description: 'Regular expression that must match the entire common name',
    group: groups.subject,
    contentType: 'string',
  }),
  dataAttribute({
    uuid: uuid(14),
    name: PROFILE.commonNameAsAltName,
    label: 'Add a host name in the common name to the SANs',
    group: groups.subject,
    contentType: 'boolean',
    content: true,
  }),
];

const altNameAttributes: readonly BaseAttributeDto[] = [
  dataAttribute({
    uuid: uuid(15),
    name: PROFILE.altNameTypes,
    label: 'Allowed SAN types',
    description: 'Default: DNS names, IP addresses, email addresses and URIs',
    group: groups.altNames,
    contentType: 'string',
    choices: (Object.keys(ALT_NAME_TYPES) as AltNameType[]).map((type) => ({
      reference: altNameTypeLabels[type],
      data: type,
    })),
    multiSelect: true,
  }),
  dataAttribute({
    uuid: uuid(16),
    name: PROFILE.requireAltName,
    label: 'Reject requests without a SAN',
    group: groups.altNames,
    contentType: 'boolean',
    content: false,
  }),
  dataAttribute({
    uuid: uuid(35),
    name: PROFILE.maxAltNames,
    label: 'Maximum SANs',
    group: groups.altNames,
    contentType: 'integer',
    content: DEFAULT_MAX_ALT_NAMES,
    constraints: [inRange({ from: 1, to: MAX_ALT_NAMES })],
  }),
  dataAttribute({
    uuid: uuid(17),
    name: PROFILE.dnsSuffixes,
    label: 'Allowed DNS suffixes',
    description: 'One per line; "example.com" allows the name itself and all names below it. Default: all names.',
    group: groups.altNames,
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(18),
    name: PROFILE.dnsPatterns,
    label: 'Allowed DNS name patterns',
    description:
      'Regular expressions that must match the entire name, one per line; a name must match a pattern or a suffix.',
    group: groups.altNames,
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(19),
    name: PROFILE.allowWildcards,
    label: 'Allow wildcards in DNS names',
    group: groups.altNames,
    contentType: 'boolean',
    content: true,
  }),
  dataAttribute({
    uuid: uuid(39),
    name: PROFILE.allowUnderscores,
    label: 'Allow underscores in DNS names',
    description: 'Host names do not contain underscores (RFC 1123), and some clients reject certificates with them.',
    group: groups.altNames,
    contentType: 'boolean',
    content: false,
  }),
  dataAttribute({
    uuid: uuid(20),
    name: PROFILE.ipRanges,
    label: 'Allowed IP addresses',
    description: 'Ranges such as 10.0.0.0/8 or fd00::/8, one per line. Default: all addresses.',
    group: groups.altNames,
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(21),
    name: PROFILE.emailDomains,
    label: 'Allowed email domains',
    description: 'One per line. Default: all domains.',
    group: groups.altNames,
    contentType: 'text',
  }),
];

const urlAttributes = (deltaCrls: boolean): BaseAttributeDto[] => [
  dataAttribute({
    uuid: uuid(22),
    name: PROFILE.crlUrls,
    label: 'CRL URLs',
    description: URLS,
    group: groups.urls,
    contentType: 'text',
    content: DEFAULT_URLS[PROFILE.crlUrls],
  }),
  dataAttribute({
    uuid: uuid(23),
    name: PROFILE.deltaCrlUrls,
    label: 'Delta CRL URLs',
    description: URLS,
    group: groups.urls,
    contentType: 'text',
    ...(deltaCrls ? { content: DELTA_URL } : {}),
  }),
  dataAttribute({
    uuid: uuid(24),
    name: PROFILE.ocspUrls,
    label: 'OCSP URLs',
    description: URLS,
    group: groups.urls,
    contentType: 'text',
    content: DEFAULT_URLS[PROFILE.ocspUrls],
  }),
  dataAttribute({
    uuid: uuid(25),
    name: PROFILE.caIssuersUrls,
    label: 'CA certificate URLs',
    description: URLS,
    group: groups.urls,
    contentType: 'text',
    content: DEFAULT_URLS[PROFILE.caIssuersUrls],
  }),
];

const requestAttributes: readonly BaseAttributeDto[] = [
  dataAttribute({
    uuid: uuid(37),
    name: PROFILE.excess,
    label: 'Disallowed subject attributes, extensions and usages',
    description: 'Default: omitted from the certificate. Requests for names that are not allowed are always rejected.',
    group: groups.requests,
    contentType: 'string',
    choices: Object.entries(EXCESS).map(([data, reference]) => ({ reference, data })),
  }),
];

const furtherExtensionAttributes: readonly BaseAttributeDto[] = [
  dataAttribute({
    uuid: uuid(26),
    name: PROFILE.policies,
    label: 'Certificate policies',
    description: 'Object identifiers, one per line, each optionally followed by the URL of its CPS',
    group: groups.further,
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(27),
    name: PROFILE.ocspNoCheck,
    label: 'Add ocsp-nocheck to OCSP responder certificates',
    group: groups.further,
    contentType: 'boolean',
    content: false,
  }),
  dataAttribute({
    uuid: uuid(28),
    name: PROFILE.mustStaple,
    label: 'OCSP Must-Staple',
    group: groups.further,
    contentType: 'boolean',
    content: false,
  }),
];

const caAttributes: readonly BaseAttributeDto[] = [
  dataAttribute({
    uuid: uuid(29),
    name: PROFILE.isCa,
    label: 'Issue subordinate CA certificates',
    group: groups.ca,
    contentType: 'boolean',
    content: false,
  }),
  dataAttribute({
    uuid: uuid(30),
    name: PROFILE.pathLength,
    label: 'Subordinate CA path length',
    description: 'Maximum number of CAs below the subordinate CA. Default: 0.',
    group: groups.ca,
    contentType: 'integer',
    constraints: [inRange({ from: 0, to: 10 })],
  }),
];

/**
 * Returns the definitions in form order. `deltaCrls`: the CA publishes revocations in delta CRLs, so certificates
 * include their URLs.
 */
export const raProfileAttributes = ({ deltaCrls }: { readonly deltaCrls: boolean }): BaseAttributeDto[] => [
  infoAttribute({ uuid: uuid(1), name: 'info_raProfile', label: 'Certificates of this profile', text: INTRODUCTION }),
  ...validityAttributes,
  ...usageAttributes,
  ...keyAttributes,
  ...subjectAttributes,
  ...altNameAttributes,
  ...requestAttributes,
  ...urlAttributes(deltaCrls),
  ...furtherExtensionAttributes,
  ...caAttributes,
];
