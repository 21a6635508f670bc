// Parses a CSR (PKCS #10 or CRMF) and verifies its proof of possession.
import { rejected } from '@signetry/connector-sdk';
import {
  isPkiError,
  parseCrmfRequest,
  requestSignatureProblem,
  readCertificationRequest,
  requestedAltNames,
  verifyCertificationRequest,
  verifyProofOfPossession,
  type CrmfRequest,
  type GeneralName,
  type RequestedCertificate,
} from '@signetry/pki';
import { verifyOnce } from '@signetry/pki/node';
import { readOrReject } from '../problems.ts';

/**
 * Maximum size of a request in Base64: an ML-DSA-87 key and signature take about 10 KB, a thousand names about 60 KB.
 */
const MAX_REQUEST = 512 * 1024;

export interface RequestToCertify {
  readonly csr: RequestedCertificate;
  readonly altNames: readonly GeneralName[];
}

/** Accepts Base64-encoded DER, or PEM for PKCS #10. */
export async function readRequest(body: {
  readonly request: string;
  readonly format: string;
}): Promise<RequestToCertify> {
  if (body.request.length > MAX_REQUEST) throw rejected(`The CSR is larger than ${MAX_REQUEST / 1024} KiB.`);
  if (body.format === 'crmf') return readCrmf(body.request);
  if (body.format !== 'pkcs10')
    throw rejected(`The request format ${body.format} is not supported. Use PKCS #10 or CRMF.`);
  return readOrReject('Cannot process the CSR', () => {
    const csr = readCertificationRequest(body.request);
    const badlySigned = requestSignatureProblem(csr);
    if (badlySigned !== undefined) throw rejected(`The CSR was rejected: ${badlySigned}.`);
    if (!verifyCertificationRequest(csr, verifyOnce)) {
      throw rejected('The signature of the CSR is invalid.');
    }
    return { csr, altNames: requestedAltNames(csr) };
  });
}

/**
 * Parses a CertReqMsg. The platform's assertion of possession (`raVerified`) is trusted: the platform is the
 * registration authority.
 */
async function readCrmf(request: string): Promise<RequestToCertify> {
  const csr = readOrReject('Cannot process the CSR', () => parseCrmfRequest(Buffer.from(request, 'base64')));
  if (csr.message.proof?.kind !== 'raVerified' && !(await isProven(csr)))
    throw rejected('The CRMF request does not prove possession of its key with a signature.');
  return readOrReject('Cannot process the CSR', () => ({ csr, altNames: requestedAltNames(csr) }));
}

/** The platform has authenticated the sender, so a sender name in the proof is not compared again. */
async function isProven({ message }: CrmfRequest): Promise<boolean> {
  const { proof } = message;
  const authInfo = proof?.kind === 'signature' ? proof.input?.authInfo : undefined;
  const sender = authInfo && 'sender' in authInfo ? authInfo.sender : undefined;
  const senderNames = sender?.kind === 'directoryName' ? [sender.name] : [];
  try {
    return (await verifyProofOfPossession(message, { verify: verifyOnce, senderNames })).proven;
  } catch (error) {
    if (isPkiError(error)) throw rejected(`The CSR was rejected: ${error.message}`);
    throw error;
  }
}
