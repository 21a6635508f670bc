// Certificate request controls (RFC 4211 §6, RFC 9810 §5.3.19.16) and regInfo (RFC 4211 §7): type-value pairs.
import { elementBytes, openElement, readIntegerBetween, readIntegerBytes } from '../der/reader.ts';
import { parseDer, readOid, readText, type DerElement } from '../der/reader.ts';
import { encodeDer, integerPart, oidPart, primitive, sequence, utf8StringPart, type DerPart } from '../der/writer.ts';
import { DerError } from '../errors.ts';
import { formatSerialNumber } from '../x509/certificate.ts';
import { generalNamePart, readGeneralName, type GeneralName } from '../x509/general-names.ts';
import { parseAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import { parsePublicKey, type PublicKey } from '../keys.ts';
import { readMembers } from '../der/members.ts';
import { TAG } from '../der/tags.ts';

/** Maximum number of controls; requests contain one or two. */
const MAX_CONTROLS = 64;
const MAX_SERIAL_OCTETS = 64;

/** id-regCtrl and id-regInfo OIDs by name. */
export const CONTROL_TYPES = {
  regToken: '1.3.6.1.5.5.7.5.1.1',
  authenticator: '1.3.6.1.5.5.7.5.1.2',
  pkiPublicationInfo: '1.3.6.1.5.5.7.5.1.3',
  pkiArchiveOptions: '1.3.6.1.5.5.7.5.1.4',
  oldCertID: '1.3.6.1.5.5.7.5.1.5',
  protocolEncrKey: '1.3.6.1.5.5.7.5.1.6',
  altCertTemplate: '1.3.6.1.5.5.7.5.1.7',
  algId: '1.3.6.1.5.5.7.5.1.11',
  rsaKeyLen: '1.3.6.1.5.5.7.5.1.12',
  utf8Pairs: '1.3.6.1.5.5.7.5.2.1',
  certReq: '1.3.6.1.5.5.7.5.2.2',
} as const;

export type ControlName = keyof typeof CONTROL_TYPES;

/** AttributeTypeAndValue; the value is one encoded element. */
export interface Control {
  readonly type: string;
  readonly value: Uint8Array;
}

/** Reads a list of controls. Throws `DerError`. */
export function readControls(element: DerElement): Control[] {
  return readMembers(element, { min: 1, max: MAX_CONTROLS, read: readControl });
}

function readControl(element: DerElement): Control {
  const cursor = openElement(element, TAG.sequence);
  const type = readOid(cursor.next());
  const value = elementBytes(cursor.next());
  cursor.finish();
  return { type, value };
}

/** Builds the list of controls, or returns undefined if it is empty, which ASN.1 does not allow. */
export function controlsPart(controls: readonly Control[] = []): DerPart | undefined {
  if (controls.length === 0) return undefined;
  return sequence(controls.map(({ type, value }) => sequence([oidPart(type), value])));
}

/** Decoded values of the supported controls; all others stay encoded. */
export interface ControlValues {
  /** One-time password known to the CA. Must never be logged. */
  readonly regToken: string;
  /** Secret of the subject. Must never be logged. */
  readonly authenticator: string;
  readonly oldCertID: CrmfCertId;
  readonly protocolEncrKey: PublicKey;
  readonly algId: AlgorithmIdentifier;
  /** RSA key length in bits. */
  readonly rsaKeyLen: number;
  readonly utf8Pairs: string;
}

const readers: { readonly [N in keyof ControlValues]: (value: Uint8Array) => ControlValues[N] } = {
  regToken: readUtf8,
  authenticator: readUtf8,
  oldCertID: (value) => readCrmfCertId(parseDer(value)),
  protocolEncrKey: parsePublicKey,
  algId: parseAlgorithm,
  rsaKeyLen: (value) => readIntegerBetween(parseDer(value), { min: 1, max: 65_536 }),
  utf8Pairs: readUtf8,
};

function readUtf8(value: Uint8Array): string {
  return readText(parseDer(value), TAG.utf8String);
}

/**
 * Returns the value of the control with this name, or undefined if there is none. Throws `DerError`, including if it
 * occurs twice.
 */
export function controlValue<N extends keyof ControlValues>(
  controls: readonly Control[],
  name: N,
): ControlValues[N] | undefined {
  const [control, ...more] = controls.filter(({ type }) => type === CONTROL_TYPES[name]);
  if (more.length > 0) throw new DerError('duplicate-element', 0);
  return control && readers[name](control.value);
}

/** Builds a control with a text value. Throws `PkiError` `bad-argument`. */
export function textControl(name: 'regToken' | 'authenticator' | 'utf8Pairs', text: string): Control {
  return { type: CONTROL_TYPES[name], value: encodeDer(utf8StringPart(text)) };
}

/** Builds a control that identifies the certificate that a key update replaces (RFC 4211 §6.5). */
export function oldCertIdControl(id: Pick<CrmfCertId, 'issuer' | 'serialBytes'>): Control {
  return { type: CONTROL_TYPES.oldCertID, value: encodeDer(crmfCertIdPart(id)) };
}

/** Builds a control with a key algorithm suggested by a CA (RFC 9810 §5.3.19.16). */
export function algIdControl(algorithm: Pick<AlgorithmIdentifier, 'der'>): Control {
  return { type: CONTROL_TYPES.algId, value: algorithm.der };
}

/** Builds a control with an RSA key length suggested by a CA, in bits. */
export function rsaKeyLenControl(bits: number): Control {
  return { type: CONTROL_TYPES.rsaKeyLen, value: encodeDer(integerPart(bits)) };
}

/** CRMF CertId (RFC 4211 §6.5): issuer and serial number. Not to be confused with the OCSP CertID. */
export interface CrmfCertId {
  readonly issuer: GeneralName;
  /** Two's complement bytes, for comparison with `Certificate.serialBytes`. */
  readonly serialBytes: Uint8Array;
  /** Lowercase hex without leading zeros. */
  readonly serialNumber: string;
}

/** Reads a CertId. Throws `DerError`. */
export function readCrmfCertId(element: DerElement): CrmfCertId {
  const cursor = openElement(element, TAG.sequence);
  const issuer = readGeneralName(cursor.next());
  const serial = cursor.next();
  cursor.finish();
  const serialBytes = readIntegerBytes(serial);
  if (serialBytes.length > MAX_SERIAL_OCTETS) throw new DerError('integer-too-large', serial.start);
  return { issuer, serialBytes, serialNumber: formatSerialNumber(serialBytes) };
}

/** Builds a CertId. */
export function crmfCertIdPart({ issuer, serialBytes }: Pick<CrmfCertId, 'issuer' | 'serialBytes'>): DerPart {
  return sequence([generalNamePart(issuer), primitive(TAG.integer, serialBytes)]);
}
