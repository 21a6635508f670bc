// Path building (RFC 4158): from an unordered set of certificates, finds a path from a target to a trust anchor that is
// valid as a whole, or else the path that best explains why there is none. The search is depth-first and tries the most
// promising issuer first. Several issuers can share a name and a key (cross-certificates, renewals, impostors), so one
// failed path is not conclusive.
import { createBudget, withinBudget } from './budget.ts';
import { createPathWork, type PathWork } from './work.ts';
import { equalBytes } from '../bytes.ts';
import { formatName } from '../names.ts';
import {
  MAX_PATH_CERTIFICATES,
  PATH_CHECKS,
  validatePath,
  type PathCheck,
  type PathOptions,
  type PathResult,
} from './validate.ts';
import { PkiError } from '../errors.ts';
import { rankIssuers, type PathCandidate } from './rank-issuers.ts';
import { signatureAlgorithmProblem } from '../algorithms.ts';
import type { Certificate } from '../x509/certificate.ts';

export type { PathCandidate } from './rank-issuers.ts';

/** Maximum number of candidate certificates. */
export const MAX_PATH_CANDIDATES = 1000;
/** Maximum number of complete paths to validate in search of the best explanation if no path is valid. */
const MAX_EXPLANATIONS = 32;

export interface BuildOptions extends PathOptions {
  readonly candidates: readonly PathCandidate[];
  /** Whether the target itself is trusted, so that it is a path on its own. */
  readonly targetIsAnchor?: boolean | undefined;
  /** Whether a limit in the caller excluded candidates, which may include the missing issuer. */
  readonly isCut?: boolean | undefined;
}

/**
 * Where a path ends: at an anchor; at a self-signed certificate that is not an anchor; where no candidate has the
 * issuer's name; where candidates have the name but none has the signing key; where that cannot be determined because
 * the signature algorithm is not supported; where neither is known because a limit excluded candidates; where the path
 * would become too long; where the work limit was reached before anything was found.
 */
export type PathEnd =
  | 'anchor'
  | 'untrustedRoot'
  | 'issuerUnknown'
  | 'issuerNotProven'
  | 'algorithmUnknown'
  | 'issuerLeftOut'
  | 'tooLong'
  | 'exhausted';

export interface PathFailure {
  readonly certificate: Certificate;
  /** Position in the path; the target is 0. */
  readonly index: number;
  /** The failed check. `objection` is the caller's objection; `end` means that the path does not reach an anchor. */
  readonly check: PathCheck | 'objection' | 'end';
  readonly message: string;
}

export interface BuiltPath {
  /** Whether the path ends at an anchor and no check failed. */
  readonly isValid: boolean;
  /**
   * Certificates above the target, its issuer first. These are the caller's objects, so that they can be compared by
   * identity.
   */
  readonly issuers: readonly PathCandidate[];
  readonly end: PathEnd;
  /** Results for the target and its issuers, in that order. */
  readonly result: PathResult;
  /** From the top down, so that causes precede consequences. */
  readonly failures: readonly PathFailure[];
  /** Whether the work limit ended the search, so that a valid path may have been missed. */
  readonly isExhausted: boolean;
}

/**
 * Returns a valid path, or else the best invalid one. Throws `PkiError` `bound-exceeded` if there are more than
 * `MAX_PATH_CANDIDATES`. Hostile candidates end the search early, which the result indicates.
 */
export function buildPath(target: Certificate, options: BuildOptions): BuiltPath {
  const search = startSearch(target, options);
  const { work } = search;
  // Anything found before the work limit is kept.
  withinBudget(work.budget, () => {
    const ranked = rankIssuers(options.candidates, { ...options, target, work });
    // First search only certificates without problems of their own: others cannot be part of a valid path.
    explore(search, { above: [], next: (certificate) => ranked.soundIssuers(certificate), explains: false });
    if (search.best?.isValid) return;
    search.validated = 0;
    explore(search, { above: [], next: (certificate) => ranked.allIssuers(certificate), explains: true });
  });
  return { ...(search.best ?? evaluate(search, [], 'exhausted')), isExhausted: work.budget.isExhausted };
}

/**
 * Returns the valid paths, up to a limit, in the order in which `buildPath` would choose them. There are several if CAs
 * cross-certified each other or have several certificates for one key. Empty if no path is valid. Throws the same
 * errors as `buildPath`.
 */
export function buildValidPaths(
  target: Certificate,
  { limit, ...options }: BuildOptions & { readonly limit: number },
): readonly (readonly PathCandidate[])[] {
  const search: Search = { ...startSearch(target, options), wanted: limit };
  const { work } = search;
  // Anything found before the work limit is kept.
  withinBudget(work.budget, () => {
    const ranked = rankIssuers(options.candidates, { ...options, target, work });
    explore(search, { above: [], next: (certificate) => ranked.soundIssuers(certificate), explains: false });
  });
  return search.valid.map(({ issuers }) => issuers);
}

function startSearch(target: Certificate, options: BuildOptions): Search {
  if (options.candidates.length > MAX_PATH_CANDIDATES) {
    throw new PkiError('bound-exceeded', `A path can be built from at most ${MAX_PATH_CANDIDATES} certificates.`);
  }
  const work = options.work ?? createPathWork(createBudget(), options.verify);
  return { target, options: { ...options, work }, work, wanted: 1, valid: [], best: undefined, validated: 0 };
}

type EvaluatedPath = Omit<BuiltPath, 'isExhausted'>;

interface Search {
  readonly target: Certificate;
  readonly options: BuildOptions;
  readonly work: PathWork;
  /** Number of valid paths after which the search ends. */
  readonly wanted: number;
  readonly valid: EvaluatedPath[];
  best: EvaluatedPath | undefined;
  validated: number;
}

interface Branch {
  readonly above: readonly PathCandidate[];
  readonly next: (certificate: Certificate) => { readonly named: boolean; readonly issuers: readonly PathCandidate[] };
  /** Whether to keep paths that do not reach an anchor, to report where they end. */
  readonly explains: boolean;
}

/** Returns whether the search is over. */
function explore(search: Search, branch: Branch): boolean {
  const { target, options, work } = search;
  const { above, next, explains } = branch;
  const top = above.at(-1);
  const current = top?.certificate ?? target;
  work.budget.spend(STEPS_PER_BRANCH);
  if (top?.isAnchor ?? options.targetIsAnchor) return conclude(search, branch, 'anchor');
  if (current.isSelfIssued && work.isSigned(current, current))
    return explains && conclude(search, branch, 'untrustedRoot');
  const { named, issuers } = next(current);
  if (above.length + 2 > MAX_PATH_CERTIFICATES) return explains && conclude(search, branch, 'tooLong');
  let isProven = false;
  for (const issuer of issuers) {
    if (isRepeated(issuer, search, above)) continue;
    if (!work.isSigned(current, issuer.certificate)) continue;
    isProven = true;
    if (explore(search, { ...branch, above: [...above, issuer] })) return true;
  }
  if (!explains || isProven) return false;
  if ((named || current.isSelfIssued) && signatureAlgorithmProblem(current.signatureAlgorithm) !== undefined)
    return conclude(search, branch, 'algorithmUnknown');
  const end = named ? 'issuerNotProven' : 'issuerUnknown';
  return conclude(search, branch, options.isCut ? 'issuerLeftOut' : end);
}

/** Cost of trying a branch: a few objects and comparisons. */
const STEPS_PER_BRANCH = 20;

/**
 * Returns whether the certificate's combination of name and key is already in the path. Each combination can appear
 * only once (RFC 4158 §5.2); otherwise, cross-certificates cause loops.
 */
function isRepeated(
  { certificate }: PathCandidate,
  { target, work }: Search,
  above: readonly PathCandidate[],
): boolean {
  work.budget.spend(above.length + 1);
  return [target, ...above.map((each) => each.certificate)].some(
    (other) => equalBytes(other.spki, certificate.spki) && equalBytes(other.subjectDer, certificate.subjectDer),
  );
}

/** Validates a complete path and keeps it if it is the best so far. Returns whether the search is over. */
function conclude(search: Search, { above, explains }: Branch, end: PathEnd): boolean {
  const judged = evaluate(search, above, end);
  if (search.best === undefined || rank(judged) > rank(search.best)) search.best = judged;
  search.validated++;
  if (judged.isValid) search.valid.push(judged);
  return search.valid.length >= search.wanted || (explains && search.validated >= MAX_EXPLANATIONS);
}

function evaluate({ target, options }: Search, issuers: readonly PathCandidate[], end: PathEnd): EvaluatedPath {
  const chain = [target, ...issuers.map(({ certificate }) => certificate)];
  const result = validatePath(chain, options);
  // If the caller objects to the top certificate, that is also why the path cannot end there, so it comes first.
  const [ofEnd, ofPath] = [endFailure(chain, end, options.candidates.length), failuresOf(result, issuers)];
  const failures = issuers.at(-1)?.objection === undefined ? [...ofEnd, ...ofPath] : [...ofPath, ...ofEnd];
  return { isValid: failures.length === 0, issuers, end, result, failures };
}

function endFailure(chain: readonly Certificate[], end: PathEnd, candidates: number): PathFailure[] {
  const index = chain.length - 1;
  const certificate = chain[index] as Certificate; // The chain contains at least the target.
  const fail = (message: string): PathFailure[] => [{ certificate, index, check: 'end', message }];
  switch (end) {
    case 'anchor':
      return [];
    case 'untrustedRoot':
      return fail('The certificate is self-signed but not trusted.');
    case 'issuerUnknown':
      return fail(`The issuer certificate "${formatName(certificate.issuer)}" was not found.`);
    case 'issuerNotProven':
      return fail(
        `None of the known certificates of "${formatName(certificate.issuer)}" has the key that signed this certificate.`,
      );
    case 'algorithmUnknown':
      return fail(
        `${signatureAlgorithmProblem(certificate.signatureAlgorithm) ?? ''} Cannot verify whether ` +
          `"${formatName(certificate.issuer)}" signed this certificate.`,
      );
    case 'issuerLeftOut':
      return fail(
        `The issuer certificate "${formatName(certificate.issuer)}" is not among the ${candidates} that were ` +
          'examined; more certificates have a matching name but exceed the limit.',
      );
    case 'tooLong':
      return fail(`The path exceeds the limit of ${MAX_PATH_CERTIFICATES} certificates.`);
    case 'exhausted':
      return fail('The path search exceeded the work limit for one certificate.');
  }
}

function failuresOf({ certificates }: PathResult, issuers: readonly PathCandidate[]): PathFailure[] {
  const failures: PathFailure[] = [];
  for (let index = certificates.length - 1; index >= 0; index--) {
    // The index is within bounds.
    const { certificate, checks } = certificates[index] as PathResult['certificates'][number];
    const objection = issuers[index - 1]?.objection;
    if (objection !== undefined) failures.push({ certificate, index, check: 'objection', message: objection });
    for (const check of PATH_CHECKS) {
      const { status, message } = checks[check];
      if (status === 'failed') failures.push({ certificate, index, check, message });
    }
  }
  return failures;
}

const RANK_OF_END: Readonly<Record<PathEnd, number>> = {
  anchor: 3,
  untrustedRoot: 2,
  issuerNotProven: 1,
  algorithmUnknown: 1,
  issuerUnknown: 1,
  issuerLeftOut: 1,
  tooLong: 1,
  exhausted: 0,
};

/**
 * Ranks a path by how close it is to a valid path, because the closest path is the best explanation: first by where it
 * ends, then by the number of failures, then by length.
 */
function rank({ end, failures, issuers }: EvaluatedPath): number {
  return RANK_OF_END[end] * 1_000_000 - failures.length * 1000 - issuers.length;
}

/** Returns a failure's message, preceded by the certificate's subject unless it is the target. */
export function describeFailure({ certificate, index, message }: PathFailure): string {
  return index === 0 ? message : `${formatName(certificate.subject)}: ${message}`;
}
