// Reads a certification request: PKCS#10 with a signature that proves possession of its key.
import { rejected } from '@signetry/connector-sdk';
import {
  problemOfRequestSignature,
  readCertificationRequest,
  requestedAltNames,
  verifyCertificationRequest,
  type CertificationRequest,
  type GeneralName,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { readOrReject } from '../problems.ts';

/**
 * Largest request in Base64: one with an ML-DSA-87 key and signature takes about 10 KB, a thousand names some 60 KB.
 */
const MAX_REQUEST = 512 * 1024;

export interface RequestToCertify {
  readonly csr: CertificationRequest;
  readonly altNames: readonly GeneralName[];
}

/** Accepts Base64 of DER, or PEM. */
export function readRequest(body: { readonly request: string; readonly format: string }): RequestToCertify {
  if (body.format !== 'pkcs10')
    throw rejected(`Requests of the format ${body.format} are not supported; send PKCS#10.`);
  if (body.request.length > MAX_REQUEST)
    throw rejected(`The certification request is larger than ${MAX_REQUEST / 1024} KiB.`);
  return readOrReject('The certification request cannot be used', () => {
    const csr = readCertificationRequest(body.request);
    const badlySigned = problemOfRequestSignature(csr);
    if (badlySigned !== undefined) throw rejected(`The certification request is refused: ${badlySigned}.`);
    if (!verifyCertificationRequest(csr, nodeCrypto.verify)) {
      throw rejected('The signature of the certification request does not verify.');
    }
    return { csr, altNames: requestedAltNames(csr) };
  });
}
