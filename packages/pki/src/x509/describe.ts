// A plain object with all data that platforms display about a certificate, decoded in a single call.
import { alternativeKey, alternativeSignatureAlgorithmName, isHybrid } from './alternative-signature.ts';
import { accessUrls, type BasicConstraints, type KeyUsage } from './extensions.ts';
import { commonName, formatName, normalizeName, type NameCodes } from '../names.ts';
import { DerError } from '../errors.ts';
import { groupGeneralNames, type GeneralNameMap } from './general-names.ts';
import { OID } from '../oids.ts';
import type { Certificate } from './certificate.ts';
import type { KeyFamily, PublicKey } from '../keys.ts';

/** Certificate data that platforms display. Times are milliseconds since 1970; absent extensions yield empty lists. */
export interface CertificateDescription {
  readonly version: number;
  readonly serialNumber: string;
  readonly issuerDn: string;
  readonly issuerDnNormalized: string;
  readonly issuerCommonName: string | undefined;
  readonly subjectDn: string;
  readonly subjectDnNormalized: string;
  readonly commonName: string | undefined;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly signatureAlgorithm: string;
  readonly publicKeyFamily: KeyFamily;
  /** Including the parameter set: `RSA`, `ECDSA`, `ML-DSA-65`. */
  readonly publicKeyAlgorithm: string;
  readonly keySize: number;
  readonly curve: string | undefined;
  /** Whether it contains an alternative key or signature (X.509 2019). */
  readonly isHybrid: boolean;
  readonly alternativeKey: PublicKey | undefined;
  readonly alternativeSignatureAlgorithm: string | undefined;
  readonly basicConstraints: BasicConstraints | undefined;
  readonly isCa: boolean;
  readonly isSelfIssued: boolean;
  readonly keyUsage: readonly KeyUsage[];
  readonly extendedKeyUsage: readonly string[];
  readonly subjectAlternativeNames: GeneralNameMap;
  /** Hexadecimal, or `undefined`. */
  readonly subjectKeyIdentifier: string | undefined;
  readonly authorityKeyIdentifier: string | undefined;
  readonly crlUrls: readonly string[];
  readonly ocspUrls: readonly string[];
  readonly caIssuersUrls: readonly string[];
  /** OIDs of listed extensions with a malformed value; they are described as if absent. */
  readonly malformedExtensions: readonly string[];
}

/**
 * Decodes everything in one call. Malformed extensions are reported in `malformedExtensions`, because an inventory must
 * be able to store third-party certificates; for decisions based on an extension, use the `Certificate`, which throws.
 * Throws `DerError` for malformed names and keys.
 */
export function describeCertificate(certificate: Certificate, codes?: NameCodes): CertificateDescription {
  const { issuer, subject, publicKey } = certificate;
  const malformedExtensions: string[] = [];
  const read = <T>(oid: string, decode: () => T): T | undefined => {
    try {
      return decode();
    } catch (error) {
      if (!(error instanceof DerError)) throw error;
      malformedExtensions.push(oid);
      return undefined;
    }
  };
  const basicConstraints = read(OID.basicConstraints, () => certificate.basicConstraints);
  const access = read(OID.authorityInfoAccess, () => certificate.authorityInfoAccess) ?? [];
  return {
    version: certificate.version,
    serialNumber: certificate.serialNumber,
    issuerDn: formatName(issuer, codes),
    issuerDnNormalized: normalizeName(issuer),
    issuerCommonName: commonName(issuer),
    subjectDn: formatName(subject, codes),
    subjectDnNormalized: normalizeName(subject),
    commonName: commonName(subject),
    notBeforeMs: certificate.notBeforeMs,
    notAfterMs: certificate.notAfterMs,
    signatureAlgorithm: certificate.signatureAlgorithmName,
    publicKeyFamily: publicKey.family,
    publicKeyAlgorithm: publicKey.name,
    keySize: publicKey.bits,
    curve: publicKey.curve,
    isHybrid: isHybrid(certificate),
    alternativeKey: read(OID.subjectAltPublicKeyInfo, () => alternativeKey(certificate)),
    alternativeSignatureAlgorithm: read(OID.altSignatureAlgorithm, () =>
      alternativeSignatureAlgorithmName(certificate),
    ),
    basicConstraints,
    isCa: basicConstraints?.ca === true,
    isSelfIssued: certificate.isSelfIssued,
    keyUsage: read(OID.keyUsage, () => certificate.keyUsage) ?? [],
    extendedKeyUsage: read(OID.extKeyUsage, () => certificate.extKeyUsage) ?? [],
    subjectAlternativeNames: groupGeneralNames(read(OID.subjectAltName, () => certificate.subjectAltNames) ?? []),
    subjectKeyIdentifier: read(OID.subjectKeyIdentifier, () => certificate.subjectKeyIdentifier)?.toHex(),
    authorityKeyIdentifier: read(
      OID.authorityKeyIdentifier,
      () => certificate.authorityKeyIdentifier,
    )?.keyIdentifier?.toHex(),
    crlUrls: read(OID.crlDistributionPoints, () => certificate.crlUrls) ?? [],
    ocspUrls: accessUrls(access, OID.ocsp),
    caIssuersUrls: accessUrls(access, OID.caIssuers),
    malformedExtensions,
  };
}
