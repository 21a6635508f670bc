// The form for a key in a key store and its CSR, and the values derived from an existing entry.
import { dataAttribute, readBoolean, readString, rejectIf, validateAttributes } from '@signetry/connector-sdk';
import type { BaseAttributeDto, DataAttribute, RequestAttributeDto } from '@signetry/contract';
import { signatureAlgorithm, type Certificate, type SignatureAlgorithm } from '@signetry/pki';
import type { KeySpec } from '@signetry/pki/node';
import {
  KEY_ALGORITHM_UUID,
  KEY_SIZE_UUID,
  keyStoreRequestUuid as uuid,
  SIGNATURE_ALGORITHM_UUID,
  SUBJECT_UUID,
} from '../attributes/attribute-uuids.ts';
import { namesAsText, readRequestedNames, REQUEST, withValue, type RequestSpec } from '../locations/request-form.ts';
import { ALIAS, aliasField, readAlias } from './key-store-form.ts';

export const KEY_STORE_REQUEST = {
  alias: ALIAS,
  subject: 'dname',
  keyAlgorithm: 'keyalg',
  keySize: 'keysize',
  signatureAlgorithm: 'sigalg',
  dnsNames: REQUEST.dnsNames,
  ipAddresses: REQUEST.ipAddresses,
  keepKey: REQUEST.keepKey,
} as const;

/** Key sizes by algorithm. The first size is the default. */
const KEYS: Readonly<Record<string, Readonly<Record<string, KeySpec>>>> = {
  RSA: { '3072': 'RSA-3072', '2048': 'RSA-2048', '4096': 'RSA-4096' },
  EC: { '256': 'P-256', '384': 'P-384', '521': 'P-521' },
  Ed25519: { '255': 'Ed25519' },
};
export const KEY_STORE_KEY_ALGORITHMS: readonly string[] = Object.keys(KEYS);
const SIZES = Object.values(KEYS).flatMap((sizes) => Object.keys(sizes));

/** Signature algorithms by key algorithm. Ed25519 offers no choice of signature algorithm. */
const SIGNATURES: Readonly<Record<string, readonly string[]>> = {
  RSA: ['SHA256withRSA', 'SHA384withRSA', 'SHA512withRSA'],
  EC: ['SHA256withECDSA', 'SHA384withECDSA', 'SHA512withECDSA'],
};

const fields = {
  subject: dataAttribute({
    uuid: SUBJECT_UUID,
    name: KEY_STORE_REQUEST.subject,
    label: 'Subject',
    description: 'E.g. CN=www.example.com,O=Example,C=DE.',
    contentType: 'string',
    required: true,
  }),
  dnsNames: dataAttribute({
    uuid: uuid(1),
    name: KEY_STORE_REQUEST.dnsNames,
    label: 'DNS names',
    description: 'Separated by commas.',
    contentType: 'text',
  }),
  ipAddresses: dataAttribute({
    uuid: uuid(2),
    name: KEY_STORE_REQUEST.ipAddresses,
    label: 'IP addresses',
    description: 'Separated by commas.',
    contentType: 'text',
  }),
  keyAlgorithm: dataAttribute({
    uuid: KEY_ALGORITHM_UUID,
    name: KEY_STORE_REQUEST.keyAlgorithm,
    label: 'Key algorithm',
    contentType: 'string',
    required: true,
    choices: KEY_STORE_KEY_ALGORITHMS,
  }),
  keySize: dataAttribute({
    uuid: KEY_SIZE_UUID,
    name: KEY_STORE_REQUEST.keySize,
    label: 'Key size',
    description: 'In bits. Default: 3072 for RSA, 256 for EC.',
    contentType: 'string',
    choices: SIZES,
  }),
  signatureAlgorithm: dataAttribute({
    uuid: SIGNATURE_ALGORITHM_UUID,
    name: KEY_STORE_REQUEST.signatureAlgorithm,
    label: 'CSR signature algorithm',
    description: 'Default: the usual algorithm for the key.',
    contentType: 'string',
    choices: Object.values(SIGNATURES).flat(),
  }),
  keepKey: dataAttribute({
    uuid: uuid(3),
    name: KEY_STORE_REQUEST.keepKey,
    label: 'Keep the key on renewal',
    contentType: 'boolean',
    content: false,
  }),
};

export const keyStoreRequestForm = (): BaseAttributeDto[] => [aliasField(), ...Object.values(fields)];

export interface KeyStoreRequest extends Pick<RequestSpec, 'subject' | 'names' | 'keepKey'> {
  readonly alias: string;
  readonly spec: KeySpec;
  /** Undefined for the key's default algorithm. */
  readonly algorithm: SignatureAlgorithm | undefined;
}

/** Reads the request. Rejects invalid values, listing every problem. */
export async function readKeyStoreRequest(given: readonly RequestAttributeDto[]): Promise<KeyStoreRequest> {
  rejectIf(validateAttributes(keyStoreRequestForm(), given));
  const text = (name: string): string | undefined => readString(given, name);
  const keyAlgorithm = text(KEY_STORE_REQUEST.keyAlgorithm) ?? '';
  const sizes = KEYS[keyAlgorithm] ?? {};
  const size = text(KEY_STORE_REQUEST.keySize) ?? Object.keys(sizes)[0] ?? '';
  const spec = sizes[size];
  const signature = text(KEY_STORE_REQUEST.signatureAlgorithm);
  rejectIf([
    ...(spec ? [] : [`${keyAlgorithm} keys must have ${Object.keys(sizes).join(', ')} bits, not ${size}.`]),
    ...(signature === undefined || SIGNATURES[keyAlgorithm]?.includes(signature)
      ? []
      : [`${keyAlgorithm} keys cannot sign with ${signature}.`]),
  ]);
  return {
    alias: readAlias(given),
    ...(await readRequestedNames(given, KEY_STORE_REQUEST)),
    // An undefined `spec` was rejected above.
    spec: spec ?? 'P-256',
    algorithm: signature === undefined ? undefined : signatureAlgorithm(signature),
    keepKey: readBoolean(given, KEY_STORE_REQUEST.keepKey) ?? false,
  };
}

/** Returns undefined if the form cannot represent the certificate. */
export function keyStoreRequestValues(alias: string, certificate: Certificate): DataAttribute[] | undefined {
  const names = namesAsText(certificate);
  const { family, bits, curve } = certificate.publicKey;
  const spec = family === 'RSA' ? `RSA-${bits}` : (curve ?? family);
  const key = Object.entries(KEYS).flatMap(([algorithm, sizes]) =>
    Object.entries(sizes).flatMap(([size, each]) => (each === spec ? [{ algorithm, size }] : [])),
  )[0];
  if (!names || !key) return undefined;
  return [
    ...withValue(aliasField(), alias),
    ...withValue(fields.subject, names.subject),
    ...withValue(fields.dnsNames, names.dnsNames),
    ...withValue(fields.ipAddresses, names.ipAddresses),
    ...withValue(fields.keyAlgorithm, key.algorithm),
    ...withValue(fields.keySize, key.size),
  ];
}
