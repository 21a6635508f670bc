// Certification paths for a certificate and the authorities above it, built from the inventory. Pure functions that
// return plain data, since large or hostile certificates are processed in a worker thread.
import {
  buildPath,
  buildValidPaths,
  createPathWork,
  describeFailure,
  withinBudget,
  type Budget,
  type Certificate,
  type CheckResult,
  type PathCandidate,
  type PathCheck,
  type PathEnd,
  type PathFailure,
  type VerifySignature,
} from '@signetry/pki';

export interface PathMember {
  readonly uuid: string;
  readonly certificate: Certificate;
  /** Whether a user or the platform marked the certificate as trusted; null if it is not a CA certificate. */
  readonly trustedCa: boolean | null;
  readonly isRevoked: boolean;
}

export interface PathQuery {
  readonly target: PathMember;
  /** All certificates that could be above the target in a path. */
  readonly pool: readonly PathMember[];
  /** Whether a limit excluded some certificates that could be above the target. */
  readonly isCut: boolean;
  readonly nowMs: number;
  /** Work limit shared by all paths in the result. */
  readonly budget: Budget;
}

export interface ValidPathsQuery extends PathQuery {
  /** Number of paths after which the search stops. */
  readonly limit: number;
}

export interface FoundPath {
  readonly uuid: string;
  /**
   * UUIDs of the issuers, starting with the direct issuer. Each link is proven by its signature; `failures` states
   * whether the path is valid.
   */
  readonly issuerUuids: readonly string[];
  readonly end: PathEnd;
  /** Results of the checks on the certificate itself. */
  readonly checks: Readonly<Record<PathCheck, CheckResult>>;
  /** Failures along the whole path, from the top down. */
  readonly failures: readonly FoundFailure[];
  readonly isExhausted: boolean;
}

/** Path ends for which an external source may provide an issuer certificate. */
export const ENDS_WITHOUT_ISSUER: ReadonlySet<PathEnd> = new Set(['issuerUnknown', 'issuerNotProven', 'issuerLeftOut']);

export interface FoundFailure extends Pick<PathFailure, 'index' | 'check'> {
  /** Includes the certificate's name if it is not the target. */
  readonly message: string;
  /** Whether the failure is caused only by a certification authority that is not yet trusted. */
  readonly isTrustMissing: boolean;
}

/** Returns the certificate's path, followed by the path of each authority on it. */
export function findPaths(question: PathQuery, verify: VerifySignature): [FoundPath, ...FoundPath[]] {
  const finder = createPathFinder(question, verify);
  const found = finder.find(question.target);
  const issuers = found.issuerUuids.flatMap((uuid) => question.pool.find((member) => member.uuid === uuid) ?? []);
  return [found, ...issuers.map((issuer) => finder.find(issuer))];
}

/** Finds paths for multiple certificates that share the authorities above them. */
export function createPathFinder(question: Omit<PathQuery, 'target'>, verify: VerifySignature) {
  const { nowMs, isCut } = question;
  const { work, members, candidates, isRoot } = candidatesOf(question, verify);

  function find(member: PathMember): FoundPath {
    const { certificate, trustedCa } = member;
    const built = buildPath(certificate, {
      candidates,
      targetIsAnchor: trustedCa === true && isRoot(member),
      targetIssues: trustedCa !== null,
      isCut,
      nowMs,
      verify,
      work,
    });
    const issuerUuids = built.issuers.flatMap((candidate) => members.get(candidate)?.uuid ?? []);
    const failures = built.failures.map((failure) => ({
      index: failure.index,
      check: failure.check,
      message: describeFailure(failure),
      isTrustMissing: failure.message === NOT_TRUSTED || (failure.check === 'end' && built.end === 'untrustedRoot'),
    }));
    const [own] = built.result.certificates;
    if (!own) throw new Error('A path must have a result for its target.');
    const { end, isExhausted } = built;
    return { uuid: member.uuid, issuerUuids, end, checks: own.checks, failures, isExhausted };
  }

  return { find, work };
}

/**
 * Returns the target's issuers on each valid path, up to a limit, starting with the path that `findPaths` returns
 * first.
 */
export function findValidPaths(question: ValidPathsQuery, verify: VerifySignature): string[][] {
  const { target, nowMs, limit } = question;
  const { work, members, candidates } = candidatesOf(question, verify);
  const paths = buildValidPaths(target.certificate, { candidates, nowMs, verify, work, limit });
  return paths.map((path) => path.flatMap((candidate) => members.get(candidate)?.uuid ?? []));
}

/** Converts the pool to path-building input. */
function candidatesOf({ pool, budget }: Omit<PathQuery, 'target'>, verify: VerifySignature) {
  const work = createPathWork(budget, verify);
  const members = new Map<PathCandidate, PathMember>();
  /**
   * Returns whether the member is a root. Returns false if the work limit is reached, which the search then reports.
   */
  const isRoot = ({ certificate }: PathMember): boolean =>
    certificate.isSelfIssued && withinBudget(budget, () => work.isSigned(certificate, certificate)) === true;
  const candidates = pool.map((member) => {
    const candidate = { certificate: member.certificate, ...standingOf(member, isRoot) };
    members.set(candidate, member);
    return candidate;
  });
  return { work, members, candidates, isRoot };
}

const NOT_TRUSTED = 'The certification authority is not marked as trusted.';

/**
 * Returns an authority's role in a path. Only a root can be an anchor, and every intermediate authority must also be
 * trusted.
 */
function standingOf(
  member: PathMember,
  isRoot: (member: PathMember) => boolean,
): Pick<PathCandidate, 'isAnchor' | 'objection'> {
  if (member.isRevoked) return { isAnchor: false, objection: 'The certification authority is revoked.' };
  if (member.trustedCa) return { isAnchor: isRoot(member) };
  // An untrusted root ends the path and is reported there.
  if (member.certificate.isSelfIssued) return { isAnchor: false };
  return { isAnchor: false, objection: NOT_TRUSTED };
}
