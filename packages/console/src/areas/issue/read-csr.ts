// Reads a certificate signing request that was pasted or dropped.
import {
  checkKeyPolicy,
  formatGeneralName,
  formatName,
  PkiError,
  problemOfRequestSignature,
  readCertificationRequest,
  requestedAltNames,
  type CertificationRequest,
} from '@signetry/pki';

export interface ReadCsr {
  readonly request: CertificationRequest;
  readonly subject: string;
  readonly names: readonly string[];
  readonly key: string;
  /** Problems for which the platform will refuse it. */
  readonly problems: readonly string[];
}

/** Reads PEM, or DER in Base64. Answers what is wrong if it cannot be read. */
export function readCsr(text: string): ReadCsr | { readonly problem: string } {
  if (/-----BEGIN CERTIFICATE-----/.test(text))
    return { problem: 'This is a certificate. Paste a certificate signing request (CSR) instead.' };
  if (/PRIVATE KEY-----/.test(text))
    return {
      problem: 'This is a private key. Never paste it anywhere; paste the certificate signing request (CSR) instead.',
    };
  try {
    const request = readCertificationRequest(text.trim());
    const badlySigned = problemOfRequestSignature(request);
    const { name, curve, bits } = request.publicKey;
    return {
      request,
      subject: formatName(request.subject),
      names: requestedAltNames(request).map(formatGeneralName),
      key: curve ? `${name} ${curve}` : `${name}, ${bits} bits`,
      problems: [
        ...checkKeyPolicy(request.publicKey).map(({ message }) => message),
        ...(badlySigned === undefined ? [] : [`The request is refused: ${badlySigned}.`]),
      ],
    };
  } catch (error) {
    if (error instanceof PkiError)
      return { problem: `This is not a valid certificate signing request: ${error.message}` };
    throw error;
  }
}
