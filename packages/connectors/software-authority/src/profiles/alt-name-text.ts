// Subject alternative names in text form: `dns:www.example.com`, `ip:192.0.2.1`, or without a prefix if the type is
// unambiguous.
import {
  buildName,
  ipAddressName,
  parseIpAddress,
  parseNameText,
  PkiError,
  textOtherName,
  type GeneralName,
} from '@signetry/pki';
import { isObjectIdentifier } from './object-identifier.ts';

/** User principal name, an otherName in smart card certificates. */
const USER_PRINCIPAL_NAME = '1.3.6.1.4.1.311.20.2.3';

/** Throws `PkiError` if the text is not a valid name for its type. */
export function parseAltName(text: string): GeneralName {
  const separator = text.indexOf(':');
  const prefix = separator > 0 ? text.slice(0, separator).toLowerCase() : '';
  const value = text.slice(separator + 1).trim();
  switch (prefix) {
    case 'dns':
      return { kind: 'dNSName', value };
    case 'ip':
      return ipAddressName(value);
    case 'email':
      return { kind: 'rfc822Name', value };
    case 'uri':
      return { kind: 'uniformResourceIdentifier', value };
    case 'dn':
      return { kind: 'directoryName', name: buildName(parseNameText(value)) };
    case 'upn':
      return textOtherName(USER_PRINCIPAL_NAME, value);
    case 'rid':
      return { kind: 'registeredID', oid: objectIdentifier(value) };
    default:
      return recognize(text);
  }
}

function recognize(text: string): GeneralName {
  if (parseIpAddress(text)) return ipAddressName(text);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^urn:/i.test(text))
    return { kind: 'uniformResourceIdentifier', value: text };
  if (text.includes('@')) return { kind: 'rfc822Name', value: text };
  return { kind: 'dNSName', value: text };
}

function objectIdentifier(text: string): string {
  if (!isObjectIdentifier(text))
    throw new PkiError('bad-argument', `"${text.slice(0, 64)}" is not an object identifier.`);
  return text;
}
