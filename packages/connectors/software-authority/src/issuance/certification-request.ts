// Reads a certification request, PKCS#10 or CRMF, with a signature that proves possession of its key.
import { rejected } from '@signetry/connector-sdk';
import {
  isPkiError,
  parseCrmfRequest,
  problemOfRequestSignature,
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
 * Largest request in Base64: one with an ML-DSA-87 key and signature takes about 10 KB, a thousand names some 60 KB.
 */
const MAX_REQUEST = 512 * 1024;

export interface RequestToCertify {
  readonly csr: RequestedCertificate;
  readonly altNames: readonly GeneralName[];
}

/** Accepts Base64 of DER, and PKCS#10 also in PEM. */
export async function readRequest(body: {
  readonly request: string;
  readonly format: string;
}): Promise<RequestToCertify> {
  if (body.request.length > MAX_REQUEST)
    throw rejected(`The certification request is larger than ${MAX_REQUEST / 1024} KiB.`);
  if (body.format === 'crmf') return readCrmf(body.request);
  if (body.format !== 'pkcs10')
    throw rejected(`Requests of the format ${body.format} are not supported; send PKCS#10 or CRMF.`);
  return readOrReject('The certification request cannot be used', () => {
    const csr = readCertificationRequest(body.request);
    const badlySigned = problemOfRequestSignature(csr);
    if (badlySigned !== undefined) throw rejected(`The certification request is refused: ${badlySigned}.`);
    if (!verifyCertificationRequest(csr, verifyOnce)) {
      throw rejected('The signature of the certification request does not verify.');
    }
    return { csr, altNames: requestedAltNames(csr) };
  });
}

/** A CertReqMsg. What the platform vouches for (`raVerified`) is believed: it is the registration authority. */
async function readCrmf(request: string): Promise<RequestToCertify> {
  const csr = readOrReject('The certification request cannot be used', () =>
    parseCrmfRequest(Buffer.from(request, 'base64')),
  );
  if (csr.message.proof?.kind !== 'raVerified' && !(await isProven(csr)))
    throw rejected('The request of CRMF does not prove possession of its key by a signature.');
  return readOrReject('The certification request cannot be used', () => ({ csr, altNames: requestedAltNames(csr) }));
}

/** The platform has judged who sent it, so a sender within the proof is not compared again. */
async function isProven({ message }: CrmfRequest): Promise<boolean> {
  const { proof } = message;
  const authInfo = proof?.kind === 'signature' ? proof.input?.authInfo : undefined;
  const sender = authInfo && 'sender' in authInfo ? authInfo.sender : undefined;
  const senderNames = sender?.kind === 'directoryName' ? [sender.name] : [];
  try {
    return (await verifyProofOfPossession(message, { verify: verifyOnce, senderNames })).proven;
  } catch (error) {
    if (isPkiError(error)) throw rejected(`The certification request is refused: ${error.message}`);
    throw error;
  }
}
