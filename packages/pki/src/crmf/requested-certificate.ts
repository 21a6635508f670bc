// A request of CRMF in the terms of PKCS#10: the certificate that is asked for, whatever the form.
import type { CertificationRequest } from '../csr.ts';
import { PkiError } from '../errors.ts';
import { buildName } from '../names.ts';
import { parseCertReqMsg, type CertReqMsg } from './request.ts';

/** What both forms of a request say of the certificate. */
export type RequestedCertificate = Pick<CertificationRequest, 'der' | 'subject' | 'publicKey' | 'extensions'>;

/** With the message, for its proof of possession. */
export interface CrmfRequest extends RequestedCertificate {
  readonly message: CertReqMsg;
}

/**
 * Reads a CertReqMsg in DER. An absent subject is an empty one. Throws `DerError`, `PkiError` `bad-value` without a
 * public key. The proof of possession is not verified: see `verifyProofOfPossession`.
 */
export function parseCrmfRequest(der: Uint8Array): CrmfRequest {
  const message = parseCertReqMsg(der);
  const { publicKey, subject, extensions = [] } = message.request.template;
  if (publicKey === undefined) throw new PkiError('bad-value', 'The request has no public key.');
  return { der: message.der, subject: subject ?? buildName([]), publicKey, extensions, message };
}
