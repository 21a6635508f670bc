// Building certificates in two steps (RFC 5280 §4.1): the octets to be signed, then certificate and signature together.
// Between the steps the caller lints, records its intent, and signs wherever the key is.
import { assembleSigned } from './signed.ts';
import { encodeDer, explicitPart, integerPart, sequence, timePart } from '../der/writer.ts';
import { extensionsPart, type ExtensionInput } from './extension-parts.ts';
import { PkiError } from '../errors.ts';
import type { Name } from '../names.ts';
import type { SignatureAlgorithm } from '../algorithms.ts';

export interface TbsCertificateInput {
  /** Unsigned big-endian octets; see `generateSerialNumber`. */
  readonly serialNumber: Uint8Array;
  /** The algorithm that the signature will have. */
  readonly signatureAlgorithm: SignatureAlgorithm;
  /** The subject of the issuer's certificate, with the same encoding. */
  readonly issuer: Name | Uint8Array;
  readonly subject: Name | Uint8Array;
  /** Milliseconds since 1970; cut to whole seconds. */
  readonly notBeforeMs: number;
  /** The last second of validity, included (RFC 5280 §4.1.2.5). */
  readonly notAfterMs: number;
  /** Encoded SubjectPublicKeyInfo. */
  readonly spki: Uint8Array;
  readonly extensions: readonly ExtensionInput[];
}

const VERSION_3 = explicitPart(0, integerPart(2));

/**
 * Octets of a version 3 TBSCertificate. Throws `PkiError` `bad-argument` for what can never be right: a serial number
 * of zero, negative or beyond 20 octets, an end before the start, a duplicate extension. Everything else is left to
 * lint.
 */
export function buildTbsCertificate(input: TbsCertificateInput): Uint8Array {
  checkSerialNumber(input.serialNumber);
  if (input.notAfterMs < input.notBeforeMs) {
    throw new PkiError('bad-argument', 'The validity of a certificate must not end before it starts.');
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
    throw new PkiError('bad-argument', 'A serial number must be positive and at most 20 octets (RFC 5280 §4.1.2.2).');
  }
}

function nameDer(name: Name | Uint8Array): Uint8Array {
  return name instanceof Uint8Array ? name : name.der;
}

/** The certificate: `assembleCertificate(tbs, { algorithm, signature })`. */
export const assembleCertificate: (
  tbs: Uint8Array,
  signed: { algorithm: SignatureAlgorithm; signature: Uint8Array },
) => Uint8Array = assembleSigned;
