// The form of a CA: the origin of its key, the contents of its certificate, the validity of its CRLs.
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

/** Where the key and certificate of a CA come from. */
export const CA_SOURCES = ['root', 'subordinate', 'import'] as const;
export type CaSource = (typeof CA_SOURCES)[number];

/** Key algorithms of CAs, the default first. */
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
/** Longest validity of a CA certificate: no present key algorithm will be trusted for longer. */
const MAX_VALIDITY_YEARS = 50;
export const DEFAULT_CRL_VALIDITY_HOURS = 24;
export const DEFAULT_DELTA_CRL_VALIDITY_HOURS = 4;
const MAX_CRL_VALIDITY_HOURS = 24 * 366;

/** The kind of CRL that a revocation triggers; the first is the default. */
export const CRL_ON_REVOCATION = ['full', 'delta'] as const;
export type CrlOnRevocation = (typeof CRL_ON_REVOCATION)[number];

export const readCrlOnRevocation = (attributes: readonly RequestAttributeDto[]): CrlOnRevocation =>
  CRL_ON_REVOCATION.find((choice) => choice === readString(attributes, AUTHORITY.crlOnRevocation)) ?? 'full';

/** Number of distribution points over which the CRLs of new certificates are spread; 1 means none. */
export const readCrlShards = (attributes: readonly RequestAttributeDto[]): number =>
  readInteger(attributes, AUTHORITY.crlShards) ?? 1;

const INTRODUCTION = `Signs with a CA key that is kept sealed in the database, or that stays in a token.

* **New root CA**: a self-signed certificate; everything has a default.
* **Subordinate CA**: a certificate that another CA of this connector signs.
* **Import**: an existing key with its certificates, as PKCS#12 or PEM.`;

const NO_TOKEN_KEYS = `

Keys in tokens cannot be chosen: this connector runs apart from the platform that keeps them.`;

/** A CA that can sign subordinate CAs. */
export interface ParentChoice {
  readonly uuid: string;
  readonly name: string;
}

/** What the form of a CA offers. */
export interface FormFacts {
  readonly parents: readonly ParentChoice[];
  /** Whether the host has keys in tokens. */
  readonly hasTokenKeys: boolean;
}

export const crlAttributes: readonly DataAttribute[] = [
  dataAttribute({
    uuid: uuid(20),
    name: AUTHORITY.crlValidityHours,
    label: 'CRL validity in hours',
    description: 'Time from thisUpdate to nextUpdate of a full CRL.',
    group: 'Revocation lists',
    contentType: 'integer',
    content: DEFAULT_CRL_VALIDITY_HOURS,
    constraints: [inRange({ from: 1, to: MAX_CRL_VALIDITY_HOURS })],
  }),
  dataAttribute({
    uuid: uuid(21),
    name: AUTHORITY.deltaCrlValidityHours,
    label: 'Delta CRL validity in hours',
    group: 'Revocation lists',
    contentType: 'integer',
    content: DEFAULT_DELTA_CRL_VALIDITY_HOURS,
    constraints: [inRange({ from: 1, to: MAX_CRL_VALIDITY_HOURS })],
  }),
  dataAttribute({
    uuid: uuid(22),
    name: AUTHORITY.crlOnRevocation,
    label: 'A revocation makes',
    description:
      'Without a choice: a full CRL at once. With a delta CRL, full ones are made on schedule only: suitable for long lists whose relying parties all process deltas. OCSP reports revocations at once in either case.',
    group: 'Revocation lists',
    contentType: 'string',
    choices: [
      { reference: 'A full CRL at once', data: 'full' },
      { reference: 'A delta CRL', data: 'delta' },
    ],
  }),
  dataAttribute({
    uuid: uuid(23),
    name: AUTHORITY.deltaCrlUrls,
    label: 'Delta CRL URLs in full CRLs',
    description: 'Lets relying parties that have the full CRL find the delta; one URL per line.',
    group: 'Revocation lists',
    contentType: 'text',
  }),
];

export const shardsAttribute: DataAttribute = dataAttribute({
  uuid: uuid(24),
  name: AUTHORITY.crlShards,
  label: 'Shards of the CRL',
  description:
    'Each new certificate names one of this many short CRLs instead of the complete one, which still has all entries. 1: no shards. May be raised later, for certificates issued from then on.',
  group: 'Revocation lists',
  contentType: 'integer',
  content: 1,
  constraints: [inRange({ from: 1, to: MAX_CRL_SHARDS })],
});

export const newCaAttributes: readonly DataAttribute[] = [
  dataAttribute({
    uuid: uuid(3),
    name: AUTHORITY.subject,
    label: 'Subject',
    description:
      'Distinguished name such as "CN=Example Root, O=Example". Without it: CN and the name of the authority.',
    group: 'New CA',
    contentType: 'string',
  }),
  dataAttribute({
    uuid: uuid(4),
    name: AUTHORITY.keyAlgorithm,
    label: 'Key algorithm',
    description: `Without a choice: ${keyAlgorithmLabel(CA_KEY_ALGORITHMS[0])}.`,
    group: 'New CA',
    contentType: 'string',
    choices: CA_KEY_ALGORITHMS.map((algorithm) => ({ reference: keyAlgorithmLabel(algorithm), data: algorithm })),
  }),
  dataAttribute({
    uuid: uuid(5),
    name: AUTHORITY.validityYears,
    label: 'Validity in years',
    description: 'The certificate of a subordinate CA never outlives that of its parent.',
    group: 'New CA',
    contentType: 'integer',
    content: DEFAULT_VALIDITY_YEARS,
    constraints: [inRange({ from: 1, to: MAX_VALIDITY_YEARS })],
  }),
  dataAttribute({
    uuid: uuid(6),
    name: AUTHORITY.pathLength,
    label: 'Path length',
    description: 'How many CAs may follow below. Without it: any number below a root, none below a subordinate.',
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
    description: 'The CA that signs the certificate of a subordinate CA.',
    group: 'Subordinate CA',
    contentType: 'string',
    choices: parents.map((parent) => ({ reference: parent.name, data: parent.uuid })),
  }),
  dataAttribute({
    uuid: uuid(8),
    name: AUTHORITY.certificateCrlUrls,
    label: 'CRL URLs of the parent',
    description: 'Written into the certificate of a subordinate CA; one URL per line.',
    group: 'Subordinate CA',
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(9),
    name: AUTHORITY.certificateCaIssuersUrls,
    label: 'Certificate URLs of the parent',
    description: 'Written into the certificate of a subordinate CA; one URL per line.',
    group: 'Subordinate CA',
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(10),
    name: AUTHORITY.certificateOcspUrls,
    label: 'OCSP URLs of the parent',
    description: 'Written into the certificate of a subordinate CA; one URL per line.',
    group: 'Subordinate CA',
    contentType: 'text',
  }),
];

export const importAttributes: readonly DataAttribute[] = [
  dataAttribute({
    uuid: uuid(11),
    name: AUTHORITY.keyStore,
    label: 'Key and certificates',
    description: 'PKCS#12 file, or PEM with the private key, the CA certificate and the certificates above it.',
    group: 'Import',
    contentType: 'file',
  }),
  dataAttribute({
    uuid: uuid(12),
    name: AUTHORITY.keyStorePassword,
    label: 'Password of the file',
    group: 'Import',
    contentType: 'secret',
  }),
];

/** For every kind of CA. */
const tokenKeyAttribute: DataAttribute = dataAttribute({
  uuid: uuid(14),
  name: AUTHORITY.tokenKey,
  label: 'Key pair in a token',
  description:
    'The CA signs with this key pair, which stays in its token, while the token is activated. It has its algorithm already; for an import, the file has certificates only. Without a choice, the key is kept sealed in the database.',
  group: 'Key of the CA',
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
  label: 'Kind of CA',
  description: 'Without a choice: a new root CA with the defaults.',
  contentType: 'string',
  choices: [
    { reference: 'New root CA', data: 'root' },
    { reference: 'Subordinate CA', data: 'subordinate' },
    { reference: 'Import', data: 'import' },
  ],
});

/** Every definition, by which values are judged; the form shows those of the kind of CA that is chosen. */
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

/** What can be changed later; the number of shards may also be raised. Everything else is in the certificate. */
export const changeableAuthorityAttributes: readonly string[] = crlAttributes.map(({ name }) => name);
