// Certification paths for a certificate and the authorities above it, built from the inventory. Pure functions that
// return plain data, since large or hostile certificates are processed in a worker thread.
import {
  buildPath,
  buildValidPaths,
  createPathWork,
  describeFailure,
  excludedPurposes,
  formatName,
  judgePurposes,
  withinBudget,
  type Budget,
  type BuiltPath,
  type Certificate,
  type CheckResult,
  type PathCandidate,
  type PathCheck,
  type PathEnd,
  type PathFailure,
  type PurposePermission,
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
  /** Purposes that the certificate and the authorities on the path permit. */
  readonly purposes: readonly PurposePermission[];
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

  function search(member: PathMember, purpose?: string): BuiltPath {
    return buildPath(member.certificate, {
      candidates,
      targetIsAnchor: member.trustedCa === true && isRoot(member),
      targetIssues: member.trustedCa !== null,
      isCut,
      nowMs,
      verify,
      work,
      purpose,
    });
  }

  function find(member: PathMember): FoundPath {
    const built = forOwnPurpose(search(member), member, search);
    const issuerUuids = built.issuers.flatMap((candidate) => members.get(candidate)?.uuid ?? []);
    const top = built.issuers.at(-1);
    const note = anchorNote(built.end, (top && members.get(top)) ?? member);
    const failures = built.failures.map((failure) => ({
      index: failure.index,
      check: failure.check,
      message: describeFailure(failure) + (failure.check === 'end' ? note : ''),
      isTrustMissing: failure.message === NOT_TRUSTED || (failure.check === 'end' && built.end === 'untrustedRoot'),
    }));
    const [own] = built.result.certificates;
    if (!own) throw new Error('A path must have a result for its target.');
    const { end, isExhausted } = built;
    const purposes = judgePurposes(chainOf(member, built), { issues: member.trustedCa !== null });
    return { uuid: member.uuid, issuerUuids, end, checks: own.checks, failures, isExhausted, purposes };
  }

  return { find, work };
}

const chainOf = ({ certificate }: PathMember, { issuers }: BuiltPath): Certificate[] => [
  certificate,
  ...issuers.map((issuer) => issuer.certificate),
];

/** Maximum number of purposes for which a separate path is searched. */
const MAX_SEARCHED_PURPOSES = 6;

/**
 * Returns a path that permits one of the end entity's purposes. If there is none, returns a path that fails because of
 * the purpose: a certificate that no purpose can use is not valid.
 */
function forOwnPurpose(
  built: BuiltPath,
  member: PathMember,
  search: (member: PathMember, purpose: string) => BuiltPath,
): BuiltPath {
  if (!built.isValid || member.trustedCa !== null) return built;
  const excluded = excludedPurposes(chainOf(member, built));
  const others = excluded.slice(0, MAX_SEARCHED_PURPOSES).map((purpose) => search(member, purpose));
  return others.find(({ isValid }) => isValid) ?? others[0] ?? built;
}

/** Explains why a trusted authority does not end the path: only roots can be anchors. */
function anchorNote(end: PathEnd, top: PathMember): string {
  if (top.trustedCa !== true || !ENDS_WITHOUT_ISSUER.has(end)) return '';
  const name = formatName(top.certificate.subject);
  return (
    ` "${name}" is marked as trusted but is not self-signed, so it cannot be the end of the chain. Add the certificate ` +
    'of its root and mark it as trusted.'
  );
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
