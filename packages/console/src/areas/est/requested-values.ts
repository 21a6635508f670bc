// CSR contents to request, as entered in the form: subject attributes as `CN` or `OU=Sales`, and extensions as
// `2.5.29.15=AwIFoA==`, with the prefix `critical:` if they are critical.
import type { EstKeyType, EstRequestedAttributes } from '@signetry/contract';

export interface RequestedValues {
  /** Empty if the client may choose the key type. */
  readonly keyType: EstKeyType | '';
  readonly attributes: readonly string[];
  readonly extensions: readonly string[];
  readonly subject: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddress: boolean;
  readonly extensionValues: readonly string[];
  readonly template: boolean;
}

const CRITICAL = 'critical:';

export const requestedValuesOf = (asked: EstRequestedAttributes): RequestedValues => ({
  keyType: asked.keyType ?? '',
  attributes: asked.attributes ?? [],
  extensions: asked.extensions ?? [],
  subject: (asked.subject ?? []).map(subjectText),
  dnsNames: asked.dnsNames ?? [],
  ipAddress: asked.ipAddress ?? false,
  extensionValues: (asked.extensionValues ?? []).map(extensionText),
  template: asked.template ?? false,
});

export const requestedBodyOf = (values: RequestedValues): EstRequestedAttributes => ({
  attributes: [...values.attributes],
  extensions: [...values.extensions],
  ...(values.keyType === '' ? {} : { keyType: values.keyType }),
  subject: values.subject.map((text) => {
    const [type, value] = partsOf(text);
    return value === undefined ? { type } : { type, value };
  }),
  dnsNames: [...values.dnsNames],
  ipAddress: values.ipAddress,
  extensionValues: values.extensionValues.map((text) => {
    const critical = text.toLowerCase().startsWith(CRITICAL);
    const [oid, value = ''] = partsOf(critical ? text.slice(CRITICAL.length) : text);
    return { oid, critical, value };
  }),
  template: values.template,
});

type Subject = NonNullable<EstRequestedAttributes['subject']>[number];
type ExtensionValue = NonNullable<EstRequestedAttributes['extensionValues']>[number];

export const subjectText = ({ type, value }: Subject): string => (value === undefined ? type : `${type}=${value}`);

const extensionText = ({ oid, critical, value }: ExtensionValue): string =>
  `${critical ? CRITICAL : ''}${oid}=${value}`;

/** Splits the text at the first `=`. The value can contain further equals signs. */
function partsOf(text: string): [name: string, value?: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text.trim()] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
