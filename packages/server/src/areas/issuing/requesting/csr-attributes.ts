// Subject and subject alternative names of CSRs that the platform generates with a key in a token: attributes to be
// filled in, and the resulting names.
import { CSR_ATTRIBUTES, type DataAttribute, type RequestAttributeDto } from '@signetry/contract';
import {
  buildName,
  canonicalGeneralName,
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
  readonly label: string;
  readonly required?: boolean;
  /** Pattern that the whole value must match, and the error message. */
  readonly form?: readonly [expression: string, message: string];
}

type Attribute = (typeof CSR_ATTRIBUTES)[keyof typeof CSR_ATTRIBUTES];

const definition = (attribute: Attribute, properties: DataAttribute['properties']): DataAttribute => ({
  version: 2,
  ...attribute,
  type: 'data',
  contentType: 'string',
  properties,
});

const subjectPart = (attribute: Attribute, { label, required = false, form }: Part): DataAttribute => ({
  ...definition(attribute, { label, visible: true, required, readOnly: false, list: false, multiSelect: false }),
  ...(form && { constraints: [{ type: 'regExp', data: form[0], errorMessage: form[1] }] }),
});

/** Defines an attribute that accepts any number of names of one kind. */
const namesOfKind = (attribute: Attribute, label: string): DataAttribute =>
  definition(attribute, { label, visible: true, required: false, readOnly: false, list: false, multiSelect: true });

/** Attributes in the order of the form. */
export const csrAttributes: readonly DataAttribute[] = [
  subjectPart(CSR_ATTRIBUTES.commonName, {
    label: 'Common Name',
    required: true,
    form: [`^.{0,${MAX_COMMON_NAME}}$`, `A common name must not be longer than ${MAX_COMMON_NAME} characters.`],
  }),
  subjectPart(CSR_ATTRIBUTES.organizationalUnit, { label: 'Organizational Unit' }),
  subjectPart(CSR_ATTRIBUTES.organization, { label: 'Organization' }),
  subjectPart(CSR_ATTRIBUTES.locality, { label: 'Locality' }),
  subjectPart(CSR_ATTRIBUTES.state, { label: 'State' }),
  subjectPart(CSR_ATTRIBUTES.country, {
    label: 'Country',
    form: ['^[A-Z]{2}$', 'A country must be a two-letter uppercase ISO 3166 code.'],
  }),
  namesOfKind(CSR_ATTRIBUTES.dnsNames, 'DNS Names'),
  namesOfKind(CSR_ATTRIBUTES.ipAddresses, 'IP Addresses'),
  namesOfKind(CSR_ATTRIBUTES.emailAddresses, 'Email Addresses'),
  namesOfKind(CSR_ATTRIBUTES.uris, 'URIs'),
];

/** Attribute types of the subject in encoded order, which is the reverse of the form: the common name comes last. */
const SUBJECT = [
  [CSR_ATTRIBUTES.country, 'C'],
  [CSR_ATTRIBUTES.state, 'ST'],
  [CSR_ATTRIBUTES.locality, 'L'],
  [CSR_ATTRIBUTES.organization, 'O'],
  [CSR_ATTRIBUTES.organizationalUnit, 'OU'],
  [CSR_ATTRIBUTES.commonName, 'CN'],
] as const;

const ALTERNATIVE_NAMES: readonly (readonly [Attribute, (text: string) => GeneralName])[] = [
  [CSR_ATTRIBUTES.dnsNames, (value) => canonicalGeneralName({ kind: 'dNSName', value })],
  [CSR_ATTRIBUTES.ipAddresses, ipAddressName],
  [CSR_ATTRIBUTES.emailAddresses, (value) => ({ kind: 'rfc822Name', value })],
  [CSR_ATTRIBUTES.uris, (value) => ({ kind: 'uniformResourceIdentifier', value })],
];

/** Contents of a CSR other than its key. */
export interface RequestedNames {
  readonly subject: Name | Uint8Array;
  readonly extensions: readonly ExtensionInput[];
}

/** Validates the values (422 if they are not accepted) and returns the names. */
export function requestedNames(given: readonly RequestAttributeDto[]): RequestedNames {
  const accepted = checkPlatformValues(csrAttributes, given);
  try {
    const names = ALTERNATIVE_NAMES.flatMap(([attribute, read]) => textsOf(accepted, attribute).map(read));
    return {
      subject: buildName(
        SUBJECT.flatMap(([attribute, type]) => textsOf(accepted, attribute).map((value) => ({ type, value }))),
      ),
      extensions: names.length === 0 ? [] : [subjectAltNameExtension(names)],
    };
  } catch (error) {
    if (isPkiError(error)) throw rejected(`csrAttributes: ${error.message}`);
    throw error;
  }
}

/** Returns the trimmed values without empty ones, which were not filled in. */
const textsOf = (values: readonly RequestAttributeDto[], wanted: Attribute): string[] =>
  values
    .filter(({ name }) => name === wanted.name)
    .flatMap(({ content }) => content.map((item) => ('data' in item ? String(item.data).trim() : '')))
    .filter((text) => text !== '');
