// Certificates in connector responses: Base64-encoded DER as specified by the interface, or PEM or Base64-encoded PEM,
// which some connectors send.
import { isPkiError, PEM_LABELS, readDerOrPem } from '@signetry/pki';

/** Returns the DER. Text in an unknown form is decoded as Base64, and the caller's parser then reports the problem. */
export function decodeReturnedCertificate(text: string): Uint8Array {
  try {
    const octets = readDerOrPem(text, PEM_LABELS.certificate);
    return readDerOrPem(octets, PEM_LABELS.certificate);
  } catch (error) {
    if (!isPkiError(error)) throw error;
    return Buffer.from(text, 'base64');
  }
}
