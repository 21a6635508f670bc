// Settings of an RA profile: attribute names, choices and defaults.
import { OID, type KeyUsage } from '@signetry/pki';

export const PROFILE = {
  validityDays: 'data_validityDays',
  maxValidityDays: 'data_maxValidityDays',
  backdateMinutes: 'data_backdateMinutes',
  keyUsages: 'data_keyUsages',
  extendedKeyUsages: 'data_extendedKeyUsages',
  otherExtendedKeyUsages: 'data_otherExtendedKeyUsages',
  keyAlgorithms: 'data_keyAlgorithms',
  minRsaBits: 'data_minRsaBits',
  otherRsaExponents: 'data_otherRsaExponents',
  curves: 'data_curves',
  copySubject: 'data_copySubject',
  subjectParts: 'data_subjectParts',
  fixedSubject: 'data_fixedSubject',
  commonNamePattern: 'data_commonNamePattern',
  commonNameAsAltName: 'data_commonNameAsAltName',
  altNameTypes: 'data_altNameTypes',
  requireAltName: 'data_requireAltName',
  maxAltNames: 'data_maxAltNames',
  dnsSuffixes: 'data_dnsSuffixes',
  dnsPatterns: 'data_dnsPatterns',
  allowWildcards: 'data_allowWildcards',
  allowUnderscores: 'data_allowUnderscores',
  ipRanges: 'data_ipRanges',
  emailDomains: 'data_emailDomains',
  crlUrls: 'data_crlUrls',
  deltaCrlUrls: 'data_deltaCrlUrls',
  ocspUrls: 'data_ocspUrls',
  caIssuersUrls: 'data_caIssuersUrls',
  policies: 'data_certificatePolicies',
  ocspNoCheck: 'data_ocspNoCheck',
  mustStaple: 'data_mustStaple',
  excess: 'data_excess',
  isCa: 'data_certificateAuthority',
  pathLength: 'data_pathLength',
} as const;

export const DEFAULT_VALIDITY_DAYS = 90;
/** A hundred years; a longer validity is almost certainly a typo. */
export const MAX_VALIDITY_DAYS = 36_525;
export const DEFAULT_BACKDATE_MINUTES = 1;
/** Clients with a larger clock skew have other problems as well. */
export const MAX_BACKDATE_MINUTES = 5;
export const DEFAULT_MIN_RSA_BITS = 2048;
/** A certificate is sent in every handshake, and is only as secure as the least protected of its hosts. */
export const DEFAULT_MAX_ALT_NAMES = 100;
/** Servers and clients start to reject certificates with more names. */
export const MAX_ALT_NAMES = 1000;
export const DEFAULT_KEY_USAGES: readonly KeyUsage[] = ['digitalSignature'];
export const DEFAULT_CA_KEY_USAGES: readonly KeyUsage[] = ['keyCertSign', 'cRLSign'];
export const DEFAULT_EXTENDED_KEY_USAGES: readonly string[] = [OID.serverAuth, OID.clientAuth];

export const KEY_FAMILIES = ['ECDSA', 'RSA', 'Ed25519', 'Ed448', 'ML-DSA', 'SLH-DSA'] as const;
export const CURVES = { 'P-256': OID.secp256r1, 'P-384': OID.secp384r1, 'P-521': OID.secp521r1 } as const;
export const ALT_NAME_TYPES = {
  dns: 'dNSName',
  ip: 'iPAddress',
  email: 'rfc822Name',
  uri: 'uniformResourceIdentifier',
  directoryName: 'directoryName',
  otherName: 'otherName',
  registeredId: 'registeredID',
} as const;
/** Short names of attribute types in distinguished names (RFC 4514 §3, RFC 4519 §2). */
export const SUBJECT_PARTS = {
  CN: 'Common name',
  O: 'Organization',
  OU: 'Organizational unit',
  C: 'Country',
  ST: 'State or province',
  L: 'Locality',
  STREET: 'Street address',
  SERIALNUMBER: 'Serial number',
  GIVENNAME: 'Given name',
  SN: 'Surname',
  T: 'Title',
  UID: 'User ID',
  EMAIL: 'Email address',
  DC: 'Domain component',
} as const;
/** How to handle parts of a request that the profile does not allow. */
export const EXCESS = { ignore: 'Omit them', refuse: 'Reject the request' } as const;
export type Excess = keyof typeof EXCESS;
export type AltNameType = keyof typeof ALT_NAME_TYPES;
/** Types that can be requested if the profile specifies none. */
export const DEFAULT_ALT_NAME_TYPES: readonly AltNameType[] = ['dns', 'ip', 'email', 'uri'];

/** Default URLs for attributes without a value: the platform's own URLs. */
export const DEFAULT_URLS: Readonly<Record<string, string>> = {
  [PROFILE.crlUrls]: '{{revocationUrl}}/crl/{{authority}}.crl',
  [PROFILE.ocspUrls]: '{{revocationUrl}}/ocsp/{{authority}}',
  [PROFILE.caIssuersUrls]: '{{revocationUrl}}/ca/{{authority}}.crt',
};
