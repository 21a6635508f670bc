// Validates an order's CSR (RFC 8555 §7.4): its key must not be the account key, and it must contain exactly the
// order's names. All other subject attributes are unproven and are not included in the certificate
// (`requested-subject.ts`). The authority decides about extensions, but a CSR must not request a CA certificate. Pure.
import {
  attributeValues,
  formatIpAddress,
  hostOfCommonName,
  OID,
  parseCertificate,
  parseCertificationRequest,
  PkiError,
  readBasicConstraints,
  readKeyUsage,
  requestedAltNames,
  requestedNames,
  type CertificationRequest,
  type Extension,
  type GeneralName,
} from '@signetry/pki';
import { nameOf } from '../model/identifiers.ts';
import { rejection } from '../model/problems.ts';

/** Maximum size of the DER encoding; a CSR with a hundred names and an RSA-4096 key is a tenth of this size. */
const MAX_CSR_BYTES = 64 * 1024;

export interface CsrOfOrder {
  readonly der: Uint8Array;
  /** Sorted `type:value` strings, for comparison with those of the order. */
  readonly names: readonly string[];
}

const badCsr = (detail: string, cause?: unknown) =>
  rejection('badCSR', `Invalid CSR: ${detail}.`, cause === undefined ? {} : { cause });

/**
 * Parses the "csr" member of a finalize request. The proof of possession is verified later, when the CSR is read for
 * issuance.
 */
export function readCsr(value: unknown, account: { readonly spki: Uint8Array }): CsrOfOrder {
  const der = readDer(value);
  const request = parse(der);
  if (Buffer.from(request.publicKey.spki).equals(account.spki))
    throw badCsr('its key is the account key; the certificate must have a different key (RFC 8555 §11.1)');
  try {
    request.extensions.forEach(rejectAuthority);
    return { der, names: namesOf(request) };
  } catch (error) {
    if (error instanceof PkiError) throw badCsr(error.message.replace(/\.$/, ''), error);
    throw error;
  }
}

const FORMAT = '"csr" must be DER in base64url without padding (RFC 8555 §7.4)';
const PEM_START = '-----BEGIN ';

function readDer(value: unknown): Uint8Array {
  if (typeof value !== 'string' || value === '') throw badCsr(FORMAT);
  if (value.includes(PEM_START)) throw badCsr(`it is PEM; ${FORMAT}`);
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(value) && /[+/=]/.test(value)) throw badCsr(`it is standard Base64; ${FORMAT}`);
  if (!/^[A-Za-z0-9_-]+$/.test(value)) throw badCsr(FORMAT);
  const der = Buffer.from(value, 'base64url');
  if (der.includes(PEM_START)) throw badCsr(`it contains PEM instead of DER; ${FORMAT}`);
  if (der.length > MAX_CSR_BYTES) throw badCsr(`it is larger than ${MAX_CSR_BYTES} bytes`);
  return der;
}

function parse(der: Uint8Array): CertificationRequest {
  try {
    return parseCertificationRequest(der);
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
    if (isCertificate(der)) throw badCsr('it is a certificate; send a PKCS #10 certification request', error);
    throw badCsr(`it is not a PKCS #10 certification request: ${error.message.replace(/\.$/, '')}`, error);
  }
}

function isCertificate(der: Uint8Array): boolean {
  try {
    return parseCertificate(der).der.length > 0;
  } catch (error) {
    if (error instanceof PkiError) return false;
    throw error;
  }
}

/** Returns the names of a CSR that `readCsr` has already accepted. */
export const namesOfAcceptedCsr = (der: Uint8Array): readonly string[] => namesOf(parse(der));

/** Returns the subject alternative names, and common names that are host names or IP addresses. */
function namesOf(request: CertificationRequest): readonly string[] {
  const altNames = requestedAltNames(request);
  const names = requestedNames(request.subject, altNames).map(identifierText);
  // Without subject alternative names, the common names are the requested names, whatever their format.
  const others = altNames.length > 0 ? [] : attributeValues(request.subject, OID.commonName).filter(isNoHost);
  return [
    ...new Set([...names, ...others.map((value) => nameOf({ type: 'dns', value: value.toLowerCase() }))]),
  ].toSorted();
}

const isNoHost = (text: string): boolean => hostOfCommonName(text) === undefined;

function identifierText(name: GeneralName): string {
  if (name.kind === 'dNSName') return nameOf({ type: 'dns', value: name.value.toLowerCase() });
  const address = name.kind === 'iPAddress' ? formatIpAddress(name.octets) : undefined;
  if (address === undefined) throw badCsr(`it requests a name of type ${name.kind}, which ACME orders do not support`);
  return nameOf({ type: 'ip', value: address });
}

function rejectAuthority({ oid, value }: Extension): void {
  if (oid === OID.basicConstraints && readBasicConstraints(value).ca) throw badCsr('it requests a CA certificate');
  if (oid === OID.keyUsage && readKeyUsage(value).some((usage) => usage === 'keyCertSign' || usage === 'cRLSign'))
    throw badCsr('it requests CA key usages');
}
