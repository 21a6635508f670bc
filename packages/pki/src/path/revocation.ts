// The status of the certificates of a path by CRLs (RFC 5280 §6.3): full and delta lists, lists for some reasons, for
// one distribution point, and of another signer than the issuer. Lists are given; nothing is fetched.
import { buildPath, type PathCandidate } from './build.ts';
import { createBudget } from './budget.ts';
import { createPathWork, type PathWork } from './work.ts';
import { deltaFits, unknownCriticalCrlExtensions, type CertificateList, type RevokedEntry } from '../crl/crl.ts';
import { ALL_REASONS, distributionPointsOf, reasonsCovered } from '../crl/distribution.ts';
import { equalBytes } from '../bytes.ts';
import { equalNames, formatName } from '../names.ts';
import { isPkiError } from '../errors.ts';
import { isSignedBy } from '../x509/signed.ts';
import type { Certificate } from '../x509/certificate.ts';
import { indexedCrl, type IndexedCrl } from '../crl/entry-index.ts';
import type { VerifySignature } from '../crypto.ts';

export interface PathRevocationOptions {
  /** Lists that may speak about a certificate, full and delta. */
  readonly crlsFor: (certificate: Certificate) => readonly IndexedCrl[];
  /** Who may sign lists besides the issuers of the path, and what stands above them. */
  readonly candidates: readonly PathCandidate[];
  readonly nowMs: number;
  readonly verify: VerifySignature;
  readonly acceptsWeakDigests?: boolean | undefined;
  /** Shared by the validations of one search. */
  readonly work?: PathWork | undefined;
}

/** The list that decided: the delta where it completes the full list. */
export interface CrlStatement {
  readonly crl: CertificateList;
  readonly thisUpdateMs: number;
  /** When the next list is due. */
  readonly nextUpdateMs: number;
}

export type CrlVerdict =
  /** `statement` is the oldest of the lists that together cover all reasons. */
  | { readonly status: 'good'; readonly statement: CrlStatement }
  | { readonly status: 'revoked'; readonly entry: RevokedEntry; readonly statement: CrlStatement }
  | { readonly status: 'undetermined'; readonly problem: string };

export interface PathRevocation {
  /** Of the certificate at an index of a path: end entity first, anchor last. The anchor has no status. */
  statusOf(chain: readonly Certificate[], index?: number): CrlVerdict;
}

interface Round extends PathRevocationOptions {
  readonly work: PathWork;
  /** Signers whose own status is being found out: a list may be the one that speaks for its signer. */
  readonly asked: Set<Certificate>;
  readonly isSigned: (list: CertificateList, signer: Certificate) => boolean;
}

export function createPathRevocation(options: PathRevocationOptions): PathRevocation {
  const work = options.work ?? createPathWork(createBudget(), options.verify);
  const round: Round = { ...options, work, asked: new Set(), isSigned: rememberedSignatures(options.verify) };
  return { statusOf: (chain, index = 0) => statusOf(round, chain, index) };
}

/** A list is verified once with each key, however many certificates it is asked about. */
function rememberedSignatures(verify: VerifySignature): Round['isSigned'] {
  const byList = new WeakMap<CertificateList, Map<Certificate, boolean>>();
  return (list, signer) => {
    const known = byList.get(list) ?? new Map<Certificate, boolean>();
    byList.set(list, known);
    const isSigned = known.get(signer) ?? isSignedBy(list, { issuerSpki: signer.spki, verify });
    known.set(signer, isSigned);
    return isSigned;
  };
}

function statusOf(round: Round, chain: readonly Certificate[], index: number): CrlVerdict {
  const certificate = chain[index];
  const issuer = chain[index + 1];
  if (!certificate || !issuer) return undetermined('A trust anchor has no status.');
  const crls = round.crlsFor(certificate);
  let problem = 'No CRL speaks about the certificate.';
  let covered = 0;
  let oldest: CrlStatement | undefined;
  for (const point of distributionPointsOf(certificate))
    for (const list of crls) {
      if (list.crl.baseCrlNumber !== undefined) continue;
      const reasons = reasonsCovered(list.crl, point, certificate);
      if ((reasons & ~covered) === 0) continue;
      const signer = signerOf(round, list, chain.slice(index));
      const own = signer ? problemOf(list, round) : notSigned(list.crl);
      if (!signer || own !== undefined) {
        problem = own ?? problem;
        continue;
      }
      const delta = deltaOf(round, { list, crls, signer });
      const entry = entryOf(certificate, { list, delta });
      const statement = statementOf((delta ?? list).crl);
      if (entry) return { status: 'revoked', entry, statement };
      covered |= reasons;
      if (!oldest || statement.thisUpdateMs < oldest.thisUpdateMs) oldest = statement;
      if ((covered & ALL_REASONS) === ALL_REASONS) return { status: 'good', statement: oldest };
    }
  return undetermined(covered === 0 ? problem : 'The CRLs speak about some reasons of revocation only.');
}

/** A list without nextUpdate is not used. */
const statementOf = (crl: CertificateList): CrlStatement => ({
  crl,
  thisUpdateMs: crl.thisUpdateMs,
  nextUpdateMs: crl.nextUpdateMs ?? crl.thisUpdateMs,
});

const undetermined = (problem: string): CrlVerdict => ({ status: 'undetermined', problem });
const notSigned = ({ issuer }: CertificateList): string =>
  `The CRL of "${formatName(issuer)}" is not signed by a CA that may sign it.`;

/** Why a list cannot be used at all. */
function problemOf({ crl, unknownCritical }: IndexedCrl, { nowMs }: Round): string | undefined {
  if (crl.thisUpdateMs > nowMs) return `The CRL is valid from ${new Date(crl.thisUpdateMs).toISOString()} only.`;
  if (crl.nextUpdateMs === undefined) return 'The CRL does not say when the next one comes.';
  if (crl.nextUpdateMs <= nowMs) return `The CRL expired at ${new Date(crl.nextUpdateMs).toISOString()}.`;
  const unknown = [...unknownCriticalCrlExtensions(crl), ...unknownCritical];
  return unknown.length > 0 ? `The CRL has unknown critical extensions: ${unknown.join(', ')}.` : undefined;
}

/** The delta counts more: it is as new or newer (§6.3.3 i to k). */
function entryOf(
  certificate: Certificate,
  { list, delta }: { readonly list: IndexedCrl; readonly delta: IndexedCrl | undefined },
): RevokedEntry | undefined {
  const find = ({ crl, find: findIn }: IndexedCrl): RevokedEntry | undefined =>
    findIn(certificate.serialBytes).find(({ certificateIssuer }) =>
      certificateIssuer === undefined
        ? equalNames(crl.issuer, certificate.issuer)
        : certificateIssuer.some((name) => name.kind === 'directoryName' && equalNames(name.name, certificate.issuer)),
    );
  const entry = (delta && find(delta)) ?? find(list);
  return entry?.reason === 'removeFromCRL' ? undefined : entry;
}

/** §6.3.3 c and h: the delta of this list, signed with the same key. */
function deltaOf(
  round: Round,
  {
    list,
    crls,
    signer,
  }: { readonly list: IndexedCrl; readonly crls: readonly IndexedCrl[]; readonly signer: Certificate },
): IndexedCrl | undefined {
  return crls
    .filter((delta) => deltaFits(list.crl, delta.crl) && problemOf(delta, round) === undefined)
    .toSorted((a, b) => Number((b.crl.crlNumber ?? 0n) - (a.crl.crlNumber ?? 0n)))
    .find((delta) => round.isSigned(delta.crl, signer));
}

const maySignLists = ({ keyUsage }: Certificate): boolean => keyUsage?.includes('cRLSign') ?? true;

/** §6.3.3 f and g: the issuer itself, or whoever has that name below the same anchor and is not revoked. */
function signerOf(round: Round, { crl }: IndexedCrl, chain: readonly Certificate[]): Certificate | undefined {
  const issuer = chain[1];
  const anchor = chain.at(-1);
  if (!issuer || !anchor) return undefined;
  const isNamed = (certificate: Certificate): boolean =>
    equalNames(certificate.subject, crl.issuer) && maySignLists(certificate) && isSignedSafely(round, crl, certificate);
  if (isNamed(issuer)) return issuer;
  return round.candidates
    .map(({ certificate }) => certificate)
    .find((candidate) => isNamed(candidate) && leadsTo(round, candidate, anchor));
}

function isSignedSafely({ isSigned }: Round, crl: CertificateList, signer: Certificate): boolean {
  try {
    return isSigned(crl, signer);
  } catch (error) {
    if (isPkiError(error)) return false; // a key that cannot be read signed nothing
    throw error;
  }
}

function leadsTo(round: Round, signer: Certificate, anchor: Certificate): boolean {
  if (round.asked.has(signer)) return true; // asked for by itself, which settles nothing either way
  const { isValid, issuers } = buildPath(signer, round);
  const path = [signer, ...issuers.map(({ certificate }) => certificate)];
  const top = path.at(-1);
  if (!isValid || !top || !equalBytes(top.spki, anchor.spki) || !equalNames(top.subject, anchor.subject)) return false;
  round.asked.add(signer);
  const isRevoked = path.slice(0, -1).some((_, index) => statusOf(round, path, index).status === 'revoked');
  round.asked.delete(signer);
  return !isRevoked;
}

/** The status by one list and its delta, of a certificate whose issuer signed both. Throws as `indexEntries`. */
export function revocationByCrl(
  certificate: Certificate,
  sources: {
    readonly full: CertificateList;
    readonly delta?: CertificateList | undefined;
    readonly issuer: Certificate;
    readonly nowMs: number;
    readonly verify: VerifySignature;
  },
): CrlVerdict {
  const { full, delta, issuer, nowMs, verify } = sources;
  const lists = (delta ? [full, delta] : [full]).map((list) => indexedCrl(list));
  const revocation = createPathRevocation({ crlsFor: () => lists, candidates: [], nowMs, verify });
  return revocation.statusOf([certificate, issuer]);
}
