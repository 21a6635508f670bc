// Judges many certificates in a worker thread, parsing the authorities and CRLs that they share only once. Pure;
// unavailable CRLs are reported as missing.
import {
  createBudget,
  createPathRevocation,
  MAX_PATH_STEPS,
  indexedCrl,
  isPkiError,
  parseCertificate,
  parseCrl,
  toHex,
  type Certificate,
  type CrlIndexTables,
  type IndexedCrl,
  type VerifySignature,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { createPathFinder, ENDS_WITHOUT_ISSUER, type FoundPath, type PathMember } from './find-paths.ts';
import { outcomeOf } from './look-up-revocation.ts';
import { namedUrls, withFindings } from './named-urls.ts';
import { inventoryRevocation } from './revocation-check.ts';
import { evaluate, type CheckOutcome, type RevocationOutcome, type ValidationOutcome } from './verdict.ts';
import { dueAfter } from './due.ts';

/** Certificate as sent to the thread, with its data from the inventory. */
export interface BatchTarget {
  readonly uuid: string;
  readonly der: Uint8Array;
  readonly trustedCa: boolean | null;
  readonly state: 'issued' | 'revoked';
  readonly revokedAtMs: number | undefined;
  readonly revocationReason: string | null;
  /** Whether the revocation comes from an external CRL or OCSP response. */
  readonly isStatedExternally: boolean;
  readonly expiringThresholdDays: number;
  /** Index of the certificate's pool in the batch. */
  readonly pool: number;
  /** Last status from a responder, which is not queried again if a CRL states the status. */
  readonly ocspStatus: string | undefined;
}

export interface BatchMember extends Omit<PathMember, 'certificate'> {
  readonly der: Uint8Array;
  /** Whether an RA profile issues with the issuer's key, in which case the inventory records its revocations. */
  readonly isOurs: boolean;
}

/** Certificates that could be above the certificates from one issuer. */
export interface BatchPool {
  readonly members: readonly BatchMember[];
  /** Whether a limit excluded some certificates. */
  readonly isCut: boolean;
}

/** CRL with a number by which a thread recognizes it. */
export interface BatchCrl {
  readonly url: string;
  readonly list?: { readonly id: number; readonly der: Uint8Array; readonly tables: CrlIndexTables };
  readonly problem?: string;
}

export interface Batch {
  readonly targets: readonly BatchTarget[];
  readonly pools: readonly BatchPool[];
  readonly crls: readonly BatchCrl[];
  readonly nowMs: number;
  /** Whether responders are also queried if a CRL states the status. */
  readonly asksResponders: boolean;
}

export interface BatchVerdict {
  readonly uuid: string;
  readonly status: ValidationOutcome['status'];
  readonly checks: Readonly<Record<string, string>>;
  readonly message: string | undefined;
  readonly isTrustMissing: boolean;
  readonly issuerUuid: string | undefined;
  readonly dueAtMs: number | undefined;
}

export interface BatchResponse {
  readonly verdicts: readonly BatchVerdict[];
  /**
   * Certificates to validate individually: authorities, and certificates that need an external response, are expensive
   * to validate or cannot be parsed.
   */
  readonly single: readonly string[];
  /** Certificates to judge again once these CRLs are available. */
  readonly missing: readonly { readonly uuid: string; readonly urls: readonly string[] }[];
}

/**
 * Step budget for each certificate in a pool, in addition to the budget for the pool's authorities; typical
 * certificates use a tenth of it.
 */
const STEPS_PER_TARGET = 30_000;

export function evaluateBatch(batch: Batch): BatchResponse {
  const answer = {
    verdicts: [] as BatchVerdict[],
    single: [] as string[],
    missing: [] as BatchResponse['missing'][number][],
  };
  const crls = new Map(batch.crls.map((crl) => [crl.url, crl]));
  batch.pools.forEach((pool, index) => {
    const targets = batch.targets.filter((target) => target.pool === index);
    if (targets.length === 0) return;
    const evaluateOne = createPoolEvaluator(pool, { batch, crls, count: targets.length });
    for (const target of targets) {
      const outcome = evaluateOne(target);
      if (outcome === 'single') answer.single.push(target.uuid);
      else if ('urls' in outcome) answer.missing.push(outcome);
      else answer.verdicts.push(outcome);
    }
  });
  return answer;
}

interface Facts {
  readonly batch: Batch;
  readonly crls: ReadonlyMap<string, BatchCrl>;
  readonly count: number;
}

type Outcome = BatchVerdict | BatchResponse['missing'][number] | 'single';

function createPoolEvaluator(pool: BatchPool, { batch, crls, count }: Facts): (target: BatchTarget) => Outcome {
  const members = pool.members.map((member) => ({ ...member, certificate: parseCertificate(member.der) }));
  const byUuid = new Map(members.map((member) => [member.uuid, member]));
  const { nowMs } = batch;
  const budget = createBudget(MAX_PATH_STEPS + STEPS_PER_TARGET * count);
  const finder = createPathFinder({ pool: members, isCut: pool.isCut, nowMs, budget }, nodeCrypto.verify);

  function evaluateOne(target: BatchTarget): Outcome {
    const certificate = parseCertificate(target.der);
    const path = finder.find({
      uuid: target.uuid,
      certificate,
      trustedCa: target.trustedCa,
      isRevoked: target.state === 'revoked',
    });
    if (path.isExhausted || needsIssuer(path, certificate, byUuid)) return 'single';
    const issuers = path.issuerUuids.flatMap((uuid) => byUuid.get(uuid) ?? []);
    const revocation = revocationOf(target, { certificate, issuers, crls, batch });
    if (revocation === 'single' || 'urls' in revocation) return revocation;
    const { trustedCa, expiringThresholdDays } = target;
    const verdict = evaluate({ certificate, trustedCa, path, revocation, expiringThresholdDays }, new Date(nowMs));
    return {
      uuid: target.uuid,
      status: verdict.status,
      checks: Object.fromEntries(Object.entries(verdict.checks).map(([check, { status }]) => [check, status])),
      message: verdict.message,
      isTrustMissing: verdict.isTrustMissing,
      issuerUuid: path.issuerUuids[0],
      dueAtMs: dueAfter(certificate, { nowMs, expiringThresholdDays }),
    };
  }

  return (target) => {
    try {
      return evaluateOne(target);
    } catch (error) {
      if (isPkiError(error)) return 'single'; // Individual validation reports the error.
      throw error;
    }
  };
}

/**
 * Returns whether the certificate, or the topmost certificate found above it, names a source for the unknown issuer.
 */
function needsIssuer(
  { end, issuerUuids }: FoundPath,
  certificate: Certificate,
  members: ReadonlyMap<string, { readonly certificate: Certificate }>,
): boolean {
  if (!ENDS_WITHOUT_ISSUER.has(end)) return false;
  const top = members.get(issuerUuids.at(-1) ?? '')?.certificate ?? certificate;
  return namedUrls(top).issuers.length > 0;
}

interface RevocationFacts extends Pick<Facts, 'batch' | 'crls'> {
  readonly certificate: Certificate;
  readonly issuers: readonly (BatchMember & { readonly certificate: Certificate })[];
}

function revocationOf(target: BatchTarget, facts: RevocationFacts): RevocationOutcome | Exclude<Outcome, BatchVerdict> {
  const { certificate, issuers, crls, batch } = facts;
  const row = {
    state: target.state,
    revoked_at: target.revokedAtMs === undefined ? null : new Date(target.revokedAtMs),
    revocation_reason: target.revocationReason as never, // The inventory stores only valid reason codes.
  };
  const own = inventoryRevocation(row, { isIssuerOurs: issuers[0]?.isOurs ?? false });
  if (target.isStatedExternally) return 'single'; // An external source may lift the revocation.
  if (own.isConclusive) return own.outcome;
  if (issuers.length === 0) return withFindings(own.outcome, certificate);
  const { crls: urls, withoutCrls, responders, findings } = namedUrls(certificate);
  if (Object.keys(findings).length > 0) return 'single';
  const hasResponder = responders.length > 0;
  if (hasResponder && (batch.asksResponders || urls.length === 0)) return 'single';
  const missing = urls.filter((url) => !crls.has(url));
  if (missing.length > 0) return { uuid: target.uuid, urls: missing };
  const status = hasResponder ? (target.ocspStatus ?? 'not_checked') : 'not_checked';
  const ocsp = { status, message: '' } as CheckOutcome; // Stored results have no message.
  if (urls.length === 0) return { ocsp, crl: { status: 'not_checked', message: withoutCrls } };
  const lists = urls.flatMap((url) => listOf(crls.get(url)) ?? []);
  if (lists.length === 0) return { ocsp, crl: { status: 'failed', message: problemsOf(urls, crls) } };
  const chain = [certificate, ...issuers.map((issuer) => issuer.certificate)];
  const revocation = createPathRevocation({
    crlsFor: (asked) => (asked === certificate ? lists : []),
    candidates: issuers.map((issuer, index) => ({
      certificate: issuer.certificate,
      isAnchor: index === issuers.length - 1,
    })),
    nowMs: batch.nowMs,
    verify: cachingVerify,
  });
  const crl = outcomeOf(() => revocation.statusOf(chain));
  // If a different key signed the CRL, or its check failed, individual validation searches further and describes the
  // result. It also records a revocation's date, reason and source.
  return crl.status === 'failed' || crl.status === 'revoked' || ocsp.status === 'revoked' ? 'single' : { ocsp, crl };
}

const problemsOf = (urls: readonly string[], crls: ReadonlyMap<string, BatchCrl>): string =>
  urls.map((url) => crls.get(url)?.problem ?? '').join(' ');

/** CRLs parsed by this thread, and their signature verification results. */
const known = new Map<number, { readonly list: IndexedCrl; readonly signatures: Map<string, boolean> }>();
const byOctets = new WeakMap<Uint8Array, Map<string, boolean>>();
const MAX_KNOWN = 64;

function listOf(crl: BatchCrl | undefined): IndexedCrl | undefined {
  if (!crl?.list) return undefined;
  const { id, der, tables } = crl.list;
  const kept = known.get(id);
  if (kept) return kept.list;
  const list = indexedCrl(parseCrl(der), tables);
  const signatures = new Map<string, boolean>();
  for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - MAX_KNOWN + 1))) known.delete(oldest);
  known.set(id, { list, signatures });
  byOctets.set(list.crl.tbs, signatures);
  return list;
}

const cachingVerify: VerifySignature = (spki, signed) => {
  const signatures = byOctets.get(signed.data);
  const key = toHex(spki);
  const isSigned = signatures?.get(key) ?? nodeCrypto.verify(spki, signed);
  signatures?.set(key, isSigned);
  return isSigned;
};
