// The certification request of an order (RFC 8555 §7.4): a key that is not the account's, the names of the order and no
// other. What else it says of its subject proves nothing and is left out of the certificate (`requested-subject.ts`);
// extensions are the authority's to decide, but none may ask for a CA certificate. Pure.
import {
  attributeValues,
  formatIpAddress,
  OID,
  parseCertificationRequest,
  parseIpAddress,
  PkiError,
  readBasicConstraints,
  readKeyUsage,
  requestedAltNames,
  type CertificationRequest,
  type Extension,
} from '@signetry/pki';
import { isServerName, nameOf } from '../model/identifiers.ts';
import { refusal } from '../model/problems.ts';

/** Encoded octets of a request; with a hundred names and an RSA-4096 key it has a tenth of that. */
const MAX_CSR_BYTES = 64 * 1024;

export interface CsrOfOrder {
  readonly der: Uint8Array;
  /** As sorted `type:value`, to be compared with those of the order. */
  readonly names: readonly string[];
}

const badCsr = (detail: string, cause?: unknown) =>
  refusal('badCSR', `The certification request is refused: ${detail}.`, cause === undefined ? {} : { cause });

/** Reads "csr" of a finalize request. The proof of possession is verified where the request is read for issuing. */
export function readCsr(value: unknown, account: { readonly spki: Uint8Array }): CsrOfOrder {
  const der = readDer(value);
  const request = parse(der);
  if (Buffer.from(request.publicKey.spki).equals(account.spki))
    throw badCsr('its key is the account key; a certificate needs a key of its own (RFC 8555 §11.1)');
  try {
    request.extensions.forEach(refuseAuthority);
    return { der, names: namesOf(request) };
  } catch (error) {
    if (error instanceof PkiError) throw badCsr(error.message.replace(/\.$/, ''), error);
    throw error;
  }
}

function readDer(value: unknown): Uint8Array {
  if (typeof value !== 'string' || value === '' || !/^[A-Za-z0-9_-]+$/.test(value))
    throw badCsr('"csr" must be the DER encoding in base64url without padding');
  const der = Buffer.from(value, 'base64url');
  if (der.length > MAX_CSR_BYTES) throw badCsr(`it is larger than ${MAX_CSR_BYTES} octets`);
  return der;
}

function parse(der: Uint8Array): CertificationRequest {
  try {
    return parseCertificationRequest(der);
  } catch (error) {
    if (error instanceof PkiError) throw badCsr(error.message.replace(/\.$/, ''), error);
    throw error;
  }
}

/** Alternative names, and common names that are names of hosts or addresses. */
function namesOf(request: CertificationRequest): readonly string[] {
  const names = requestedAltNames(request).map((name) => {
    if (name.kind === 'dNSName') return nameOf({ type: 'dns', value: name.value.toLowerCase() });
    const address = name.kind === 'iPAddress' ? formatIpAddress(name.octets) : undefined;
    if (address === undefined) throw badCsr(`it asks for a name of the kind ${name.kind}, which an order cannot hold`);
    return nameOf({ type: 'ip', value: address });
  });
  const common = attributeValues(request.subject, OID.commonName);
  // Without alternative names the common name is the one that is asked for, whatever it looks like.
  const asked = names.length > 0 ? common.filter(isServerName) : common;
  return [...new Set([...names, ...asked.map(nameOfServer)])].toSorted();
}

const nameOfServer = (text: string): string => {
  const octets = parseIpAddress(text);
  const address = octets && formatIpAddress(octets);
  return address === undefined
    ? nameOf({ type: 'dns', value: text.toLowerCase() })
    : nameOf({ type: 'ip', value: address });
};

function refuseAuthority({ oid, value }: Extension): void {
  if (oid === OID.basicConstraints && readBasicConstraints(value).ca)
    throw badCsr('it asks to be a certification authority');
  if (oid === OID.keyUsage && readKeyUsage(value).some((usage) => usage === 'keyCertSign' || usage === 'cRLSign'))
    throw badCsr('it asks for the key usages of a certification authority');
}
