// Certificates in answers of connectors: Base64 of DER as the interface has it, and PEM or Base64 of PEM as some send
// it.
import { isPkiError, PEM_LABELS, readDerOrPem } from '@signetry/pki';

/** Its DER. What can be read in no form is answered as Base64 decodes it; whoever parses it says what is wrong. */
export function answeredCertificate(text: string): Uint8Array {
  try {
    const octets = readDerOrPem(text, PEM_LABELS.certificate);
    return readDerOrPem(octets, PEM_LABELS.certificate);
  } catch (error) {
    if (!isPkiError(error)) throw error;
    return Buffer.from(text, 'base64');
  }
}
