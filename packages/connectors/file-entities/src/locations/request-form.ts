// The form for a key and its CSR, and the values derived from a certificate, so that a certificate found in a location
// can be renewed without filling in the form.
import { dataAttribute, readBoolean, readString, rejectIf, validateAttributes } from '@signetry/connector-sdk';
import type { BaseAttributeDto, DataAttribute, RequestAttributeDto } from '@signetry/contract';
import {
  buildName,
  formatGeneralName,
  formatNameRfc4514,
  hostNameForm,
  ipAddressName,
  parseNameText,
  type Certificate,
  type GeneralName,
  type Name,
} from '@signetry/pki';
import { requestUuid as uuid } from '../attributes/attribute-uuids.ts';
import { readOrReject } from '../problems.ts';

export const REQUEST = {
  subject: 'data_subject',
  dnsNames: 'data_dnsNames',
  ipAddresses: 'data_ipAddresses',
  keyAlgorithm: 'data_keyAlgorithm',
  keepKey: 'data_keepKey',
} as const;

export const KEY_ALGORITHMS = ['P-256', 'P-384', 'RSA-2048', 'RSA-3072', 'Ed25519'] as const;
export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number];

const fields = {
  subject: dataAttribute({
    uuid: uuid(1),
    name: REQUEST.subject,
    label: 'Subject',
    description: 'E.g. CN=www.example.com,O=Example,C=DE.',
    contentType: 'string',
    required: true,
  }),
  dnsNames: dataAttribute({
    uuid: uuid(2),
    name: REQUEST.dnsNames,
    label: 'DNS names',
    description: 'Separated by commas.',
    contentType: 'text',
  }),
  ipAddresses: dataAttribute({
    uuid: uuid(3),
    name: REQUEST.ipAddresses,
    label: 'IP addresses',
    description: 'Separated by commas.',
    contentType: 'text',
  }),
  keyAlgorithm: dataAttribute({
    uuid: uuid(4),
    name: REQUEST.keyAlgorithm,
    label: 'Key algorithm',
    contentType: 'string',
    required: true,
    choices: KEY_ALGORITHMS,
  }),
  keepKey: dataAttribute({
    uuid: uuid(5),
    name: REQUEST.keepKey,
    label: 'Keep the key on renewal',
    contentType: 'boolean',
    content: false,
  }),
};

export const requestForm = (): BaseAttributeDto[] => Object.values(fields);

export interface RequestSpec {
  readonly subject: Name;
  readonly names: readonly GeneralName[];
  readonly keyAlgorithm: KeyAlgorithm;
  readonly keepKey: boolean;
}

/** Reads the request. Rejects invalid values, listing every problem. */
export async function readRequestSpec(given: readonly RequestAttributeDto[]): Promise<RequestSpec> {
  rejectIf(validateAttributes(requestForm(), given));
  const algorithm = readString(given, REQUEST.keyAlgorithm);
  return {
    ...(await readRequestedNames(given, REQUEST)),
    // The form offers no other algorithms.
    keyAlgorithm: KEY_ALGORITHMS.find((each) => each === algorithm) ?? 'P-256',
    keepKey: readBoolean(given, REQUEST.keepKey) ?? false,
  };
}

/** Attributes that contain the names in a form. */
export type RequestedNames = Readonly<Record<'subject' | 'dnsNames' | 'ipAddresses', string>>;

/** Rejects malformed names. */
export async function readRequestedNames(
  given: readonly RequestAttributeDto[],
  attributes: RequestedNames,
): Promise<Pick<RequestSpec, 'subject' | 'names'>> {
  // The RA profile decides about underscores.
  const forms = itemsOf(readString(given, attributes.dnsNames)).map((text) => ({
    text,
    ...hostNameForm(text, { allowUnderscores: true }),
  }));
  rejectIf(
    forms.flatMap((form) =>
      'problem' in form ? [`"${form.text.slice(0, 60)}" is not a DNS name: it ${form.problem}.`] : [],
    ),
  );
  const dnsNames = forms.flatMap((form) => ('name' in form ? [form.name] : []));
  const subject = await readOrReject(`Attribute "${attributes.subject}"`, () =>
    buildName(parseNameText(readString(given, attributes.subject) ?? '')),
  );
  const addresses = await readOrReject(`Attribute "${attributes.ipAddresses}"`, () =>
    itemsOf(readString(given, attributes.ipAddresses)).map(ipAddressName),
  );
  return { subject, names: [...dnsNames.map((value): GeneralName => ({ kind: 'dNSName', value })), ...addresses] };
}

const itemsOf = (text = ''): string[] =>
  text
    .split(/[\s,;]+/)
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Returns undefined if the form cannot represent the certificate. */
export function requestValuesOf(certificate: Certificate): DataAttribute[] | undefined {
  const names = namesAsText(certificate);
  const keyAlgorithm = KEY_ALGORITHMS.find((each) => each === algorithmOf(certificate));
  if (!names || keyAlgorithm === undefined) return undefined;
  return [
    ...withValue(fields.subject, names.subject),
    ...withValue(fields.dnsNames, names.dnsNames),
    ...withValue(fields.ipAddresses, names.ipAddresses),
    ...withValue(fields.keyAlgorithm, keyAlgorithm),
  ];
}

/** Returns undefined if a form with these attributes cannot represent all names. */
export function namesAsText(certificate: Certificate): RequestedNames | undefined {
  const names = certificate.subjectAltNames;
  const isSayable = names.every(({ kind }) => kind === 'dNSName' || kind === 'iPAddress');
  const subject = formatNameRfc4514(certificate.subject);
  if (!isSayable || subject === '') return undefined;
  const textOf = (kind: GeneralName['kind']): string =>
    names
      .filter((name) => name.kind === kind)
      .map(formatGeneralName)
      .join(', ');
  return { subject, dnsNames: textOf('dNSName'), ipAddresses: textOf('iPAddress') };
}

/** Returns the field with its value, or no attribute if the value is empty. */
export const withValue = (field: DataAttribute, data: string): DataAttribute[] =>
  data === '' ? [] : [{ ...field, content: [{ reference: data, data }] }];

function algorithmOf({ publicKey }: Certificate): string {
  const { family, bits, curve } = publicKey;
  return family === 'RSA' ? `RSA-${bits}` : (curve ?? family);
}
