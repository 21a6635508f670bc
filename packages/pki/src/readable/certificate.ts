// Readable form of an entire certificate: its fields, and every extension by name and value.
import { formatName, type Name, type NameCodes } from '../names.ts';
import { formatNameRfc4514 } from '../name-text.ts';
import { readableExtension, type ReadableExtension } from './extension.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { PublicKey } from '../keys.ts';

export interface ReadableName {
  /** Text displayed in lists (see `formatName`). */
  readonly text: string;
  readonly rfc4514: string;
}

export interface ReadableKey {
  /** Includes the parameter set: `RSA`, `ECDSA`, `ML-DSA-65`. */
  readonly algorithm: string;
  readonly oid: string;
  readonly size: number;
  readonly curve?: string;
  /** The encoded SubjectPublicKeyInfo. */
  readonly spki: Uint8Array;
}

export interface ReadableSignature {
  readonly algorithm: string;
  readonly oid: string;
  /** Lowercase hex. */
  readonly hex: string;
}

export interface ReadableCertificate {
  readonly version: number;
  readonly serialNumber: string;
  readonly subject: ReadableName;
  readonly issuer: ReadableName;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly publicKey: ReadableKey;
  readonly signature: ReadableSignature;
  readonly extensions: readonly ReadableExtension[];
}

/** Decodes the entire certificate. Throws `DerError` for malformed names and keys, but not for malformed extensions. */
export function readableCertificate(certificate: Certificate, codes?: NameCodes): ReadableCertificate {
  const { signatureAlgorithm } = certificate;
  return {
    version: certificate.version,
    serialNumber: certificate.serialNumber,
    subject: readableName(certificate.subject, codes),
    issuer: readableName(certificate.issuer, codes),
    notBeforeMs: certificate.notBeforeMs,
    notAfterMs: certificate.notAfterMs,
    publicKey: readableKey(certificate.publicKey),
    signature: {
      algorithm: certificate.signatureAlgorithmName,
      oid: signatureAlgorithm.oid,
      hex: certificate.signature.toHex(),
    },
    extensions: certificate.extensions.map(readableExtension),
  };
}

const readableName = (name: Name, codes: NameCodes | undefined): ReadableName => ({
  text: formatName(name, codes),
  rfc4514: formatNameRfc4514(name),
});

const readableKey = ({ name, algorithm, bits, curve, spki }: PublicKey): ReadableKey => ({
  algorithm: name,
  oid: algorithm.oid,
  size: bits,
  ...(curve === undefined ? {} : { curve }),
  spki,
});
