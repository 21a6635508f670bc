// Path validation (RFC 5280 §6.1) of a given chain. Each check of each certificate has its own result, so that a
// platform can show exactly what is wrong. Revocation is checked elsewhere. The total work is limited (budget.ts): a
// path that exceeds the limit fails.
import {
  checkAlgorithms,
  checkBasicConstraints,
  checkCriticalExtensions,
  checkKeyUsage,
  checkSubjectName,
  checkPurpose,
  checkValidity,
  type Finding,
} from './certificate-checks.ts';
import { createBudget } from './budget.ts';
import { createPathWork, type PathWork } from './work.ts';
import { enterCertificate, finishPolicies, leaveIntermediate, startPolicies, type PolicyOptions } from './policies.ts';
import { equalBytes } from '../bytes.ts';
import { equalNames, formatName } from '../names.ts';
import { PkiError } from '../errors.ts';
import { violatedConstraint, type CompiledConstraints } from './name-constraints.ts';
import { signatureAlgorithmProblem } from '../algorithms.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { VerifySignature } from '../crypto.ts';

/** Maximum length of a chain; real chains have up to five certificates. */
export const MAX_PATH_CERTIFICATES = 32;

export const PATH_CHECKS = [
  'signature',
  'algorithms',
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
  /** Why the check failed or was skipped; empty if it passed. */
  readonly message: string;
}

export interface CertificateResult {
  readonly certificate: Certificate;
  readonly isValid: boolean;
  readonly checks: Readonly<Record<PathCheck, CheckResult>>;
}

export interface PathResult {
  /** Whether all checks of all certificates passed or were skipped. The caller decides whether to trust the anchor. */
  readonly isValid: boolean;
  /** In chain order: end entity first, anchor last. */
  readonly certificates: readonly CertificateResult[];
  /** Policies under which the path is valid. */
  readonly policies: readonly string[];
}

export interface PathOptions extends PolicyOptions {
  readonly nowMs: number;
  readonly verify: VerifySignature;
  /**
   * Purpose that the end entity must permit, for example `OID.serverAuth`. CAs that restrict purposes must also permit
   * it.
   */
  readonly purpose?: string | undefined;
  /** Accepts signatures with MD5 and SHA-1, to examine old certificates. */
  readonly acceptsWeakDigests?: boolean | undefined;
  /**
   * Whether the target is a CA that will issue certificates. If so, the requirements for CAs, such as path length and
   * key usage (RFC 5280 §6.1.4), also apply to it; otherwise the last certificate of a path is exempt.
   */
  readonly targetIssues?: boolean | undefined;
  /** Shared by all validations in one search; by default, each validation has its own with a full budget. */
  readonly work?: PathWork | undefined;
}

/**
 * Validates a chain: end entity first, each certificate followed by its issuer, the trust anchor last. A self-signed
 * anchor is verified with its own key. Throws `PkiError` `bad-argument` for an empty chain and `bound-exceeded` for a
 * chain that is too long. A malformed extension fails the check that requires it.
 */
export function validatePath(chain: readonly Certificate[], options: PathOptions): PathResult {
  if (chain.length === 0)
    throw new PkiError('bad-argument', 'A certification path must contain at least one certificate.');
  if (chain.length > MAX_PATH_CERTIFICATES) {
    throw new PkiError('bound-exceeded', `A certification path must not exceed ${MAX_PATH_CERTIFICATES} certificates.`);
  }
  const walk = startWalk(chain.length - 1, options);
  const results: CertificateResult[] = [];
  for (let index = chain.length - 1; index >= 0; index--) {
    const certificate = chain[index] as Certificate; // The index is within bounds.
    const issuer = chain[index + 1];
    const isLast = index === 0;
    const issues = !isLast || (options.targetIssues ?? false);
    results.push(checkCertificate(walk, { certificate, issuer, isAnchor: issuer === undefined, isLast, issues }));
  }
  results.reverse();
  return { isValid: results.every(({ isValid }) => isValid), certificates: results, policies: walk.policies };
}

/** State that the certificates above determine for those below. */
interface Walk {
  readonly options: PathOptions;
  readonly work: PathWork;
  readonly constraints: CompiledConstraints[];
  readonly policyState: ReturnType<typeof startPolicies>;
  /** Maximum number of further CAs that are not self-issued. */
  maxPathLength: number;
  /** The certificate that specifies this path length. */
  limitedBy: Certificate | undefined;
  policies: readonly string[];
}

function startWalk(pathLength: number, options: PathOptions): Walk {
  const work = options.work ?? createPathWork(createBudget(), options.verify);
  return {
    options,
    work,
    constraints: [],
    policyState: startPolicies(pathLength, { ...options, budget: work.budget }),
    maxPathLength: MAX_PATH_CERTIFICATES,
    limitedBy: undefined,
    policies: [],
  };
}

interface Position {
  readonly certificate: Certificate;
  /** Absent for the anchor. */
  readonly issuer: Certificate | undefined;
  readonly isAnchor: boolean;
  /** Whether this is the target of the path: an end entity or a CA. */
  readonly isLast: boolean;
  /** Whether the certificate acts as a CA in this path: true above the target, and for a target that issues. */
  readonly issues: boolean;
}

function checkCertificate(walk: Walk, position: Position): CertificateResult {
  const { certificate } = position;
  const { nowMs, purpose, acceptsWeakDigests = false } = walk.options;
  const findings: Record<PathCheck, () => Finding> = {
    signature: () => checkSignature(walk, position),
    algorithms: () => checkAlgorithms(certificate, { isAnchor: position.isAnchor, acceptsWeakDigests }),
    validity: () => checkValidity(certificate, nowMs),
    nameChaining: () => checkNameChaining(position),
    basicConstraints: () => checkBasicConstraints(certificate, position),
    pathLength: () => checkPathLength(walk, position),
    keyUsage: () => checkKeyUsage(certificate, position),
    extendedKeyUsage: () => checkPurpose(certificate, purpose),
    nameConstraints: () => checkNameConstraints(walk, position),
    policies: () => checkPolicies(walk, position),
    criticalExtensions: () => checkCriticalExtensions(certificate),
  };
  const entries = PATH_CHECKS.map((check): [PathCheck, CheckResult] => [check, resultOf(findings[check])]);
  return {
    certificate,
    isValid: entries.every(([, { status }]) => status !== 'failed'),
    // There is one entry per member of PATH_CHECKS.
    checks: Object.fromEntries(entries) as Record<PathCheck, CheckResult>,
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

function checkSignature({ work }: Walk, { certificate, issuer }: Position): Finding {
  const signer = issuer ?? (certificate.isSelfIssued ? certificate : undefined);
  if (signer === undefined) return { notChecked: 'The issuer of the trust anchor is not in the path.' };
  if (work.isSigned(certificate, signer)) return undefined;
  const unsupported = signatureAlgorithmProblem(certificate.signatureAlgorithm);
  if (unsupported !== undefined) return unsupported;
  return `The signature (${certificate.signatureAlgorithmName}) does not verify with the key of "${formatName(signer.subject)}".`;
}

function checkNameChaining(position: Position): Finding {
  const { certificate, issuer } = position;
  const problem = checkSubjectName(certificate, position);
  if (problem !== undefined) return problem;
  if (issuer === undefined) return { notChecked: 'The certificate is the trust anchor.' };
  if (equalBytes(certificate.issuerDer, issuer.subjectDer) || equalNames(certificate.issuer, issuer.subject))
    return undefined;
  return `The issuer name "${formatName(certificate.issuer)}" does not match the subject "${formatName(issuer.subject)}".`;
}

/** Checks the path length (RFC 5280 §6.1.4 l and m). */
function checkPathLength(walk: Walk, { certificate, isAnchor, issues }: Position): Finding {
  if (!issues) return undefined;
  const counts = !isAnchor && !certificate.isSelfIssued;
  const { maxPathLength: left, limitedBy } = walk;
  if (counts) walk.maxPathLength--;
  const limit = certificate.basicConstraints?.pathLength;
  if (limit !== undefined && limit < walk.maxPathLength) {
    walk.maxPathLength = limit;
    walk.limitedBy = certificate;
  }
  if (!counts || left > 0) return undefined;
  const whose = limitedBy === undefined ? 'the path' : `"${formatName(limitedBy.subject)}"`;
  const allowed = limitedBy?.basicConstraints?.pathLength ?? MAX_PATH_CERTIFICATES;
  return `The path length constraint of ${whose} permits ${allowed} CAs below it; this CA exceeds the limit.`;
}

/**
 * Checks name constraints (RFC 5280 §6.1.3 b and c), then adds the certificate's own constraints (§6.1.4 g).
 * Constraints do not apply to self-issued CAs below.
 */
function checkNameConstraints({ work, constraints }: Walk, position: Position): Finding {
  const { certificate, isAnchor, issues } = position;
  const isExempt = constraints.length === 0 || isAnchor || (certificate.isSelfIssued && issues);
  const violation = isExempt ? undefined : violatedConstraint(work.names(certificate), constraints, work.budget);
  const own = issues ? work.constraints(certificate) : undefined;
  if (own !== undefined) constraints.push(own);
  return violation;
}

function checkPolicies(walk: Walk, { certificate, isAnchor, isLast }: Position): Finding {
  if (isAnchor && !isLast) return { notChecked: 'The certificate is the trust anchor.' };
  const entered = isAnchor ? undefined : enterCertificate(walk.policyState, certificate, isLast);
  if (!isLast) return leaveIntermediate(walk.policyState, certificate) ?? entered;
  const { problem, policies } = finishPolicies(walk.policyState, certificate, walk.options);
  walk.policies = policies;
  return entered ?? problem;
}
