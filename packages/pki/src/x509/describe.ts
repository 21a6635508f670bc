// The plain object of everything that a platform lists of a certificate. One call decodes it all, so that one `catch` suffices.
import { accessUrls, type BasicConstraints, type KeyUsage } from './extensions.ts';
import { commonName, formatName, normalizeName, type NameCodes } from '../names.ts';
import { groupGeneralNames, type GeneralNameMap } from './general-names.ts';
import { OID } from '../oids.ts';
import type { Certificate } from './certificate.ts';
import type { KeyFamily } from '../keys.ts';

/** What platforms list of a certificate, decoded. Times are milliseconds since 1970; absent extensions give empty lists. */
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
  /** With parameter set: `RSA`, `ECDSA`, `ML-DSA-65`. */
  readonly publicKeyAlgorithm: string;
  readonly keySize: number;
  readonly curve: string | undefined;
  readonly basicConstraints: BasicConstraints | undefined;
  readonly isCa: boolean;
  readonly isSelfIssued: boolean;
  readonly keyUsage: readonly KeyUsage[];
  readonly extendedKeyUsage: readonly string[];
  readonly subjectAlternativeNames: GeneralNameMap;
  /** Hex, or `undefined`. */
  readonly subjectKeyIdentifier: string | undefined;
  readonly authorityKeyIdentifier: string | undefined;
  readonly crlUrls: readonly string[];
  readonly ocspUrls: readonly string[];
  readonly caIssuersUrls: readonly string[];
}

/** Decodes everything at once: the one call whose `DerError` tells that some part of a certificate is malformed. */
export function describeCertificate(certificate: Certificate, codes?: NameCodes): CertificateDescription {
  const { issuer, subject, publicKey, basicConstraints } = certificate;
  const access = certificate.authorityInfoAccess;
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
    basicConstraints,
    isCa: basicConstraints?.ca === true,
    isSelfIssued: certificate.isSelfIssued,
    keyUsage: certificate.keyUsage ?? [],
    extendedKeyUsage: certificate.extKeyUsage ?? [],
    subjectAlternativeNames: groupGeneralNames(certificate.subjectAltNames),
    subjectKeyIdentifier: certificate.subjectKeyIdentifier?.toHex(),
    authorityKeyIdentifier: certificate.authorityKeyIdentifier?.keyIdentifier?.toHex(),
    crlUrls: certificate.crlUrls,
    ocspUrls: accessUrls(access, OID.ocsp),
    caIssuersUrls: accessUrls(access, OID.caIssuers),
  };
}
