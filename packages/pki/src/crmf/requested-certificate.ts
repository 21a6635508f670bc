// Maps a CRMF request to PKCS #10 terms, so that both formats describe the requested certificate in the same way.
import type { CertificationRequest } from '../csr.ts';
import { PkiError } from '../errors.ts';
import { buildName } from '../names.ts';
import { parseCertReqMsg, type CertReqMsg } from './request.ts';

/** The fields that both request formats share. */
export type RequestedCertificate = Pick<CertificationRequest, 'der' | 'subject' | 'publicKey' | 'extensions'>;

/** A CRMF request with its message, for verification of its proof of possession. */
export interface CrmfRequest extends RequestedCertificate {
  readonly message: CertReqMsg;
}

/**
 * Reads a CertReqMsg in DER. A missing subject is read as an empty subject. Throws `DerError`, and `PkiError`
 * `bad-value` if the public key is missing. Does not verify the proof of possession: see `verifyProofOfPossession`.
 */
export function parseCrmfRequest(der: Uint8Array): CrmfRequest {
  const message = parseCertReqMsg(der);
  const { publicKey, subject, extensions = [] } = message.request.template;
  if (publicKey === undefined) throw new PkiError('bad-value', 'The request has no public key.');
  return { der: message.der, subject: subject ?? buildName([]), publicKey, extensions, message };
}
