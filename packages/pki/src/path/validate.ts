// Path validation (RFC 5280 §6.1) of a chain that somebody else put together: every check of every certificate with its own
// result, so that a platform can show what is wrong rather than that something is. Revocation is checked elsewhere.
import { enterCertificate, finishPolicies, leaveIntermediate, startPolicies, type PolicyOptions } from './policies.ts';
import { equalBytes } from '../bytes.ts';
import { equalNames, formatName } from '../names.ts';
import { isSignedBy } from '../x509/signed.ts';
import { OID } from '../oids.ts';
import { PkiError } from '../errors.ts';
import { violatedConstraint } from './name-constraints.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { NameConstraints } from '../x509/extensions.ts';
import type { VerifySignature } from '../crypto.ts';

/** Bound of a chain: real ones have up to five certificates. */
export const MAX_PATH_CERTIFICATES = 32;

export const PATH_CHECKS = [
  'signature',
  'validity',
  'nameChaining',
  'basicConstraints',
  'pathLength',
  'keyUsage',
  'extendedKeyUsage',
  'nameConstraints',
  'policies',
  'criticalExtensions',
] as const;

export type PathCheck = (typeof PATH_CHECKS)[number];

export interface CheckResult {
  readonly status: 'passed' | 'failed' | 'notChecked';
  /** Why it failed or was not checked; empty when passed. */
  readonly message: string;
}

export interface CertificateResult {
  readonly certificate: Certificate;
  readonly isValid: boolean;
  readonly checks: Readonly<Record<PathCheck, CheckResult>>;
}

export interface PathResult {
  /** Whether no check of any certificate failed. Whether the anchor is trusted is the caller's decision. */
  readonly isValid: boolean;
  /** In the order of the chain: end entity first, anchor last. */
  readonly certificates: readonly CertificateResult[];
  /** Policies under which the path is valid. */
  readonly policies: readonly string[];
}

export interface PathOptions extends PolicyOptions {
  readonly nowMs: number;
  readonly verify: VerifySignature;
  /** A purpose that the end entity must allow, for example `OID.serverAuth`. Authorities that restrict purposes must allow it too. */
  readonly purpose?: string;
}

/**
 * Validates a chain: end entity first, each certificate followed by its issuer, the trust anchor last. An anchor that signed
 * itself is verified with its own key. Throws `PkiError` `bad-argument` for an empty chain, `bound-exceeded` for a long one;
 * malformed extensions fail the check that needs them.
 */
export function validatePath(chain: readonly Certificate[], options: PathOptions): PathResult {
  if (chain.length === 0) throw new PkiError('bad-argument', 'A certification path needs a certificate.');
  if (chain.length > MAX_PATH_CERTIFICATES) {
    throw new PkiError('bound-exceeded', `A certification path has at most ${MAX_PATH_CERTIFICATES} certificates.`);
  }
  const walk = startWalk(chain.length - 1, options);
  const results: CertificateResult[] = [];
  for (let index = chain.length - 1; index >= 0; index--) {
    const certificate = chain[index] as Certificate; // 0 <= index < length
    results.push(checkCertificate(walk, { certificate, issuer: chain[index + 1], isLast: index === 0 }));
  }
  results.reverse();
  return { isValid: results.every(({ isValid }) => isValid), certificates: results, policies: walk.policies };
}

/** What the certificates above have decided for those below. */
interface Walk {
  readonly options: PathOptions;
  readonly constraints: NameConstraints[];
  readonly policyState: ReturnType<typeof startPolicies>;
  /** How many further authorities that are not self-issued may follow. */
  maxPathLength: number;
  policies: readonly string[];
}

function startWalk(pathLength: number, options: PathOptions): Walk {
  const policyState = startPolicies(pathLength, options);
  return { options, constraints: [], policyState, maxPathLength: MAX_PATH_CERTIFICATES, policies: [] };
}

interface Position {
  readonly certificate: Certificate;
  /** Absent for the anchor. */
  readonly issuer: Certificate | undefined;
  /** Whether this is the end entity: the target of the path, which may itself be an authority. */
  readonly isLast: boolean;
}

/** A reason to fail, an explicit "not checked", or nothing. */
type Finding = string | undefined | { readonly notChecked: string };

function checkCertificate(walk: Walk, position: Position): CertificateResult {
  const findings: Record<PathCheck, () => Finding> = {
    signature: () => checkSignature(position, walk.options.verify),
    validity: () => checkValidity(position.certificate, walk.options.nowMs),
    nameChaining: () => checkNameChaining(position),
    basicConstraints: () => checkBasicConstraints(position),
    pathLength: () => checkPathLength(walk, position),
    keyUsage: () => checkKeyUsage(position),
    extendedKeyUsage: () => checkPurpose(position.certificate, walk.options.purpose),
    nameConstraints: () => checkNameConstraints(walk, position),
    policies: () => checkPolicies(walk, position),
    criticalExtensions: () => checkCriticalExtensions(position.certificate),
  };
  const entries = PATH_CHECKS.map((check): [PathCheck, CheckResult] => [check, resultOf(findings[check])]);
  return {
    certificate: position.certificate,
    isValid: entries.every(([, { status }]) => status !== 'failed'),
    checks: Object.fromEntries(entries) as Record<PathCheck, CheckResult>, // one entry per member of PATH_CHECKS
  };
}

function resultOf(check: () => Finding): CheckResult {
  try {
    const finding = check();
    if (finding === undefined) return { status: 'passed', message: '' };
    if (typeof finding === 'string') return { status: 'failed', message: finding };
    return { status: 'notChecked', message: finding.notChecked };
  } catch (error) {
    if (error instanceof PkiError) return { status: 'failed', message: error.message };
    throw error;
  }
}

function isAnchor({ issuer }: Position): boolean {
  return issuer === undefined;
}

/** Whether the certificate is an authority in this path: everything above the end entity. */
function issues({ isLast }: Position): boolean {
  return !isLast;
}

function checkSignature({ certificate, issuer }: Position, verify: VerifySignature): Finding {
  const signer = issuer ?? (certificate.isSelfIssued ? certificate : undefined);
  if (signer === undefined) return { notChecked: 'The issuer of the trust anchor is not part of the path.' };
  if (isSignedBy(certificate, { issuerSpki: signer.spki, verify })) return undefined;
  return `The key of "${formatName(signer.subject)}" did not make the signature (${certificate.signatureAlgorithmName}).`;
}

function checkValidity(certificate: Certificate, nowMs: number): Finding {
  const day = (ms: number): string => new Date(ms).toISOString();
  if (nowMs < certificate.notBeforeMs) return `The certificate is not valid before ${day(certificate.notBeforeMs)}.`;
  // notAfter is a whole second and included (RFC 5280 §4.1.2.5).
  if (nowMs >= certificate.notAfterMs + 1000) return `The certificate expired at ${day(certificate.notAfterMs)}.`;
  return undefined;
}

function checkNameChaining({ certificate, issuer }: Position): Finding {
  if (issuer === undefined) return { notChecked: 'The certificate is the trust anchor.' };
  if (equalBytes(certificate.issuerDer, issuer.subjectDer) || equalNames(certificate.issuer, issuer.subject))
    return undefined;
  return `The issuer "${formatName(certificate.issuer)}" is not the subject "${formatName(issuer.subject)}".`;
}

/** RFC 5280 §6.1.4 k. Anchors of version 1 have no extensions, and being trusted stands in for them. */
function checkBasicConstraints(position: Position): Finding {
  const { certificate } = position;
  const { basicConstraints } = certificate;
  if (!issues(position)) return basicConstraints === undefined ? { notChecked: 'The extension is absent.' } : undefined;
  if (basicConstraints === undefined && isAnchor(position) && certificate.version < 3) {
    return { notChecked: 'The trust anchor is a certificate without extensions.' };
  }
  return basicConstraints?.ca === true ? undefined : 'The certificate issued another one without being an authority.';
}

/** RFC 5280 §6.1.4 l and m. */
function checkPathLength(walk: Walk, position: Position): Finding {
  const { certificate } = position;
  if (!issues(position)) return undefined;
  const counts = !isAnchor(position) && !certificate.isSelfIssued;
  const tooLong = counts && walk.maxPathLength <= 0;
  if (counts) walk.maxPathLength--;
  const limit = certificate.basicConstraints?.pathLength;
  if (limit !== undefined) walk.maxPathLength = Math.min(walk.maxPathLength, limit);
  return tooLong ? 'More authorities follow than the path length allows.' : undefined;
}

/** RFC 5280 §6.1.4 n. */
function checkKeyUsage(position: Position): Finding {
  const { keyUsage } = position.certificate;
  if (keyUsage === undefined) return { notChecked: 'The extension is absent.' };
  if (!issues(position) || keyUsage.includes('keyCertSign')) return undefined;
  return 'The key usage does not allow signing certificates.';
}

/** RFC 5280 §4.2.1.12 for the end entity; that authorities restrict purposes of those below is common practice. */
function checkPurpose(certificate: Certificate, purpose: string | undefined): Finding {
  if (purpose === undefined) return { notChecked: 'No purpose was asked for.' };
  const allowed = certificate.extKeyUsage;
  if (allowed === undefined || allowed.includes(purpose) || allowed.includes(OID.anyExtendedKeyUsage)) return undefined;
  return `The extended key usage does not include ${purpose}.`;
}

/** RFC 5280 §6.1.3 b and c, then §6.1.4 g. Self-issued authorities are free of the constraints above them. */
function checkNameConstraints(walk: Walk, position: Position): Finding {
  const { certificate } = position;
  const isExempt = isAnchor(position) || (certificate.isSelfIssued && !position.isLast);
  const violation = isExempt ? undefined : violatedConstraint(certificate, walk.constraints);
  const own = issues(position) ? certificate.nameConstraints : undefined;
  if (own !== undefined) walk.constraints.push(own);
  return violation;
}

function checkPolicies(walk: Walk, position: Position): Finding {
  if (isAnchor(position) && issues(position)) return { notChecked: 'The certificate is the trust anchor.' };
  const { certificate, isLast } = position;
  const entered = isAnchor(position) ? undefined : enterCertificate(walk.policyState, certificate, isLast);
  if (!isLast) return leaveIntermediate(walk.policyState, certificate) ?? entered;
  const { problem, policies } = finishPolicies(walk.policyState, certificate, walk.options);
  walk.policies = policies;
  return entered ?? problem;
}

/** Extensions that the checks of this file, or those who fetch CRLs, take into account. */
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
function checkCriticalExtensions(certificate: Certificate): Finding {
  const unknown = certificate.extensions.filter(({ oid, critical }) => critical && !PROCESSED_EXTENSIONS.has(oid));
  if (unknown.length === 0) return undefined;
  return `Critical extensions are not known: ${unknown.map(({ oid }) => oid).join(', ')}.`;
}
