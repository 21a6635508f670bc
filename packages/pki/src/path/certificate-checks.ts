// Path validation checks for a single certificate, independent of the certificates above and below it.
import { isEmptyName } from '../names.ts';
import { describePurposes } from './purposes.ts';
import { OID } from '../oids.ts';
import { PkiError } from '../errors.ts';
import { resolveSignatureAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import type { Certificate } from '../x509/certificate.ts';

/** Failure reason, an explicit "not checked", or undefined if the check passed. */
export type Finding = string | undefined | { readonly notChecked: string };

/** Role of a certificate in its path. */
export interface Role {
  readonly isAnchor: boolean;
  /** Whether it issued the next certificate in the path, or is meant to issue others. */
  readonly issues: boolean;
}

export function checkValidity(certificate: Certificate, nowMs: number): Finding {
  const day = (ms: number): string => new Date(ms).toISOString();
  if (nowMs < certificate.notBeforeMs) return `The certificate is not valid before ${day(certificate.notBeforeMs)}.`;
  // notAfter is inclusive and covers the entire second (RFC 5280 §4.1.2.5).
  if (nowMs >= certificate.notAfterMs + 1000) return `The certificate expired on ${day(certificate.notAfterMs)}.`;
  return undefined;
}

/** Digests whose collisions allow certificates to be forged (RFC 6151, RFC 9155). */
const WEAK_DIGESTS: ReadonlySet<string> = new Set(['md5', 'sha1']);

/**
 * Rejects signatures with broken digests and keys with explicit curve parameters. The anchor's signature is not
 * checked: the anchor is trusted without it.
 */
export function checkAlgorithms(
  certificate: Certificate,
  { isAnchor, acceptsWeakDigests }: { readonly isAnchor: boolean; readonly acceptsWeakDigests: boolean },
): Finding {
  const { family, curveOid } = certificate.publicKey;
  if (family === 'ECDSA' && curveOid === undefined)
    return 'The key has explicit curve parameters instead of a named curve (RFC 5480 §2.1.1).';
  if (isAnchor || acceptsWeakDigests) return undefined;
  const digest = digestOf(certificate.signatureAlgorithm);
  if (digest === undefined || !WEAK_DIGESTS.has(digest)) return undefined;
  return `The signature (${certificate.signatureAlgorithmName}) uses ${digest === 'md5' ? 'MD5' : 'SHA-1'}, which is no longer secure.`;
}

function digestOf(id: AlgorithmIdentifier): string | undefined {
  try {
    return resolveSignatureAlgorithm(id).digest;
  } catch (error) {
    if (error instanceof PkiError) return undefined; // Unsupported algorithms fail the signature check.
    throw error;
  }
}

/**
 * Checks basicConstraints (RFC 5280 §6.1.4 k). Version 1 anchors have no extensions; as anchors, they are trusted to
 * issue certificates.
 */
export function checkBasicConstraints(certificate: Certificate, { isAnchor, issues }: Role): Finding {
  const { basicConstraints } = certificate;
  if (!issues) return basicConstraints === undefined ? { notChecked: 'The extension is absent.' } : undefined;
  if (basicConstraints === undefined && isAnchor && certificate.version < 3) {
    return { notChecked: 'The trust anchor has no extensions.' };
  }
  return basicConstraints?.ca === true
    ? undefined
    : 'The certificate issued another certificate but is not a CA certificate.';
}

/** RFC 5280 §6.1.4 n. */
export function checkKeyUsage({ keyUsage }: Certificate, { issues }: Pick<Role, 'issues'>): Finding {
  if (keyUsage === undefined) return { notChecked: 'The extension is absent.' };
  if (!issues || keyUsage.includes('keyCertSign')) return undefined;
  return 'The key usage does not permit signing certificates.';
}

/**
 * Checks the end entity's extended key usage (RFC 5280 §4.2.1.12). By common practice, a CA's extended key usage also
 * restricts the certificates below it.
 */
export function checkPurpose(certificate: Certificate, purpose: string | undefined): Finding {
  if (purpose === undefined) return { notChecked: 'No purpose was requested.' };
  const allowed = certificate.extKeyUsage;
  if (allowed === undefined || allowed.includes(purpose) || allowed.includes(OID.anyExtendedKeyUsage)) return undefined;
  return `The extended key usage does not include ${describePurposes([purpose])}.`;
}

/**
 * Checks that a CA has a name (RFC 5280 §4.1.2.6); otherwise, every certificate with an empty issuer would match it.
 */
export function checkSubjectName(certificate: Certificate, { issues }: Pick<Role, 'issues'>): Finding {
  if (!isEmptyName(certificate.subject) || !(issues || certificate.isCa)) return undefined;
  return 'The CA certificate has no subject name (RFC 5280 §4.1.2.6).';
}

/**
 * Extensions that path validation or CRL retrieval processes, and those with an alternative key or signature: a
 * verifier that relies on the other signature need not process them (X.509 §9.8).
 */
const PROCESSED_EXTENSIONS: ReadonlySet<string> = new Set([
  OID.basicConstraints,
  OID.keyUsage,
  OID.extKeyUsage,
  OID.subjectAltName,
  OID.nameConstraints,
  OID.certificatePolicies,
  OID.policyMappings,
  OID.policyConstraints,
  OID.inhibitAnyPolicy,
  OID.crlDistributionPoints,
  OID.subjectAltPublicKeyInfo,
  OID.altSignatureAlgorithm,
  OID.altSignatureValue,
]);

/** Rejects unknown critical extensions (RFC 5280 §6.1.4 o and §6.1.5 e). */
export function checkCriticalExtensions(certificate: Certificate): Finding {
  const unknown = certificate.extensions.filter(({ oid, critical }) => critical && !PROCESSED_EXTENSIONS.has(oid));
  if (unknown.length === 0) return undefined;
  return `The certificate has unknown critical extensions: ${unknown.map(({ oid }) => oid).join(', ')}.`;
}

/** Returns whether the certificate, considered in isolation, can be an issuer in a path. */
export function isFitToIssue(
  certificate: Certificate,
  options: { readonly nowMs: number; readonly isAnchor: boolean; readonly acceptsWeakDigests: boolean },
): boolean {
  const role = { isAnchor: options.isAnchor, issues: true };
  try {
    return [
      checkValidity(certificate, options.nowMs),
      checkAlgorithms(certificate, options),
      checkBasicConstraints(certificate, role),
      checkKeyUsage(certificate, role),
      checkSubjectName(certificate, role),
      checkCriticalExtensions(certificate),
    ].every((finding) => typeof finding !== 'string');
  } catch (error) {
    // The certificate is malformed; the check that reads it again reports the error.
    if (error instanceof PkiError) return false;
    throw error;
  }
}
