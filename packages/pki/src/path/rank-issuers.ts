// Ranks the candidates that may have issued a certificate, most promising first (RFC 4158 §3.5): by trust, absence of
// problems and current validity, matching key identifier, distance to an anchor, age.
import { equalBytes } from '../bytes.ts';
import { isFitToIssue } from './certificate-checks.ts';
import { unlessMalformed } from '../errors.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { PathOptions } from './validate.ts';
import type { PathWork } from './work.ts';

/** A certificate that can be above the target in a path. */
export interface PathCandidate {
  readonly certificate: Certificate;
  /** Whether the caller trusts it, so that a path can end here. */
  readonly isAnchor: boolean;
  /** Why the caller rejects it (for example, because it is revoked). A path through it fails for this reason. */
  readonly objection?: string | undefined;
}

export interface RankedIssuers {
  /** Returns the candidates for a valid path: those without problems of their own and with a reachable anchor. */
  soundIssuers(certificate: Certificate): Issuers;
  allIssuers(certificate: Certificate): Issuers;
}

export interface Issuers {
  /** Whether any candidate has the issuer's name. */
  readonly named: boolean;
  readonly issuers: readonly PathCandidate[];
}

interface Ranked {
  readonly candidate: PathCandidate;
  readonly subject: string;
  readonly issuer: string;
  readonly isFit: boolean;
  readonly keyId: Uint8Array | undefined;
  /** Number of steps to an anchor, based on names only; infinite if no anchor is reachable. */
  distance: number;
}

export function rankIssuers(
  candidates: readonly PathCandidate[],
  options: PathOptions & { readonly target: Certificate; readonly work: PathWork },
): RankedIssuers {
  const { work } = options;
  const all = candidates.map((candidate) => toRanked(candidate, options));
  const bySubject = Map.groupBy(all, ({ subject }) => subject);
  measureDistances(all, bySubject);
  const remembered = new Map<Certificate, readonly Ranked[]>();

  function issuersOf(certificate: Certificate): readonly Ranked[] {
    const known = remembered.get(certificate);
    if (known !== undefined) return known;
    const named = bySubject.get(work.nameKey(certificate.issuer)) ?? [];
    work.budget.spend(named.length * 4);
    const wantedKeyId = unlessMalformed(() => certificate.authorityKeyIdentifier?.keyIdentifier);
    const sorted = named
      .map((ranked) => ({ ranked, keys: keyIdRank(wantedKeyId, ranked.keyId) }))
      .sort((a, b) => compare(a.ranked, b.ranked, b.keys - a.keys))
      .map(({ ranked }) => ranked);
    remembered.set(certificate, sorted);
    return sorted;
  }

  const toIssuers = (all: readonly Ranked[], chosen: readonly Ranked[]): Issuers => ({
    named: all.length > 0,
    issuers: chosen.map(({ candidate }) => candidate),
  });

  return {
    soundIssuers: (certificate) => {
      const named = issuersOf(certificate);
      return toIssuers(
        named,
        named.filter((each) => each.isFit && each.distance < Infinity),
      );
    },
    allIssuers: (certificate) => {
      const named = issuersOf(certificate);
      return toIssuers(named, named);
    },
  };
}

/** Number of steps to examine a candidate in isolation. */
const STEPS_PER_CANDIDATE = 20;

function toRanked(candidate: PathCandidate, options: PathOptions & { readonly work: PathWork }): Ranked {
  const { certificate, isAnchor, objection } = candidate;
  const { nowMs, acceptsWeakDigests = false, work } = options;
  work.budget.spend(STEPS_PER_CANDIDATE);
  return {
    candidate,
    subject: work.nameKey(certificate.subject),
    issuer: work.nameKey(certificate.issuer),
    isFit: objection === undefined && isFitToIssue(certificate, { nowMs, isAnchor, acceptsWeakDigests }),
    keyId: unlessMalformed(() => certificate.subjectKeyIdentifier),
    distance: isAnchor ? 0 : Infinity,
  };
}

/** Measures distances breadth-first from the anchors down, by matching issuer names. */
function measureDistances(all: readonly Ranked[], bySubject: ReadonlyMap<string, readonly Ranked[]>): void {
  const byIssuer = Map.groupBy(all, ({ issuer }) => issuer);
  let level = [...bySubject.values()].flat().filter(({ distance }) => distance === 0);
  const seen = new Set<string>();
  for (let distance = 1; level.length > 0; distance++) {
    const below: Ranked[] = [];
    for (const { subject } of level) {
      if (seen.has(subject)) continue;
      seen.add(subject);
      for (const each of byIssuer.get(subject) ?? []) {
        if (each.distance < Infinity) continue;
        each.distance = distance;
        below.push(each);
      }
    }
    level = below;
  }
}

/**
 * Matching identifiers rank before absent ones, which rank before different ones: they are hints, not proof (RFC 5280
 * §4.2.1.1).
 */
function keyIdRank(wanted: Uint8Array | undefined, keyId: Uint8Array | undefined): number {
  if (wanted === undefined || keyId === undefined) return 1;
  return equalBytes(wanted, keyId) ? 2 : 0;
}

function compare(a: Ranked, b: Ranked, byKeys: number): number {
  return (
    Number(b.candidate.isAnchor) - Number(a.candidate.isAnchor) ||
    Number(b.isFit) - Number(a.isFit) ||
    Number(a.candidate.objection !== undefined) - Number(b.candidate.objection !== undefined) ||
    byKeys ||
    compareDistances(a.distance, b.distance) ||
    b.candidate.certificate.notBeforeMs - a.candidate.certificate.notBeforeMs
  );
}

/** Compares distances. Equal distances are not subtracted because Infinity minus Infinity is NaN. */
const compareDistances = (a: number, b: number): number => (a === b ? 0 : a - b);
