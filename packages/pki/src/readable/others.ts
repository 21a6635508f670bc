// Extensions defined by other standards and products: TLS, OCSP, ACME, S/MIME, CA/Browser Forum, Netscape, and the
// alternative keys and signatures of hybrid certificates.
import {
  elementBytes,
  openDer,
  openElement,
  parseDer,
  readBitStringBytes,
  readNamedBits,
  readNull,
  readOctetString,
  readOid,
  readSmallInteger,
  type DerElement,
} from '../der/reader.ts';
import {
  readEach,
  hexValue,
  oidValue,
  implicitTextOf,
  textValue,
  textOf,
  uriValue,
  type ReadableValue,
} from './value.ts';
import { bitValues } from './standard.ts';
import { parseAlgorithm, signatureAlgorithmName } from '../algorithms.ts';
import { parsePublicKey, type PublicKey } from '../keys.ts';
import { TAG } from '../der/tags.ts';

/** Returns a reader for an extension whose value is NULL and whose presence alone conveys its meaning. */
export const readablePresence =
  (label: string) =>
  (value: Uint8Array): ReadableValue[] => {
    readNull(parseDer(value));
    return [{ label }];
  };

/** TLS extensions that the server must support (RFC 7633 §4.1), by number. */
const TLS_FEATURES: ReadonlyMap<number, string> = new Map([
  [5, 'OCSP stapling (status_request)'],
  [17, 'Multiple OCSP stapling (status_request_v2)'],
]);

export const readableTlsFeatures = (value: Uint8Array): ReadableValue[] =>
  readEach(value, (element) => {
    const feature = readSmallInteger(element);
    return textValue('Required TLS feature', TLS_FEATURES.get(feature) ?? `TLS extension ${feature}`);
  });

/** Reads the SHA-256 of the key authorization (RFC 8737 §3). */
export const readableAcmeIdentifier = (value: Uint8Array): ReadableValue[] => [
  hexValue('Key authorization digest', readOctetString(parseDer(value))),
];

/** Reads SMIMECapabilities (RFC 8551 §2.5.2); the RC2 parameters are the key size. */
export const readableCapabilities = (value: Uint8Array): ReadableValue[] =>
  readEach(value, (element) => {
    const cursor = openElement(element, TAG.sequence);
    const capability = oidValue('Capability', readOid(cursor.next()));
    if (cursor.atEnd) return capability;
    const parameters = cursor.next();
    cursor.finish();
    return { ...capability, members: [capabilityParameters(parameters)] };
  });

const capabilityParameters = (element: DerElement): ReadableValue =>
  element.tag === TAG.integer
    ? textValue('Key size', `${readSmallInteger(element)} bits`)
    : hexValue('Parameters', elementBytes(element));

/** Reads a CABFOrganizationIdentifier (EV Guidelines §9.8.2). */
export function readableOrganizationIdentifier(value: Uint8Array): ReadableValue[] {
  const cursor = openDer(value);
  const scheme = textOf(cursor.next());
  const country = textOf(cursor.next());
  const state = cursor.optional(0x80);
  const reference = textOf(cursor.next());
  cursor.finish();
  return [
    textValue('Registration scheme', scheme),
    textValue('Country', country),
    ...(state ? [textValue('State or province', implicitTextOf(state))] : []),
    textValue('Reference', reference),
  ];
}

/** By bit number. */
const NETSCAPE_TYPES = [
  'TLS client',
  'TLS server',
  'S/MIME',
  'Object signing',
  'Reserved',
  'TLS CA',
  'S/MIME CA',
  'Object signing CA',
];

export const readableNetscapeType = (value: Uint8Array): ReadableValue[] =>
  bitValues('Type', readNamedBits(parseDer(value)), NETSCAPE_TYPES);

export const readableText =
  (label: string) =>
  (value: Uint8Array): ReadableValue[] => [textValue(label, textOf(parseDer(value)))];

export const readableAddress =
  (label: string) =>
  (value: Uint8Array): ReadableValue[] => [uriValue(label, textOf(parseDer(value)))];

/** Reads a SubjectAltPublicKeyInfo (X.509 2019 §9.8.2). */
export const readableAltKey = (value: Uint8Array): ReadableValue[] => describeKey(parsePublicKey(value));

export const readableAltAlgorithm = (value: Uint8Array): ReadableValue[] => {
  const algorithm = parseAlgorithm(value);
  return [{ label: 'Algorithm', text: signatureAlgorithmName(algorithm), oid: algorithm.oid }];
};

export const readableAltSignature = (value: Uint8Array): ReadableValue[] => [
  hexValue('Signature', readBitStringBytes(parseDer(value))),
];

function describeKey(key: PublicKey): ReadableValue[] {
  const { name, algorithm, bits, curve, curveOid } = key;
  return [
    { label: 'Algorithm', text: name, oid: algorithm.oid },
    textValue('Size', `${bits} bits`),
    ...(curve === undefined ? [] : [{ label: 'Curve', text: curve, ...(curveOid && { oid: curveOid }) }]),
    hexValue('Key', key.keyBytes),
  ];
}
