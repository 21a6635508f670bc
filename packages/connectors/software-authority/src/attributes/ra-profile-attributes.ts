// The form of an RA profile: what certificates issued under it look like, and what requests may ask for. A table of
// definitions, hence its length.
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
  email: 'E-mail address',
  uri: 'URI',
  directoryName: 'Directory name',
  otherName: 'Other name (e.g. user principal name)',
  registeredId: 'Registered identifier',
};

const DELTA_URL = '{{revocationUrl}}/crl/{{authority}}-delta.crl';

const INTRODUCTION = `What certificates look like and what requests may ask for. Fields left empty have sensible defaults.

Addresses left empty are those of the platform; \`none\` leaves them out of certificates. In URLs the platform replaces \`{{revocationUrl}}\` by the address where it serves CRLs and OCSP, \`{{publicUrl}}\` by its public address, and \`{{authority}}\` by the identifier of the CA.`;

const URLS = 'One per line; "none" for no URL.';

const groups = {
  validity: 'Validity',
  usage: 'Usage',
  keys: 'Public keys',
  subject: 'Subject',
  altNames: 'Alternative names',
  urls: 'Addresses in certificates',
  requests: 'Requests that ask for more',
  further: 'Further extensions',
  ca: 'Subordinate CA',
} as const;

const validityAttributes: readonly BaseAttributeDto[] = [
  dataAttribute({
    uuid: uuid(2),
    name: PROFILE.validityDays,
    label: 'Validity in days',
    description: 'Certificates never outlive the CA.',
    group: groups.validity,
    contentType: 'integer',
    content: DEFAULT_VALIDITY_DAYS,
    constraints: [inRange({ from: 1, to: MAX_VALIDITY_DAYS })],
  }),
  dataAttribute({
    uuid: uuid(3),
    name: PROFILE.maxValidityDays,
    label: 'Longest validity in days that a request may ask for',
    description: 'Without it: the validity above.',
    group: groups.validity,
    contentType: 'integer',
    constraints: [inRange({ from: 1, to: MAX_VALIDITY_DAYS })],
  }),
  dataAttribute({
    uuid: uuid(4),
    name: PROFILE.backdateMinutes,
    label: 'Minutes that the validity starts before the issuance',
    description: 'Lets clients whose clocks are slightly slow use the certificate at once.',
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
    description: 'Without a choice: digital signature; for a subordinate CA: certificate and CRL signing.',
    group: groups.usage,
    contentType: 'string',
    choices: [...KEY_USAGES],
    multiSelect: true,
  }),
  dataAttribute({
    uuid: uuid(6),
    name: PROFILE.extendedKeyUsages,
    label: 'Extended key usages',
    description: 'Without a choice: TLS server and client; for a subordinate CA: none.',
    group: groups.usage,
    contentType: 'string',
    choices: [...EXTENDED_KEY_USAGE_NAMES].map(([oid, name]) => ({ reference: name, data: oid })),
    multiSelect: true,
  }),
  dataAttribute({
    uuid: uuid(7),
    name: PROFILE.otherExtendedKeyUsages,
    label: 'Further extended key usages',
    description: 'Object identifiers, one per line.',
    group: groups.usage,
    contentType: 'text',
  }),
];

const keyAttributes: readonly BaseAttributeDto[] = [
  dataAttribute({
    uuid: uuid(8),
    name: PROFILE.keyAlgorithms,
    label: 'Allowed key algorithms',
    description: 'Without a choice: all of them.',
    group: groups.keys,
    contentType: 'string',
    choices: [...KEY_FAMILIES],
    multiSelect: true,
  }),
  dataAttribute({
    uuid: uuid(9),
    name: PROFILE.minRsaBits,
    label: 'Smallest RSA key in bits',
    group: groups.keys,
    contentType: 'integer',
    content: DEFAULT_MIN_RSA_BITS,
    constraints: [inRange({ from: 2048, to: 8192 })],
  }),
  dataAttribute({
    uuid: uuid(38),
    name: PROFILE.otherRsaExponents,
    label: 'Accept RSA keys with another public exponent than 65537',
    description: 'Those that are even, below 65537 or longer than 256 bits are refused in any case.',
    group: groups.keys,
    contentType: 'boolean',
    content: false,
  }),
  dataAttribute({
    uuid: uuid(10),
    name: PROFILE.curves,
    label: 'Allowed curves of ECDSA keys',
    description: 'Without a choice: all of them.',
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
    label: 'Take the subject from the request',
    group: groups.subject,
    contentType: 'boolean',
    content: true,
  }),
  dataAttribute({
    uuid: uuid(36),
    name: PROFILE.subjectParts,
    label: 'Parts of the subject that are copied',
    description: 'Without a choice: all of them.',
    group: groups.subject,
    contentType: 'string',
    choices: Object.entries(SUBJECT_PARTS).map(([data, reference]) => ({ reference, data })),
    multiSelect: true,
  }),
  dataAttribute({
    uuid: uuid(12),
    name: PROFILE.fixedSubject,
    label: 'Fixed parts of the subject',
    description: 'Distinguished name such as "O=Example, C=DE"; replaces parts of the same type in the request.',
    group: groups.subject,
    contentType: 'string',
  }),
  dataAttribute({
    uuid: uuid(13),
    name: PROFILE.commonNamePattern,
    label: 'Pattern of common names',
    description: 'Regular expression that the whole common name matches.',
    group: groups.subject,
    contentType: 'string',
  }),
  dataAttribute({
    uuid: uuid(14),
    name: PROFILE.commonNameAsAltName,
    label: 'Add a host name in the common name to the alternative names',
    group: groups.subject,
    contentType: 'boolean',
    content: true,
  }),
];

const altNameAttributes: readonly BaseAttributeDto[] = [
  dataAttribute({
    uuid: uuid(15),
    name: PROFILE.altNameTypes,
    label: 'Allowed types of alternative names',
    description: 'Without a choice: DNS names, IP addresses, e-mail addresses and URIs.',
    group: groups.altNames,
    contentType: 'string',
    choices: (Object.keys(ALT_NAME_TYPES) as AltNameType[]).map((type) => ({
      reference: altNameTypeLabels[type],
      data: type,
    })), // own keys
    multiSelect: true,
  }),
  dataAttribute({
    uuid: uuid(16),
    name: PROFILE.requireAltName,
    label: 'Refuse requests without an alternative name',
    group: groups.altNames,
    contentType: 'boolean',
    content: false,
  }),
  dataAttribute({
    uuid: uuid(35),
    name: PROFILE.maxAltNames,
    label: 'Most alternative names in one certificate',
    group: groups.altNames,
    contentType: 'integer',
    content: DEFAULT_MAX_ALT_NAMES,
    constraints: [inRange({ from: 1, to: MAX_ALT_NAMES })],
  }),
  dataAttribute({
    uuid: uuid(17),
    name: PROFILE.dnsSuffixes,
    label: 'Allowed DNS suffixes',
    description: 'One per line; "example.com" allows the name itself and everything below. Without any: all names.',
    group: groups.altNames,
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(18),
    name: PROFILE.dnsPatterns,
    label: 'Allowed patterns of DNS names',
    description:
      'Regular expressions that the whole name matches, one per line; names may match these or the suffixes.',
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
    uuid: uuid(20),
    name: PROFILE.ipRanges,
    label: 'Allowed IP addresses',
    description: 'Ranges such as 10.0.0.0/8 or fd00::/8, one per line. Without any: all addresses.',
    group: groups.altNames,
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(21),
    name: PROFILE.emailDomains,
    label: 'Allowed domains of e-mail addresses',
    description: 'One per line. Without any: all domains.',
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
    label: 'URLs of the CA certificate',
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
    label: 'Subject parts, extensions and usages that the profile does not allow',
    description:
      'Without a choice: left out of the certificate. A request for a name that is not allowed is refused in any case.',
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
    description: 'Object identifiers, one per line, each optionally followed by the URL of its CPS.',
    group: groups.further,
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(27),
    name: PROFILE.ocspNoCheck,
    label: 'OCSP responder certificates need no check (ocsp-nocheck)',
    group: groups.further,
    contentType: 'boolean',
    content: false,
  }),
  dataAttribute({
    uuid: uuid(28),
    name: PROFILE.mustStaple,
    label: 'Servers must staple OCSP answers',
    group: groups.further,
    contentType: 'boolean',
    content: false,
  }),
];

const caAttributes: readonly BaseAttributeDto[] = [
  dataAttribute({
    uuid: uuid(29),
    name: PROFILE.isCa,
    label: 'Issue certificates of subordinate CAs',
    group: groups.ca,
    contentType: 'boolean',
    content: false,
  }),
  dataAttribute({
    uuid: uuid(30),
    name: PROFILE.pathLength,
    label: 'Path length of subordinate CAs',
    description: 'How many CAs may follow below. Without it: none.',
    group: groups.ca,
    contentType: 'integer',
    constraints: [inRange({ from: 0, to: 10 })],
  }),
];

/**
 * Definitions in the order of the form. `deltaCrls`: the CA publishes revocations in delta CRLs, so certificates name
 * their URLs.
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
