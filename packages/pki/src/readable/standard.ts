// Remaining extensions of RFC 5280 §4.2 in readable form.
import {
  readNamedBits,
  readOid,
  openElement,
  openDer,
  elementBytes,
  parseDer,
  type DerElement,
} from '../der/reader.ts';
import { readTime } from '../der/time.ts';
import { decodeTextLeniently } from '../der/text.ts';
import { formatSerialNumber } from '../x509/certificate.ts';
import * as read from '../x509/extensions.ts';
import { codeOfAttributeType } from '../names.ts';
import {
  readRemaining,
  readEach,
  groupValue,
  hexValue,
  oidValue,
  timeValue,
  textValue,
  textOf,
  type ReadableValue,
} from './value.ts';
import { labeledNames, readableName, readableNames } from './general-names.ts';
import { OID_NAMES } from './oid-names.ts';
import { TAG } from '../der/tags.ts';

/** Display names of ReasonFlags bits, by bit number (RFC 5280 §4.2.1.13). */
const REVOCATION_REASON_TEXTS = [
  'Unused',
  'Key compromise',
  'CA compromise',
  'Affiliation changed',
  'Superseded',
  'Cessation of operation',
  'Certificate hold',
  'Privilege withdrawn',
  'Attribute authority compromise',
];

export function readableAuthorityKeyIdentifier(value: Uint8Array): ReadableValue[] {
  const { keyIdentifier, issuer, serialNumber } = read.readAuthorityKeyIdentifier(value);
  return [
    ...(keyIdentifier ? [hexValue('Key identifier', keyIdentifier)] : []),
    ...(issuer ? [labeledNames('Issuer', issuer)] : []),
    ...(serialNumber
      ? [{ label: 'Serial number', text: formatSerialNumber(serialNumber), form: 'hex' } satisfies ReadableValue]
      : []),
  ];
}

export const readableSubjectKeyIdentifier = (value: Uint8Array): ReadableValue[] => [
  hexValue('Key identifier', read.readSubjectKeyIdentifier(value)),
];

/** By bit number (RFC 5280 §4.2.1.3). */
const USAGES = [
  'Digital signature',
  'Non-repudiation',
  'Key encipherment',
  'Data encipherment',
  'Key agreement',
  'Certificate signing',
  'CRL signing',
  'Encipher only',
  'Decipher only',
];

export const readableKeyUsage = (value: Uint8Array): ReadableValue[] =>
  bitValues('Usage', readNamedBits(parseDer(value)), USAGES);

/** Returns one value per set bit. Bits are numbered from the first bit of the BIT STRING, up to 24. */
export function bitValues(label: string, flags: number, names: readonly string[]): ReadableValue[] {
  const values: ReadableValue[] = [];
  for (let bit = 0; flags >> bit !== 0; bit++)
    if (flags & (1 << bit)) values.push(textValue(label, names[bit] ?? `Bit ${bit} (undefined)`));
  return values;
}

export const readablePurposes = (value: Uint8Array): ReadableValue[] =>
  read.readExtKeyUsage(value).map((oid) => oidValue('Purpose', oid));

export const readableAltNames = (value: Uint8Array): ReadableValue[] => readableNames(read.readAltNames(value));

export function readableBasicConstraints(value: Uint8Array): ReadableValue[] {
  const { ca, pathLength } = read.readBasicConstraints(value);
  return [
    textValue('Certificate authority', ca ? 'Yes' : 'No'),
    ...(pathLength === undefined
      ? []
      : [textValue('Subordinate CA certificates', pathLength === 0 ? 'None' : `At most ${pathLength}`)]),
  ];
}

export function readableNameConstraints(value: Uint8Array): ReadableValue[] {
  const { permitted, excluded } = read.readNameConstraints(value);
  return [
    ...(permitted.length > 0 ? [groupValue('Permitted', readableNames(permitted))] : []),
    ...(excluded.length > 0 ? [groupValue('Excluded', readableNames(excluded))] : []),
  ];
}

export const readableDistributionPoints = (value: Uint8Array): ReadableValue[] =>
  read
    .readDistributionPoints(value)
    .map(({ fullName = [], nameRelativeToIssuer, reasons, crlIssuer }) =>
      groupValue('Distribution point', [
        ...readableNames(fullName),
        ...(nameRelativeToIssuer
          ? [
              textValue(
                'Relative to the CRL issuer',
                nameRelativeToIssuer.map(({ type, value }) => `${codeOfAttributeType(type)}=${value}`).join('+'),
              ),
            ]
          : []),
        ...(reasons === undefined ? [] : bitValues('Reason', reasons, REVOCATION_REASON_TEXTS)),
        ...(crlIssuer ? [labeledNames('CRL issuer', crlIssuer)] : []),
      ]),
    );

/** Reads authority or subject information access. */
export const readableInfoAccess = (value: Uint8Array): ReadableValue[] =>
  read.readInfoAccess(value).map(({ method, location }) => {
    const { label, oid, ...shown } = readableName(location);
    const isUri = location.kind === 'uniformResourceIdentifier';
    return {
      label: OID_NAMES.get(method) ?? 'Access method',
      ...(isUri ? shown : { members: [{ label, ...(oid === undefined ? {} : { oid }), ...shown }] }),
      oid: method,
    };
  });

/** Reads a PrivateKeyUsagePeriod (RFC 3280 §4.2.1.4). */
export function readablePrivateKeyUsagePeriod(value: Uint8Array): ReadableValue[] {
  const cursor = openDer(value);
  const from = cursor.optional(0x80);
  const until = cursor.optional(0x81);
  cursor.finish();
  return [
    ...(from ? [generalizedTimeValue('From', from)] : []),
    ...(until ? [generalizedTimeValue('Until', until)] : []),
  ];
}

const generalizedTimeValue = (label: string, element: DerElement): ReadableValue =>
  timeValue(label, readTime(element.source, { ...element, tag: TAG.generalizedTime }));

/** Reads SubjectDirectoryAttributes (RFC 5280 §4.2.1.8): a SEQUENCE of attributes, each with a SET of values. */
export const readableDirectoryAttributes = (value: Uint8Array): ReadableValue[] =>
  readEach(value, (element) => {
    const cursor = openElement(element, TAG.sequence);
    const type = readOid(cursor.next());
    const label = OID_NAMES.get(type) ?? codeOfAttributeType(type);
    const [only, ...others] = readRemaining(cursor.open(TAG.set), (each) => attributeValue('Value', each));
    cursor.finish();
    if (only === undefined || others.length > 0) return { label, oid: type, members: only ? [only, ...others] : [] };
    return { ...only, label, oid: type };
  });

function attributeValue(label: string, element: DerElement): ReadableValue {
  if (element.tag === TAG.generalizedTime) return generalizedTimeValue(label, element);
  if (element.tag === TAG.oid) return oidValue(label, readOid(element));
  const isText = decodeTextLeniently(element.tag, new Uint8Array()) !== undefined;
  return isText ? textValue(label, textOf(element)) : hexValue(label, elementBytes(element));
}
