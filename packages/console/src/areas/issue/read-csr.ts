// Reads a pasted or dropped CSR.
import {
  checkKeyPolicy,
  formatGeneralName,
  formatNameRfc4514,
  PkiError,
  requestSignatureProblem,
  readCertificationRequest,
  requestedAltNames,
  visibleText,
  type CertificationRequest,
  type NameCodes,
} from '@signetry/pki';
import { keyText } from '../../format/key-text.ts';
import { shownName } from '../../format/names.ts';

export interface ParsedCsr {
  readonly request: CertificationRequest;
  readonly subject: string;
  readonly names: readonly string[];
  readonly key: string;
  /** Problems that will cause the platform to reject the CSR. */
  readonly problems: readonly string[];
}

/**
 * Reads PEM or Base64-encoded DER, using the given codes for the subject's attributes. If the text cannot be read,
 * returns the problem.
 */
export function readCsr(text: string, codes?: NameCodes): ParsedCsr | { readonly problem: string } {
  if (/-----BEGIN CERTIFICATE-----/.test(text))
    return { problem: 'This is a certificate. Paste a certificate signing request (CSR) instead.' };
  if (/PRIVATE KEY-----/.test(text))
    return {
      problem: 'This is a private key. Never paste it anywhere; paste the certificate signing request (CSR) instead.',
    };
  try {
    const request = readCertificationRequest(text.trim());
    const badlySigned = requestSignatureProblem(request);
    const { name, curve, bits } = request.publicKey;
    return {
      request,
      // The subject is escaped so that no value can look like an additional attribute.
      subject: visibleText(formatNameRfc4514(request.subject, codes)),
      names: requestedAltNames(request).map((name) => shownName(formatGeneralName(name))),
      key: curve ? `${name} ${curve}` : keyText(name, bits),
      problems: [
        ...checkKeyPolicy(request.publicKey).map(({ message }) => message),
        ...(badlySigned === undefined ? [] : [`The request will be rejected: ${badlySigned}.`]),
      ],
    };
  } catch (error) {
    if (error instanceof PkiError)
      return { problem: `This is not a valid certificate signing request: ${error.message}` };
    throw error;
  }
}
