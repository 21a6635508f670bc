// General names (RFC 5280 §4.2.1.6) and extensions that consist of them.
import { formatGeneralName, type GeneralName, type GeneralNameKind } from '../x509/general-names.ts';
import { groupValue, hexValue, type ReadableValue } from './value.ts';
import { OID_NAMES } from './oid-names.ts';

const LABELS: Readonly<Record<GeneralNameKind, string>> = {
  otherName: 'Other name',
  rfc822Name: 'Email address',
  dNSName: 'DNS name',
  x400Address: 'X.400 address',
  directoryName: 'Directory name',
  ediPartyName: 'EDI party name',
  uniformResourceIdentifier: 'URI',
  iPAddress: 'IP address',
  registeredID: 'Registered ID',
};

/** Returns the readable form of one name. An otherName of a known type is labeled with that type. */
export function readableName(name: GeneralName): ReadableValue {
  const label = LABELS[name.kind];
  switch (name.kind) {
    case 'otherName': {
      const text = formatGeneralName(name).slice(name.type.length + 1);
      const shown = { label: OID_NAMES.get(name.type) ?? label, oid: name.type };
      return text.startsWith('#') ? { ...shown, text: text.slice(1), form: 'hex' } : { ...shown, text };
    }
    case 'x400Address':
    case 'ediPartyName':
      return hexValue(label, name.der);
    case 'uniformResourceIdentifier':
      return { label, text: name.value, form: 'uri' };
    case 'registeredID':
      return { label, text: OID_NAMES.get(name.oid) ?? name.oid, oid: name.oid };
    default:
      return { label, text: formatGeneralName(name) };
  }
}

export const readableNames = (names: readonly GeneralName[]): ReadableValue[] => names.map(readableName);

/** Returns names under a label; a single name receives the label itself. */
export function labeledNames(label: string, names: readonly GeneralName[]): ReadableValue {
  const [only, ...others] = readableNames(names);
  return only === undefined || others.length > 0 ? groupValue(label, readableNames(names)) : { ...only, label };
}
