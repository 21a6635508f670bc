// The checks of path validation that examine a single certificate, independent of those above and below it.
import { isEmptyName } from '../names.ts';
import { OID } from '../oids.ts';
import { PkiError } from '../errors.ts';
import { resolveSignatureAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import type { Certificate } from '../x509/certificate.ts';

/** The reason for a failure, an explicit "not checked", or nothing. */
export type Finding = string | undefined | { readonly notChecked: string };

/** The role of a certificate in its path. */
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

/** Digests whose collisions let others forge certificates (RFC 6151, RFC 9155). */
const WEAK_DIGESTS: ReadonlySet<string> = new Set(['md5', 'sha1']);

/**
 * Signatures with broken digests, and keys with explicit curve parameters. The signature of an anchor is not checked:
 * the anchor is trusted without it.
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
  return `The signature (${certificate.signatureAlgorithmName}) rests on ${digest === 'md5' ? 'MD5' : 'SHA-1'}, which protects it no longer.`;
}

function digestOf(id: AlgorithmIdentifier): string | undefined {
  try {
    return resolveSignatureAlgorithm(id).digest;
  } catch (error) {
    if (error instanceof PkiError) return undefined; // unsupported algorithms fail the signature check
    throw error;
  }
}

/** RFC 5280 §6.1.4 k. Anchors of version 1 have no extensions; as anchors they are trusted to issue. */
export function checkBasicConstraints(certificate: Certificate, { isAnchor, issues }: Role): Finding {
  const { basicConstraints } = certificate;
  if (!issues) return basicConstraints === undefined ? { notChecked: 'The extension is absent.' } : undefined;
  if (basicConstraints === undefined && isAnchor && certificate.version < 3) {
    return { notChecked: 'The trust anchor is a certificate without extensions.' };
  }
  return basicConstraints?.ca === true ? undefined : 'The certificate issued another one but is not a CA.';
}

/** RFC 5280 §6.1.4 n. */
export function checkKeyUsage({ keyUsage }: Certificate, { issues }: Pick<Role, 'issues'>): Finding {
  if (keyUsage === undefined) return { notChecked: 'The extension is absent.' };
  if (!issues || keyUsage.includes('keyCertSign')) return undefined;
  return 'The key usage does not allow signing certificates.';
}

/** RFC 5280 §4.2.1.12 for the end entity; that CAs restrict the purposes below them is common practice. */
export function checkPurpose(certificate: Certificate, purpose: string | undefined): Finding {
  if (purpose === undefined) return { notChecked: 'No purpose was requested.' };
  const allowed = certificate.extKeyUsage;
  if (allowed === undefined || allowed.includes(purpose) || allowed.includes(OID.anyExtendedKeyUsage)) return undefined;
  return `The extended key usage does not include ${purpose}.`;
}

/** RFC 5280 §4.1.2.6: a CA has a name; otherwise every certificate with an empty issuer would match it. */
export function checkOwnName(certificate: Certificate, { issues }: Pick<Role, 'issues'>): Finding {
  if (!isEmptyName(certificate.subject) || !(issues || certificate.isCa)) return undefined;
  return 'The certificate of a CA has no subject name (RFC 5280 §4.1.2.6).';
}

/** Extensions that path validation or CRL retrieval processes. */
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
  return `The certificate has unknown critical extensions: ${unknown.map(({ oid }) => oid).join(', ')}.`;
}

/** Whether the certificate, on its own, can be an issuer in a path. */
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
    if (error instanceof PkiError) return false; // malformed: the check that reads it again reports it
    throw error;
  }
}
