// Verdicts about many certificates, determined in worker threads that receive the necessary authorities and CRLs.
import { LRUCache } from 'lru-cache';
import { parseCertificate } from '@signetry/pki';
import type { Platform } from '../../platform/platform.ts';
import { createWorkerPool } from '../../platform/threads/worker-pool.ts';
import type { ValidationDefaults } from '../settings/index.ts';
import { findProfilesOfCaCertificates, issuerKeyOf, type Issuers } from '../certificates/index.ts';
import { isSameAuthority, thresholdOf } from './assess-chain.ts';
import type { CrlOutcome, CrlSource } from './crl-source.ts';
import { gatherIssuers, type GatheredIssuers } from './gather-issuers.ts';
import type { Batch, BatchResponse, BatchCrl, BatchPool, BatchTarget, BatchVerdict } from './evaluate-batch.ts';
import { isStatedExternally } from './stated-revocation.ts';
import { storedChecks, type ValidationRow } from './store.ts';

/** Maximum number of CRLs that are sent with a batch before a thread requests them. */
const MAX_RECENT = 256;

export interface EvaluatorParts {
  readonly platform: Pick<Platform, 'database'>;
  readonly issuers: Pick<Issuers, 'named'>;
  readonly crls: CrlSource;
}

export interface EvaluatorFacts {
  readonly now: Date;
  readonly defaults: ValidationDefaults;
  /** Whether OCSP responders are also queried about certificates that name CRLs. */
  readonly asksResponders: boolean;
}

export function createEvaluator(parts: EvaluatorParts) {
  const { crls } = parts;
  const workers = createWorkerPool<Batch, BatchResponse>({
    file: new URL('./batch-thread.ts', import.meta.url),
    what: 'validations',
    timeoutMs: 120_000,
  });
  const crlIds = new WeakMap<object, number>();
  let lastCrlId = 0;
  /** CRLs used by recent batches. The next batch mostly needs the same ones; without them it would be judged twice. */
  const recent = new LRUCache<string, true>({ max: MAX_RECENT });

  async function evaluateAll(
    rows: readonly ValidationRow[],
    facts: EvaluatorFacts,
  ): Promise<Omit<BatchResponse, 'missing'>> {
    const { targets, pools } = await gather(rows, facts.defaults, parts);
    const batch = { pools, nowMs: facts.now.getTime(), asksResponders: facts.asksResponders };
    const known = new Map(recentCrls().map((crl) => [crl.url, crl]));
    const verdicts: BatchVerdict[] = [];
    const single: string[] = [];
    let left: readonly BatchTarget[] = targets;
    while (left.length > 0) {
      const answer = await workers.run({ ...batch, targets: left, crls: [...known.values()] });
      verdicts.push(...answer.verdicts);
      single.push(...answer.single);
      const urls = [...new Set(answer.missing.flatMap((each) => each.urls))];
      for (const crl of await Promise.all(urls.map(crlAt))) known.set(crl.url, crl);
      for (const url of urls) recent.set(url, true);
      const again = new Set(answer.missing.map(({ uuid }) => uuid));
      left = left.filter(({ uuid }) => again.has(uuid));
    }
    return { verdicts, single };
  }

  const crlAt = async (url: string): Promise<BatchCrl> => batchCrl(url, await crls.at(url));

  function recentCrls(): BatchCrl[] {
    return [...recent.keys()].flatMap((url) => {
      const outcome = crls.known(url);
      return outcome ? [batchCrl(url, outcome)] : [];
    });
  }

  function batchCrl(url: string, outcome: CrlOutcome): BatchCrl {
    if ('problem' in outcome) return { url, problem: outcome.problem };
    const { crl, tables } = outcome.list;
    const id = crlIds.get(crl) ?? ++lastCrlId;
    crlIds.set(crl, id);
    return { url, list: { id, der: crl.der, tables } };
  }

  return { evaluateAll, stop: () => workers.stop() };
}

/**
 * Returns the certificates in the form sent to threads, along with the certificates that could be above them, grouped
 * by issuer.
 */
async function gather(
  rows: readonly ValidationRow[],
  defaults: ValidationDefaults,
  parts: EvaluatorParts,
): Promise<{ targets: BatchTarget[]; pools: BatchPool[] }> {
  const pools: GatheredIssuers[] = [];
  const known = new Map<string, number>();
  const targets: BatchTarget[] = [];
  for (const row of rows) {
    const { der, issuer_dn_normalized: issuerName } = row;
    if (der === null) continue;
    let pool = known.get(issuerName ?? '');
    // If a limit excluded some certificates with that name, the selection depends on the key identifier.
    if (pool === undefined || pools[pool]?.isCut) {
      const certificate = parseCertificate(der);
      const key = `${issuerKeyOf(certificate)?.toHex() ?? ''} ${issuerName ?? ''}`;
      pool = known.get(key) ?? pools.push(await gatherIssuers(certificate, parts.issuers)) - 1;
      known.set(key, pool).set(issuerName ?? '', pool);
    }
    targets.push(targetOf(row, { der, defaults, pool }));
  }
  return { targets, pools: await membersOf(pools, parts) };
}

function targetOf(
  row: ValidationRow,
  { der, defaults, pool }: { readonly der: Uint8Array; readonly defaults: ValidationDefaults; readonly pool: number },
): BatchTarget {
  return {
    uuid: row.uuid,
    der,
    trustedCa: row.trusted_ca,
    state: row.state === 'revoked' ? 'revoked' : 'issued',
    revokedAtMs: row.revoked_at?.getTime(),
    revocationReason: row.revocation_reason,
    isStatedExternally: isStatedExternally(row),
    expiringThresholdDays: thresholdOf(row, defaults),
    pool,
    ocspStatus: storedChecks(row)['ocsp_verification'],
  };
}

async function membersOf(
  pools: readonly GatheredIssuers[],
  { platform }: Pick<EvaluatorParts, 'platform'>,
): Promise<BatchPool[]> {
  const uuids = [...new Set(pools.flatMap(({ issuers }) => issuers.map(({ row }) => row.uuid)))];
  const profiles = await findProfilesOfCaCertificates(platform.database.executor, uuids);
  const used = new Set(profiles.map((profile) => profile.ca_certificate_uuid));
  return pools.map(({ issuers, isCut }) => {
    const ours = issuers.filter(({ row }) => used.has(row.uuid));
    const members = issuers.map(({ row, certificate }) => ({
      uuid: row.uuid,
      der: certificate.der,
      trustedCa: row.trusted_ca,
      isRevoked: row.state === 'revoked',
      isOurs: ours.some((each) => isSameAuthority(each.certificate, certificate)),
    }));
    return { members, isCut };
  });
}
