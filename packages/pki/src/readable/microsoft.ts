// Extensions of Microsoft Active Directory Certificate Services (MS-WCCE §2.2.2.7).
import {
  explicitContent,
  openDer,
  openElement,
  parseDer,
  readOctetString,
  readOid,
  readSmallInteger,
} from '../der/reader.ts';
import { readRemaining, hexValue, oidValue, textValue, textOf, type ReadableValue } from './value.ts';
import { decodeTextLeniently } from '../der/text.ts';
import { OID_NAMES } from './oid-names.ts';
import { TAG } from '../der/tags.ts';

/** Version 1 templates are identified by name. */
export const readableTemplateName = (value: Uint8Array): ReadableValue[] => [
  textValue('Template', textOf(parseDer(value))),
];

/** Version 2 templates have an OID, a major and a minor version. */
export function readableTemplate(value: Uint8Array): ReadableValue[] {
  const cursor = openDer(value);
  const template = oidValue('Template', readOid(cursor.next()));
  const major = cursor.optional(TAG.integer);
  const minor = cursor.optional(TAG.integer);
  cursor.finish();
  return [
    template,
    ...(major ? [textValue('Version', `${readSmallInteger(major)}.${minor ? readSmallInteger(minor) : 0}`)] : []),
  ];
}

/** The low 16 bits count the CA's certificates, the high 16 bits its keys. */
export function readableCaVersion(value: Uint8Array): ReadableValue[] {
  const version = readSmallInteger(parseDer(value));
  return [textValue('Certificate', String(version % 0x10000)), textValue('Key', String(Math.floor(version / 0x10000)))];
}

export const readablePreviousHash = (value: Uint8Array): ReadableValue[] => [
  hexValue('SHA-1 of the previous certificate', readOctetString(parseDer(value))),
];

/** Reads the account's security identifier (SID), an otherName under the tag [0]. */
export function readableAccountSecurity(value: Uint8Array): ReadableValue[] {
  return readRemaining(openDer(value), (element) => {
    const cursor = openElement(element, 0xa0);
    const oid = readOid(cursor.next());
    const octets = readOctetString(explicitContent(cursor.take(0xa0)));
    cursor.finish();
    const label = OID_NAMES.get(oid) ?? 'Other name';
    return { label, text: decodeTextLeniently(TAG.utf8String, octets) ?? '', oid };
  });
}
