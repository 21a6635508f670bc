// The checks of path validation that look at one certificate, whatever stands above and below it.
import { isEmptyName } from '../names.ts';
import { OID } from '../oids.ts';
import { PkiError } from '../errors.ts';
import { resolveSignatureAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import type { Certificate } from '../x509/certificate.ts';

/** A reason to fail, an explicit "not checked", or nothing. */
export type Finding = string | undefined | { readonly notChecked: string };

/** What a certificate does in its path. */
export interface Role {
  readonly isAnchor: boolean;
  /** It issued the next one of the path, or is to issue others. */
  readonly issues: boolean;
}

export function checkValidity(certificate: Certificate, nowMs: number): Finding {
  const day = (ms: number): string => new Date(ms).toISOString();
  if (nowMs < certificate.notBeforeMs) return `The certificate is not valid before ${day(certificate.notBeforeMs)}.`;
  // notAfter is a whole second and included (RFC 5280 §4.1.2.5).
  if (nowMs >= certificate.notAfterMs + 1000) return `The certificate expired at ${day(certificate.notAfterMs)}.`;
  return undefined;
}

/** Digests with which others than the signer have made certificates (RFC 6151, RFC 9155 for the practice). */
const WEAK_DIGESTS: ReadonlySet<string> = new Set(['md5', 'sha1']);

/**
 * Signatures that do not protect what they cover, and keys that say themselves on which curve they are. The signature
 * of an anchor protects nothing: it is trusted as it is.
 */
export function checkAlgorithms(
  certificate: Certificate,
  { isAnchor, acceptsWeakDigests }: { readonly isAnchor: boolean; readonly acceptsWeakDigests: boolean },
): Finding {
  const { family, curveOid } = certificate.publicKey;
  if (family === 'ECDSA' && curveOid === undefined)
    return 'The key describes its curve in place of naming it (RFC 5480 §2.1.1).';
  if (isAnchor || acceptsWeakDigests) return undefined;
  const digest = digestOf(certificate.signatureAlgorithm);
  if (digest === undefined || !WEAK_DIGESTS.has(digest)) return undefined;
  return `The signature (${certificate.signatureAlgorithmName}) rests on ${digest === 'md5' ? 'MD5' : 'SHA-1'}, which protects it no longer.`;
}

function digestOf(id: AlgorithmIdentifier): string | undefined {
  try {
    return resolveSignatureAlgorithm(id).digest;
  } catch (error) {
    if (error instanceof PkiError) return undefined; // what is not supported fails as a signature
    throw error;
  }
}

/** RFC 5280 §6.1.4 k. Anchors of version 1 have no extensions, and being trusted stands in for them. */
export function checkBasicConstraints(certificate: Certificate, { isAnchor, issues }: Role): Finding {
  const { basicConstraints } = certificate;
  if (!issues) return basicConstraints === undefined ? { notChecked: 'The extension is absent.' } : undefined;
  if (basicConstraints === undefined && isAnchor && certificate.version < 3) {
    return { notChecked: 'The trust anchor is a certificate without extensions.' };
  }
  return basicConstraints?.ca === true ? undefined : 'The certificate issued another one without being an authority.';
}

/** RFC 5280 §6.1.4 n. */
export function checkKeyUsage({ keyUsage }: Certificate, { issues }: Pick<Role, 'issues'>): Finding {
  if (keyUsage === undefined) return { notChecked: 'The extension is absent.' };
  if (!issues || keyUsage.includes('keyCertSign')) return undefined;
  return 'The key usage does not allow signing certificates.';
}

/** RFC 5280 §4.2.1.12 for the end entity; that authorities restrict purposes of those below is common practice. */
export function checkPurpose(certificate: Certificate, purpose: string | undefined): Finding {
  if (purpose === undefined) return { notChecked: 'No purpose was asked for.' };
  const allowed = certificate.extKeyUsage;
  if (allowed === undefined || allowed.includes(purpose) || allowed.includes(OID.anyExtendedKeyUsage)) return undefined;
  return `The extended key usage does not include ${purpose}.`;
}

/** RFC 5280 §4.1.2.6: an authority has a name; without one, everything without an issuer would be its own. */
export function checkOwnName(certificate: Certificate, { issues }: Pick<Role, 'issues'>): Finding {
  if (!isEmptyName(certificate.subject) || !(issues || certificate.isCa)) return undefined;
  return 'The certificate of an authority has no name (RFC 5280 §4.1.2.6).';
}

/** Extensions that path validation, or those who fetch CRLs, take into account. */
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
]);

/** RFC 5280 §6.1.4 o and §6.1.5 e: an unknown critical extension makes a certificate unusable. */
export function checkCriticalExtensions(certificate: Certificate): Finding {
  const unknown = certificate.extensions.filter(({ oid, critical }) => critical && !PROCESSED_EXTENSIONS.has(oid));
  if (unknown.length === 0) return undefined;
  return `Critical extensions are not known: ${unknown.map(({ oid }) => oid).join(', ')}.`;
}

/** Whether nothing about the certificate itself keeps it from standing above another one in a path. */
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
      checkOwnName(certificate, role),
      checkCriticalExtensions(certificate),
    ].every((finding) => typeof finding !== 'string');
  } catch (error) {
    if (error instanceof PkiError) return false; // malformed: the check that meets it again says so
    throw error;
  }
}
