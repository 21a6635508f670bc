// Builds certificates in two steps (RFC 5280 §4.1): first the bytes to sign, then the certificate with its signature.
// Between the steps, the caller can run lint, record its intent, and sign wherever the key is stored.
import { assembleSigned } from './signed.ts';
import { encodeDer, explicitPart, integerPart, sequence, timePart } from '../der/writer.ts';
import { extensionsPart, type ExtensionInput } from './extension-parts.ts';
import { PkiError } from '../errors.ts';
import type { Name } from '../names.ts';
import type { SignatureAlgorithm } from '../algorithms.ts';

export interface TbsCertificateInput {
  /** Unsigned big-endian bytes; see `generateSerialNumber`. */
  readonly serialNumber: Uint8Array;
  /** Algorithm of the future signature. */
  readonly signatureAlgorithm: SignatureAlgorithm;
  /** The issuer certificate's subject, with the same encoding. */
  readonly issuer: Name | Uint8Array;
  readonly subject: Name | Uint8Array;
  /** Milliseconds since 1970; truncated to whole seconds. */
  readonly notBeforeMs: number;
  /** Last second of validity, inclusive (RFC 5280 §4.1.2.5). */
  readonly notAfterMs: number;
  /** Encoded SubjectPublicKeyInfo. */
  readonly spki: Uint8Array;
  readonly extensions: readonly ExtensionInput[];
}

const VERSION_3 = explicitPart(0, integerPart(2));

/**
 * Returns an encoded version 3 TBSCertificate. Throws `PkiError` `bad-argument` for input that can never be correct: a
 * serial number that is zero, negative or longer than 20 bytes, an end before the start, a duplicate extension.
 * Everything else is left to lint.
 */
export function buildTbsCertificate(input: TbsCertificateInput): Uint8Array {
  checkSerialNumber(input.serialNumber);
  if (input.notAfterMs < input.notBeforeMs) {
    throw new PkiError('bad-argument', 'The validity period of a certificate must not end before it begins.');
  }
  return encodeDer(
    sequence([
      VERSION_3,
      integerPart(input.serialNumber),
      input.signatureAlgorithm.der,
      nameDer(input.issuer),
      sequence([timePart(input.notBeforeMs), timePart(input.notAfterMs)]),
      nameDer(input.subject),
      input.spki,
      input.extensions.length === 0 ? undefined : explicitPart(3, extensionsPart(input.extensions)),
    ]),
  );
}

function checkSerialNumber(serial: Uint8Array): void {
  const significant = serial.findIndex((octet) => octet !== 0);
  const octets = significant === -1 ? 0 : serial.length - significant + ((serial[significant] ?? 0) >= 0x80 ? 1 : 0);
  if (octets === 0 || octets > 20) {
    throw new PkiError(
      'bad-argument',
      'A serial number must be positive and have at most 20 bytes (RFC 5280 §4.1.2.2).',
    );
  }
}

function nameDer(name: Name | Uint8Array): Uint8Array {
  return name instanceof Uint8Array ? name : name.der;
}

/** Assembles the certificate: `assembleCertificate(tbs, { algorithm, signature })`. */
export const assembleCertificate: (
  tbs: Uint8Array,
  signed: { algorithm: SignatureAlgorithm; signature: Uint8Array },
) => Uint8Array = assembleSigned;
