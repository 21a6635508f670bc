// CA form: the origin of the key, the contents of the certificate, and the validity of CRLs.
import { dataAttribute, inRange, infoAttribute, readInteger, readString, signingKeys } from '@signetry/connector-sdk';
import {
  MAX_CRL_SHARDS,
  type BaseAttributeDto,
  type DataAttribute,
  type RequestAttributeDto,
} from '@signetry/contract';
import { authorityAttributeUuid as uuid } from './attribute-uuids.ts';

export const AUTHORITY = {
  source: 'data_source',
  subject: 'data_subject',
  keyAlgorithm: 'data_keyAlgorithm',
  validityYears: 'data_validityYears',
  pathLength: 'data_pathLength',
  parent: 'data_parentAuthority',
  certificateCrlUrls: 'data_certificateCrlUrls',
  certificateCaIssuersUrls: 'data_certificateCaIssuersUrls',
  certificateOcspUrls: 'data_certificateOcspUrls',
  keyStore: 'data_keyStore',
  keyStorePassword: 'data_keyStorePassword',
  tokenKey: 'data_tokenKey',
  crlValidityHours: 'data_crlValidityHours',
  deltaCrlValidityHours: 'data_deltaCrlValidityHours',
  crlOnRevocation: 'data_crlOnRevocation',
  deltaCrlUrls: 'data_deltaCrlUrls',
  crlShards: 'data_crlShards',
} as const;

/** Origins of a CA's key and certificate. */
export const CA_SOURCES = ['root', 'subordinate', 'import'] as const;
export type CaSource = (typeof CA_SOURCES)[number];

/** Key algorithms for CAs, default first. */
export const CA_KEY_ALGORITHMS = [
  'P-256',
  'P-384',
  'P-521',
  'RSA-2048',
  'RSA-3072',
  'RSA-4096',
  'Ed25519',
  'ML-DSA-44',
  'ML-DSA-65',
  'ML-DSA-87',
] as const;
export type CaKeyAlgorithm = (typeof CA_KEY_ALGORITHMS)[number];

const keyAlgorithmLabel = (algorithm: CaKeyAlgorithm): string =>
  algorithm.startsWith('P-') ? `ECDSA ${algorithm}` : algorithm.replace('RSA-', 'RSA ');

export const DEFAULT_VALIDITY_YEARS = 10;
/** Maximum validity of a CA certificate: no current key algorithm will be trusted for longer. */
const MAX_VALIDITY_YEARS = 50;
export const DEFAULT_CRL_VALIDITY_HOURS = 24;
export const DEFAULT_DELTA_CRL_VALIDITY_HOURS = 4;
const MAX_CRL_VALIDITY_HOURS = 24 * 366;

/** Type of CRL to issue after a revocation. The first is the default. */
export const CRL_ON_REVOCATION = ['full', 'delta'] as const;
export type CrlOnRevocation = (typeof CRL_ON_REVOCATION)[number];

export const readCrlOnRevocation = (attributes: readonly RequestAttributeDto[]): CrlOnRevocation =>
  CRL_ON_REVOCATION.find((choice) => choice === readString(attributes, AUTHORITY.crlOnRevocation)) ?? 'full';

/** Number of distribution points over which new certificates are spread; 1 means no partitions. */
export const readCrlShards = (attributes: readonly RequestAttributeDto[]): number =>
  readInteger(attributes, AUTHORITY.crlShards) ?? 1;

const INTRODUCTION = `Signs with a CA key that is stored sealed in the database or remains in a token.\n\n* **New root CA**: a self-signed certificate; everything has a default.\n* **Subordinate CA**: a certificate that another CA of this connector signs.\n* **Import**: an existing key with its certificates, as PKCS #12 or PEM.`;

const NO_TOKEN_KEYS = `

Keys in tokens are not available: this connector runs separately from the platform that stores them.`;

/** CA that can sign subordinate CAs. */
export interface ParentChoice {
  readonly uuid: string;
  readonly name: string;
}

/** Choices that the CA form offers. */
export interface FormFacts {
  readonly parents: readonly ParentChoice[];
  /** Whether the host has keys in tokens. */
  readonly hasTokenKeys: boolean;
}

export const crlAttributes: readonly DataAttribute[] = [
  dataAttribute({
    uuid: uuid(20),
    name: AUTHORITY.crlValidityHours,
    label: 'CRL validity (hours)',
    description: 'Time from thisUpdate to nextUpdate of a full CRL',
    group: 'CRLs',
    contentType: 'integer',
    content: DEFAULT_CRL_VALIDITY_HOURS,
    constraints: [inRange({ from: 1, to: MAX_CRL_VALIDITY_HOURS })],
  }),
  dataAttribute({
    uuid: uuid(21),
    name: AUTHORITY.deltaCrlValidityHours,
    label: 'Delta CRL validity (hours)',
    group: 'CRLs',
    contentType: 'integer',
    content: DEFAULT_DELTA_CRL_VALIDITY_HOURS,
    constraints: [inRange({ from: 1, to: MAX_CRL_VALIDITY_HOURS })],
  }),
  dataAttribute({
    uuid: uuid(22),
    name: AUTHORITY.crlOnRevocation,
    label: 'On revocation, publish',
    description:
      'Default: a full CRL. With a delta CRL, full CRLs are published only on schedule; suitable for long CRLs whose relying parties all process delta CRLs. OCSP reports revocations immediately in either case.',
    group: 'CRLs',
    contentType: 'string',
    choices: [
      { reference: 'Full CRL, immediately', data: 'full' },
      { reference: 'Delta CRL', data: 'delta' },
    ],
  }),
  dataAttribute({
    uuid: uuid(23),
    name: AUTHORITY.deltaCrlUrls,
    label: 'Delta CRL URLs in full CRLs',
    description: 'URLs where relying parties that have the full CRL can find the delta CRL, one per line',
    group: 'CRLs',
    contentType: 'text',
  }),
];

export const shardsAttribute: DataAttribute = dataAttribute({
  uuid: uuid(24),
  name: AUTHORITY.crlShards,
  label: 'CRL partitions',
  description:
    'Each new certificate references one of this many short CRLs instead of the complete one, which still has all entries. 1: no partitions. Can be increased later, for certificates issued from then on.',
  group: 'CRLs',
  contentType: 'integer',
  content: 1,
  constraints: [inRange({ from: 1, to: MAX_CRL_SHARDS })],
});

export const newCaAttributes: readonly DataAttribute[] = [
  dataAttribute({
    uuid: uuid(3),
    name: AUTHORITY.subject,
    label: 'Subject',
    description: 'Distinguished name such as "CN=Example Root, O=Example". Default: CN with the name of the authority.',
    group: 'New CA',
    contentType: 'string',
  }),
  dataAttribute({
    uuid: uuid(4),
    name: AUTHORITY.keyAlgorithm,
    label: 'Key algorithm',
    description: `Default: ${keyAlgorithmLabel(CA_KEY_ALGORITHMS[0])}`,
    group: 'New CA',
    contentType: 'string',
    choices: CA_KEY_ALGORITHMS.map((algorithm) => ({ reference: keyAlgorithmLabel(algorithm), data: algorithm })),
  }),
  dataAttribute({
    uuid: uuid(5),
    name: AUTHORITY.validityYears,
    label: 'Validity (years)',
    description: 'A subordinate CA certificate never outlives the certificate of its parent.',
    group: 'New CA',
    contentType: 'integer',
    content: DEFAULT_VALIDITY_YEARS,
    constraints: [inRange({ from: 1, to: MAX_VALIDITY_YEARS })],
  }),
  dataAttribute({
    uuid: uuid(6),
    name: AUTHORITY.pathLength,
    label: 'Path length',
    description: 'Maximum number of CAs below this one. Default: unlimited for a root CA, 0 for a subordinate CA.',
    group: 'New CA',
    contentType: 'integer',
    constraints: [inRange({ from: 0, to: 10 })],
  }),
];

export const subordinateAttributes = ({ parents }: Pick<FormFacts, 'parents'>): DataAttribute[] => [
  dataAttribute({
    uuid: uuid(7),
    name: AUTHORITY.parent,
    label: 'Parent CA',
    description: 'CA that signs the subordinate CA certificate',
    group: 'Subordinate CA',
    contentType: 'string',
    choices: parents.map((parent) => ({ reference: parent.name, data: parent.uuid })),
  }),
  dataAttribute({
    uuid: uuid(8),
    name: AUTHORITY.certificateCrlUrls,
    label: 'Parent CRL URLs',
    description: 'Included in the subordinate CA certificate; one URL per line',
    group: 'Subordinate CA',
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(9),
    name: AUTHORITY.certificateCaIssuersUrls,
    label: 'Parent certificate URLs',
    description: 'Included in the subordinate CA certificate; one URL per line',
    group: 'Subordinate CA',
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(10),
    name: AUTHORITY.certificateOcspUrls,
    label: 'Parent OCSP URLs',
    description: 'Included in the subordinate CA certificate; one URL per line',
    group: 'Subordinate CA',
    contentType: 'text',
  }),
];

export const importAttributes: readonly DataAttribute[] = [
  dataAttribute({
    uuid: uuid(11),
    name: AUTHORITY.keyStore,
    label: 'Key and certificates',
    description: 'PKCS #12 file, or PEM with the private key, the CA certificate and the certificates above it',
    group: 'Import',
    contentType: 'file',
  }),
  dataAttribute({
    uuid: uuid(12),
    name: AUTHORITY.keyStorePassword,
    label: 'File password',
    group: 'Import',
    contentType: 'secret',
  }),
];

/** For all CA types. */
const tokenKeyAttribute: DataAttribute = dataAttribute({
  uuid: uuid(14),
  name: AUTHORITY.tokenKey,
  label: 'Token key pair',
  description:
    'The CA signs with this key pair, which remains in its token; the token must be active. The key pair determines the key algorithm; for an import, the file contains only certificates. Default: a key that is stored sealed in the database.',
  group: 'CA key',
  contentType: 'string',
  choices: [],
  callback: signingKeys,
});

export const tokenKeyAttributes = ({ hasTokenKeys }: Pick<FormFacts, 'hasTokenKeys'>): DataAttribute[] =>
  hasTokenKeys ? [tokenKeyAttribute] : [];

export const introduction = ({ hasTokenKeys }: Pick<FormFacts, 'hasTokenKeys'>) =>
  infoAttribute({
    uuid: uuid(1),
    name: 'info_softwareAuthority',
    label: 'Software CA',
    text: hasTokenKeys ? INTRODUCTION : `${INTRODUCTION}${NO_TOKEN_KEYS}`,
  });

export const sourceAttribute: DataAttribute = dataAttribute({
  uuid: uuid(2),
  name: AUTHORITY.source,
  label: 'CA type',
  description: 'Default: a new root CA with default settings',
  contentType: 'string',
  choices: [
    { reference: 'New root CA', data: 'root' },
    { reference: 'Subordinate CA', data: 'subordinate' },
    { reference: 'Import', data: 'import' },
  ],
});

/** Returns all definitions, for validation. The form shows only those for the selected CA type. */
export const authorityAttributes = (form: FormFacts): BaseAttributeDto[] => [
  introduction(form),
  sourceAttribute,
  ...newCaAttributes,
  ...subordinateAttributes(form),
  ...importAttributes,
  ...tokenKeyAttributes(form),
  ...crlAttributes,
  shardsAttribute,
];

/**
 * Attributes that can be changed after creation. The number of CRL partitions can also be increased. All other
 * attributes are part of the certificate.
 */
export const changeableAuthorityAttributes: readonly string[] = crlAttributes.map(({ name }) => name);
