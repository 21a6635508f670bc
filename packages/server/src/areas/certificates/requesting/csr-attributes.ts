// Subject and alternative names of a certification request that the platform makes with a key in a token, as attributes
// to be filled in; and the names that they give when they are.
import type { DataAttribute, RequestAttributeDto } from '@signetry/contract';
import {
  buildName,
  ipAddressName,
  isPkiError,
  subjectAltNameExtension,
  type ExtensionInput,
  type GeneralName,
  type Name,
} from '@signetry/pki';
import { rejected } from '../../../kernel/errors.ts';
import { checkPlatformValues } from '../../attributes/index.ts';

/** RFC 5280 appendix A: ub-common-name. */
const MAX_COMMON_NAME = 64;

interface Part {
  /** Where identifiers differ; clients keep values under them. */
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly required?: boolean;
  /** What the whole value has to match, and how that is said. */
  readonly form?: readonly [expression: string, message: string];
}

const subjectPart = ({ id, name, label, required = false, form }: Part): DataAttribute => ({
  version: 2,
  uuid: `${id}-973d-11ed-a8fc-0242ac120002`,
  name,
  type: 'data',
  contentType: 'string',
  properties: { label, visible: true, required, readOnly: false, list: false, multiSelect: false },
  ...(form && { constraints: [{ type: 'regExp', data: form[0], errorMessage: form[1] }] }),
});

/** Any number of names of one kind. Beyond the published interface, whose form has the subject only. */
const namesOfKind = (uuid: string, { name, label }: Pick<Part, 'name' | 'label'>): DataAttribute => ({
  version: 2,
  uuid,
  name,
  type: 'data',
  contentType: 'string',
  properties: { label, visible: true, required: false, readOnly: false, list: false, multiSelect: true },
});

/** In the order of a form. */
export const csrAttributes: readonly DataAttribute[] = [
  subjectPart({
    id: '9abaeba0',
    name: 'commonName',
    label: 'Common Name',
    required: true,
    form: [`^.{0,${MAX_COMMON_NAME}}$`, `A common name has at most ${MAX_COMMON_NAME} characters.`],
  }),
  subjectPart({ id: '9abaef60', name: 'organizationalUnit', label: 'Organizational Unit' }),
  subjectPart({ id: '9abaf0be', name: 'organization', label: 'Organization' }),
  subjectPart({ id: '9abaf208', name: 'locality', label: 'Locality' }),
  subjectPart({ id: '9abaf33e', name: 'state', label: 'State' }),
  subjectPart({
    id: '9abaf488',
    name: 'country',
    label: 'Country',
    form: ['^[A-Z]{2}$', 'A country is given by its two upper-case letters (ISO 3166).'],
  }),
  namesOfKind('8d668ac8-65ce-4bf1-8d1a-9f4980b252f9', { name: 'dnsNames', label: 'DNS Names' }),
  namesOfKind('013b9897-a242-4f12-a9fe-55b59969a2e0', { name: 'ipAddresses', label: 'IP Addresses' }),
  namesOfKind('6bed0e07-405a-4f45-92db-c1e914f94e02', { name: 'emailAddresses', label: 'E-mail Addresses' }),
  namesOfKind('a86b8c4a-26d6-4cbf-b073-7a525475c5aa', { name: 'uris', label: 'URIs' }),
];

/** Types of the subject's attributes in encoded order, the reverse of the form: the common name comes last. */
const SUBJECT = [
  ['country', 'C'],
  ['state', 'ST'],
  ['locality', 'L'],
  ['organization', 'O'],
  ['organizationalUnit', 'OU'],
  ['commonName', 'CN'],
] as const;

const ALTERNATIVE_NAMES: Readonly<Record<string, (text: string) => GeneralName>> = {
  dnsNames: (value) => ({ kind: 'dNSName', value }),
  ipAddresses: ipAddressName,
  emailAddresses: (value) => ({ kind: 'rfc822Name', value }),
  uris: (value) => ({ kind: 'uniformResourceIdentifier', value }),
};

/** What a request asks for beside its key. */
export interface RequestedNames {
  readonly subject: Name | Uint8Array;
  readonly extensions: readonly ExtensionInput[];
}

/** Judges the values (422). */
export function requestedNames(given: readonly RequestAttributeDto[]): RequestedNames {
  const accepted = checkPlatformValues(csrAttributes, given);
  try {
    const names = Object.entries(ALTERNATIVE_NAMES).flatMap(([name, read]) => textsOf(accepted, name).map(read));
    return {
      subject: buildName(SUBJECT.flatMap(([name, type]) => textsOf(accepted, name).map((value) => ({ type, value })))),
      extensions: names.length === 0 ? [] : [subjectAltNameExtension(names)],
    };
  } catch (error) {
    if (isPkiError(error)) throw rejected(`csrAttributes: ${error.message}`);
    throw error;
  }
}

/** Values without white space around them; what is empty was not filled in. */
const textsOf = (values: readonly RequestAttributeDto[], wanted: string): string[] =>
  values
    .filter(({ name }) => name === wanted)
    .flatMap(({ content }) => content.map((item) => ('data' in item ? String(item.data).trim() : '')))
    .filter((text) => text !== '');
