// CRL-based revocation status of the certificates in a path (RFC 5280 §6.3). Supports full and delta CRLs, CRLs limited
// to some reasons or to one distribution point, and CRLs signed by someone other than the issuer. The caller supplies
// the CRLs; nothing is fetched.
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
  /** Returns the full and delta CRLs that may cover a certificate. */
  readonly crlsFor: (certificate: Certificate) => readonly IndexedCrl[];
  /** Possible CRL signers in addition to the issuers in the path, and the certificates above them. */
  readonly candidates: readonly PathCandidate[];
  readonly nowMs: number;
  readonly verify: VerifySignature;
  readonly acceptsWeakDigests?: boolean | undefined;
  /** Shared by all validations in one search. */
  readonly work?: PathWork | undefined;
}

/** The CRL that determined the status: the delta CRL if it supplements the full CRL. */
export interface CrlStatement {
  readonly crl: CertificateList;
  readonly thisUpdateMs: number;
  /** Time when the next CRL is due. */
  readonly nextUpdateMs: number;
}

export type CrlVerdict =
  /** `statement` is the oldest of the CRLs that together cover all reasons. */
  | { readonly status: 'good'; readonly statement: CrlStatement }
  | { readonly status: 'revoked'; readonly entry: RevokedEntry; readonly statement: CrlStatement }
  | { readonly status: 'undetermined'; readonly problem: string };

export interface PathRevocation {
  /**
   * Returns the status of the certificate at an index in a path: end entity first, anchor last. The anchor has no
   * status.
   */
  statusOf(chain: readonly Certificate[], index?: number): CrlVerdict;
}

interface CheckContext extends PathRevocationOptions {
  readonly work: PathWork;
  /** Signers whose own status is being determined: a CRL may cover its own signer. */
  readonly asked: Set<Certificate>;
  readonly isSigned: (list: CertificateList, signer: Certificate) => boolean;
}

export function createPathRevocation(options: PathRevocationOptions): PathRevocation {
  const work = options.work ?? createPathWork(createBudget(), options.verify);
  const round: CheckContext = { ...options, work, asked: new Set(), isSigned: createSignatureCache(options.verify) };
  return { statusOf: (chain, index = 0) => statusOf(round, chain, index) };
}

/** Verifies each CRL once per key, regardless of the number of certificates checked against it. */
function createSignatureCache(verify: VerifySignature): CheckContext['isSigned'] {
  const byList = new WeakMap<CertificateList, Map<Certificate, boolean>>();
  return (list, signer) => {
    const known = byList.get(list) ?? new Map<Certificate, boolean>();
    byList.set(list, known);
    const isSigned = known.get(signer) ?? isSignedBy(list, { issuerSpki: signer.spki, verify });
    known.set(signer, isSigned);
    return isSigned;
  };
}

function statusOf(round: CheckContext, chain: readonly Certificate[], index: number): CrlVerdict {
  const certificate = chain[index];
  const issuer = chain[index + 1];
  if (!certificate || !issuer) return undetermined('A trust anchor has no revocation status.');
  const crls = round.crlsFor(certificate);
  let problem = 'No CRL covers the certificate.';
  let covered = 0;
  let oldest: CrlStatement | undefined;
  for (const point of distributionPointsOf(certificate))
    for (const list of crls) {
      if (list.crl.baseCrlNumber !== undefined) continue;
      const reasons = reasonsCovered(list.crl, point, certificate);
      if ((reasons & ~covered) === 0) continue;
      const signer = signerOf(round, list, chain.slice(index));
      const own = signer ? problemOf(list, round) : notSignedMessage(list.crl);
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
  return undetermined(covered === 0 ? problem : 'The CRLs cover only some revocation reasons.');
}

/** CRLs without nextUpdate have already been rejected. */
const statementOf = (crl: CertificateList): CrlStatement => ({
  crl,
  thisUpdateMs: crl.thisUpdateMs,
  nextUpdateMs: crl.nextUpdateMs ?? crl.thisUpdateMs,
});

const undetermined = (problem: string): CrlVerdict => ({ status: 'undetermined', problem });
const notSignedMessage = ({ issuer }: CertificateList): string =>
  `The CRL of "${formatName(issuer)}" is not signed by a CA that is authorized to sign it.`;

/** Returns why a CRL cannot be used at all. */
function problemOf({ crl, unknownCritical }: IndexedCrl, { nowMs }: CheckContext): string | undefined {
  if (crl.thisUpdateMs > nowMs) return `The CRL is not valid before ${new Date(crl.thisUpdateMs).toISOString()}.`;
  if (crl.nextUpdateMs === undefined) return 'The CRL has no nextUpdate.';
  if (crl.nextUpdateMs <= nowMs) return `The CRL expired on ${new Date(crl.nextUpdateMs).toISOString()}.`;
  const unknown = [...unknownCriticalCrlExtensions(crl), ...unknownCritical];
  return unknown.length > 0 ? `The CRL has unknown critical extensions: ${unknown.join(', ')}.` : undefined;
}

/**
 * Returns the entry that applies. The delta CRL takes precedence because it is as new as the full CRL, or newer (§6.3.3
 * i to k).
 */
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

/** Returns the delta CRL for this CRL, signed with the same key (§6.3.3 c and h). */
function deltaOf(
  round: CheckContext,
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

/**
 * Returns the CRL's signer (§6.3.3 f and g): the issuer itself, or a certificate with the CRL issuer's name that is
 * below the same anchor and not revoked.
 */
function signerOf(round: CheckContext, { crl }: IndexedCrl, chain: readonly Certificate[]): Certificate | undefined {
  const issuer = chain[1];
  const anchor = chain.at(-1);
  if (!issuer || !anchor) return undefined;
  const isSigner = (certificate: Certificate): boolean =>
    equalNames(certificate.subject, crl.issuer) && maySignLists(certificate) && isSignedSafely(round, crl, certificate);
  if (isSigner(issuer)) return issuer;
  return round.candidates
    .map(({ certificate }) => certificate)
    .find((candidate) => isSigner(candidate) && chainsTo(round, candidate, anchor));
}

function isSignedSafely({ isSigned }: CheckContext, crl: CertificateList, signer: Certificate): boolean {
  try {
    return isSigned(crl, signer);
  } catch (error) {
    if (isPkiError(error)) return false; // A key that cannot be parsed has not signed anything.
    throw error;
  }
}

function chainsTo(round: CheckContext, signer: Certificate, anchor: Certificate): boolean {
  // The signer's status depends on itself, so its own CRL proves nothing either way.
  if (round.asked.has(signer)) return true;
  const { isValid, issuers } = buildPath(signer, round);
  const path = [signer, ...issuers.map(({ certificate }) => certificate)];
  const top = path.at(-1);
  if (!isValid || !top || !equalBytes(top.spki, anchor.spki) || !equalNames(top.subject, anchor.subject)) return false;
  round.asked.add(signer);
  const isRevoked = path.slice(0, -1).some((_, index) => statusOf(round, path, index).status === 'revoked');
  round.asked.delete(signer);
  return !isRevoked;
}

/**
 * Returns the status according to one CRL and its delta, for a certificate whose issuer signed both. Throws the same
 * errors as `indexEntries`.
 */
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
