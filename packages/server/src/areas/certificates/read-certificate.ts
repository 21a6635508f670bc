// Converts a DER certificate to inventory columns. Certificates are untrusted input, so every error is a rejection.
import { createHash } from 'node:crypto';
import {
  describeCertificate,
  describeForms,
  KEY_USAGES,
  parseCertificate,
  PkiError,
  type Certificate,
  type CertificateDescription,
  type GeneralNameMap,
  type LenientForm,
  type NameCodes,
  type PublicKey,
} from '@signetry/pki';
import { AppError } from '../../kernel/errors.ts';
import { timestampText } from '../../platform/database/timestamps.ts';
import type { CertificateRow } from './tables.ts';

/** Columns that depend only on the bytes of the certificate. */
export type CertificateFacts = Pick<
  CertificateRow,
  | 'common_name'
  | 'subject_dn'
  | 'subject_dn_normalized'
  | 'issuer_common_name'
  | 'issuer_dn'
  | 'issuer_dn_normalized'
  | 'serial_number'
  | 'fingerprint'
  | 'not_before'
  | 'not_after'
  | 'public_key_algorithm'
  | 'public_key_fingerprint'
  | 'key_size'
  | 'signature_algorithm'
  | 'key_usage'
  | 'extended_key_usage'
  | 'subject_type'
  | 'trusted_ca'
  | 'subject_alternative_names'
  | 'hybrid_certificate'
  | 'alt_public_key_algorithm'
  | 'alt_key_size'
  | 'alt_signature_algorithm'
>;

export interface ReadCertificate {
  readonly certificate: Certificate;
  /** Fields present in every certificate are never null. */
  readonly facts: CertificateFacts & {
    issuer_dn_normalized: string;
    fingerprint: string;
    serial_number: string;
    not_before: Date;
    not_after: Date;
  };
  /** Variants of certificate files that were accepted to read it; absent if there are none. */
  readonly forms?: readonly LenientForm[];
}

/**
 * Reads all listed fields; names to be stored are written with the codes. Throws `invalid_fields` with the problem and
 * its position. `what` is the name of the certificate in the message.
 */
export function readCertificate(der: Uint8Array, codes?: NameCodes, what = 'certificate'): ReadCertificate {
  try {
    const certificate = parseCertificate(der);
    return { certificate, facts: factsOf(certificate, describeCertificate(certificate, codes)) };
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
    throw new AppError('invalid_fields', { problems: [`${what}: ${error.message}`] }, { cause: error });
  }
}

function factsOf(certificate: Certificate, description: CertificateDescription): ReadCertificate['facts'] {
  const { alternativeKey } = description;
  return {
    common_name: description.commonName ?? '',
    subject_dn: description.subjectDn,
    subject_dn_normalized: description.subjectDnNormalized,
    issuer_common_name: description.issuerCommonName ?? '',
    issuer_dn: description.issuerDn,
    issuer_dn_normalized: description.issuerDnNormalized,
    serial_number: description.serialNumber,
    fingerprint: sha256Hex(certificate.der),
    not_before: new Date(description.notBeforeMs),
    not_after: new Date(description.notAfterMs),
    public_key_algorithm: publicKeyAlgorithmName(certificate.publicKey),
    public_key_fingerprint: sha256Hex(certificate.spki),
    key_size: description.keySize,
    signature_algorithm: description.signatureAlgorithm,
    hybrid_certificate: description.isHybrid,
    alt_public_key_algorithm: alternativeKey ? publicKeyAlgorithmName(alternativeKey) : null,
    alt_key_size: alternativeKey?.bits ?? null,
    alt_signature_algorithm: description.alternativeSignatureAlgorithm ?? null,
    key_usage: keyUsageBits(description.keyUsage),
    extended_key_usage: [...description.extendedKeyUsage],
    subject_type: subjectType(description),
    trusted_ca: description.isCa ? false : null,
    subject_alternative_names: presentNames(description.subjectAlternativeNames),
  };
}

/** Returns the validity period as represented in JSON rows. */
export const storedValidity = ({ not_before, not_after }: Pick<CertificateFacts, 'not_before' | 'not_after'>) => ({
  not_before: not_before && timestampText(not_before),
  not_after: not_after && timestampText(not_after),
});

/** Returns a history message, followed by a finding for each variant that was accepted to read the certificate. */
export const withFindings = (message: string, forms: readonly LenientForm[] = []): string =>
  forms.length === 0 ? message : [`${message}.`, ...describeForms(forms)].join(' ');

export const sha256Hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Returns the API code if there is one (RSA, ECDSA, ML-DSA, ...), otherwise the actual name (Ed25519). */
export const publicKeyAlgorithmName = (key: PublicKey): string => (key.family === 'Unknown' ? key.name : key.family);

/** Omits kinds of names that have no values. */
export const presentNames = (names: GeneralNameMap): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(names)
      .filter(([, values]) => values.length > 0)
      .map(([kind, values]) => [kind, [...values]]),
  );

const keyUsageBits = (usages: readonly string[]): number =>
  KEY_USAGES.reduce((bits, usage, position) => (usages.includes(usage) ? bits | (1 << position) : bits), 0);

export const keyUsagesOf = (bits: number) => KEY_USAGES.filter((_usage, position) => (bits & (1 << position)) !== 0);

function subjectType({ isCa, isSelfIssued }: CertificateDescription): NonNullable<CertificateRow['subject_type']> {
  if (isCa) return isSelfIssued ? 'rootCa' : 'intermediateCa';
  return isSelfIssued ? 'selfSignedEndEntity' : 'endEntity';
}
