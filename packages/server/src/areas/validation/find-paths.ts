// The certification paths of a certificate and of the authorities above it, among what the inventory holds. Pure, and
// answered as data, since large or hostile certificates are judged in a worker thread.
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
  /** Whether a person or the platform marked it as trusted; null for what is not a CA. */
  readonly trustedCa: boolean | null;
  readonly isRevoked: boolean;
}

export interface PathQuestion {
  readonly target: PathMember;
  /** Everything that may stand above it. */
  readonly pool: readonly PathMember[];
  /** A limit left out some that may stand above it. */
  readonly isCut: boolean;
  readonly nowMs: number;
  /** Holds for all paths of the answer together. */
  readonly budget: Budget;
}

export interface ValidPathsQuestion extends PathQuestion {
  /** Number of paths that are enough. */
  readonly limit: number;
}

export interface FoundPath {
  readonly uuid: string;
  /** Issuer first. Each is proven by its key; whether the path is valid is said by the failures. */
  readonly issuerUuids: readonly string[];
  readonly end: PathEnd;
  /** Of the certificate itself. */
  readonly checks: Readonly<Record<PathCheck, CheckResult>>;
  /** Of the whole path, from the top down. */
  readonly failures: readonly FoundFailure[];
  readonly isExhausted: boolean;
}

/** A certificate of the issuer may be found elsewhere. */
export const ENDS_WITHOUT_ISSUER: ReadonlySet<PathEnd> = new Set(['issuerUnknown', 'issuerNotProven', 'issuerLeftOut']);

export interface FoundFailure extends Pick<PathFailure, 'index' | 'check'> {
  /** Names the certificate, where it is another than the one in question. */
  readonly message: string;
  /** Only because somebody has to trust a certification authority first. */
  readonly isTrustMissing: boolean;
}

/** The certificate's path first, then that of each authority on it. */
export function findPaths(question: PathQuestion, verify: VerifySignature): [FoundPath, ...FoundPath[]] {
  const finder = createPathFinder(question, verify);
  const found = finder.find(question.target);
  const issuers = found.issuerUuids.flatMap((uuid) => question.pool.find((member) => member.uuid === uuid) ?? []);
  return [found, ...issuers.map((issuer) => finder.find(issuer))];
}

/** Finds the paths of many certificates with the same authorities above them. */
export function createPathFinder(question: Omit<PathQuestion, 'target'>, verify: VerifySignature) {
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
    if (!own) throw new Error('A path has a result for its target.');
    const { end, isExhausted } = built;
    return { uuid: member.uuid, issuerUuids, end, checks: own.checks, failures, isExhausted };
  }

  return { find, work };
}

/** The issuers of the target on each valid path, up to a limit, the path that `findPaths` answers first. */
export function findValidPaths(question: ValidPathsQuestion, verify: VerifySignature): string[][] {
  const { target, nowMs, limit } = question;
  const { work, members, candidates } = candidatesOf(question, verify);
  const paths = buildValidPaths(target.certificate, { candidates, nowMs, verify, work, limit });
  return paths.map((path) => path.flatMap((candidate) => members.get(candidate)?.uuid ?? []));
}

/** The pool as path building takes it. */
function candidatesOf({ pool, budget }: Omit<PathQuestion, 'target'>, verify: VerifySignature) {
  const work = createPathWork(budget, verify);
  const members = new Map<PathCandidate, PathMember>();
  /** Not proven where the work limit is reached; the search then reports the limit. */
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

/** Only a root is an anchor, and every authority between is to be trusted too. */
function standingOf(
  member: PathMember,
  isRoot: (member: PathMember) => boolean,
): Pick<PathCandidate, 'isAnchor' | 'objection'> {
  if (member.isRevoked) return { isAnchor: false, objection: 'The certification authority is revoked.' };
  if (member.trustedCa) return { isAnchor: isRoot(member) };
  // That a root is not trusted is where the path ends, and said there.
  if (member.certificate.isSelfIssued) return { isAnchor: false };
  return { isAnchor: false, objection: NOT_TRUSTED };
}
