// CSR contents to request, as entered in the form: subject attributes as `CN` or `OU=Sales`, and extensions as
// `2.5.29.15=AwIFoA==`, with the prefix `critical:` if they are critical.
import type { EstRequestedAttributes } from '@signetry/contract';

type Subject = NonNullable<EstRequestedAttributes['subject']>[number];
type ExtensionValue = NonNullable<EstRequestedAttributes['extensionValues']>[number];

const CRITICAL = 'critical:';

export function readSubject(text: string): Subject {
  const [type, value] = partsOf(text);
  return value === undefined ? { type } : { type, value };
}

export const writeSubject = ({ type, value }: Subject): string => (value === undefined ? type : `${type}=${value}`);

export function readExtension(text: string): ExtensionValue {
  const critical = text.toLowerCase().startsWith(CRITICAL);
  const [oid, value = ''] = partsOf(critical ? text.slice(CRITICAL.length) : text);
  return { oid, critical, value };
}

export const writeExtension = ({ oid, critical, value }: ExtensionValue): string =>
  `${critical ? CRITICAL : ''}${oid}=${value}`;

/** Splits the text at the first `=`. The value can contain further equals signs. */
function partsOf(text: string): [name: string, value?: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text.trim()] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
