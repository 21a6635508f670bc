// The certification request of an order (RFC 8555 §7.4): a key that is not the account's, the names of the order and no
// other, and no extension that makes the certificate more than the order asks for. Pure.
import {
  commonName,
  formatIpAddress,
  formatName,
  OID,
  parseCertificationRequest,
  PkiError,
  readBasicConstraints,
  readExtKeyUsage,
  readKeyUsage,
  requestedAltNames,
  type CertificationRequest,
  type Extension,
} from '@signetry/pki';
import { nameOf } from '../model/identifiers.ts';
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
    request.extensions.forEach(assertHarmless);
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

/** Alternative names and the common name; anything else in the subject would be certified without proof. */
function namesOf(request: CertificationRequest): readonly string[] {
  const names = requestedAltNames(request).map((name) => {
    if (name.kind === 'dNSName') return nameOf({ type: 'dns', value: name.value.toLowerCase() });
    const address = name.kind === 'iPAddress' ? formatIpAddress(name.octets) : undefined;
    if (address === undefined) throw badCsr(`it asks for a name of the kind ${name.kind}, which an order cannot hold`);
    return nameOf({ type: 'ip', value: address });
  });
  const others = request.subject.rdns.flat().filter(({ type }) => type !== OID.commonName);
  if (others.length > 0 || request.subject.rdns.flat().length > 1)
    throw badCsr(
      `its subject ${formatName(request.subject).slice(0, 200)} must hold nothing but one common name; an order proves control of names, not who you are`,
    );
  const common = commonName(request.subject)?.toLowerCase();
  const unique = new Set(names);
  // Without alternative names the common name is the one that is asked for.
  if (common !== undefined && !unique.has(`ip:${common}`)) unique.add(`dns:${common}`);
  return [...unique].toSorted();
}

const SERVER_AND_CLIENT: readonly string[] = [OID.serverAuth, OID.clientAuth];
/** What clients ask for by default and the profile of the authority decides in any case. */
const LEFT_TO_THE_AUTHORITY: readonly string[] = [OID.subjectAltName, OID.subjectKeyIdentifier, OID.tlsFeature];

function assertHarmless({ oid, value }: Extension): void {
  if (LEFT_TO_THE_AUTHORITY.includes(oid)) return;
  if (oid === OID.basicConstraints) {
    if (readBasicConstraints(value).ca) throw badCsr('it asks to be a certification authority');
  } else if (oid === OID.keyUsage) {
    if (readKeyUsage(value).some((usage) => usage === 'keyCertSign' || usage === 'cRLSign'))
      throw badCsr('it asks for the key usages of a certification authority');
  } else if (oid === OID.extKeyUsage) {
    const other = readExtKeyUsage(value).find((purpose) => !SERVER_AND_CLIENT.includes(purpose));
    if (other !== undefined) throw badCsr(`it asks for the extended key usage ${other}`);
  } else throw badCsr(`it asks for the extension ${oid}`);
}
