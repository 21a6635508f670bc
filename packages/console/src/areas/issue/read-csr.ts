// Reads a certificate signing request that was pasted or dropped.
import {
  checkKeyPolicy,
  formatGeneralName,
  formatNameRfc4514,
  PkiError,
  problemOfRequestSignature,
  readCertificationRequest,
  requestedAltNames,
  visibleText,
  type CertificationRequest,
  type NameCodes,
} from '@signetry/pki';
import { shownName } from '../../format/names.ts';

export interface ReadCsr {
  readonly request: CertificationRequest;
  readonly subject: string;
  readonly names: readonly string[];
  readonly key: string;
  /** Problems for which the platform will refuse it. */
  readonly problems: readonly string[];
}

/** Reads PEM, or DER in Base64, with the codes for its subject. Answers what is wrong if it cannot be read. */
export function readCsr(text: string, codes?: NameCodes): ReadCsr | { readonly problem: string } {
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
      // With escapes: no value looks like a further attribute.
      subject: visibleText(formatNameRfc4514(request.subject, codes)),
      names: requestedAltNames(request).map((name) => shownName(formatGeneralName(name))),
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
