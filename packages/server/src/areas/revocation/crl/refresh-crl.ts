// Fetches an authority's CRL from its connector, checks it and publishes it. Only one node at a time does this for an
// authority. After acquiring the lease, the node checks whether a new CRL is still needed, so that it is not fetched
// twice.
import { octetsOf } from '@signetry/connector-sdk';
import { authorityProviderOperations, CRL_SHARDS_FEATURE } from '@signetry/contract';
import { nodeCrypto } from '@signetry/pki/node';
import { isAppError } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import { shardOf, SHARD_RECHECK_MS, type CrlKind } from '../publication-times.ts';
import { isMissing } from '../../connectors/index.ts';
import { performTask, type TaskResponse, type WorkResult } from '../tasks.ts';
import type { Issuers } from '../issuers.ts';
import type { RevocationPorts } from '../ports.ts';
import type { RevocationMetrics } from '../revocation-metrics.ts';
import * as store from '../store.ts';
import type { CrlFacts } from '../tables.ts';
import { checkCrl } from './check-crl.ts';
import type { CrlKey, PublishedCrl, PublishedCrls } from './published-crls.ts';

/** Signing a long CRL takes time. Leases outlast this timeout. */
const FETCH_TIMEOUT_MS = 30_000;

export interface CrlRefreshOptions {
  readonly platform: Platform;
  readonly ports: Pick<RevocationPorts, 'connectors' | 'raProfiles'>;
  readonly issuers: Issuers;
  readonly published: PublishedCrls;
  readonly metrics: RevocationMetrics;
}

export interface RefreshRequest extends CrlKey {
  /** Called with the published CRL after this node has acquired the lease. */
  readonly isNeeded: (published: PublishedCrl | undefined) => boolean | Promise<boolean>;
  /** Whether to ignore the pause after a failed attempt. */
  readonly evenIfPaused: boolean;
  /** How long to wait while another node fetches the CRL. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type CrlRefresher = (request: RefreshRequest) => Promise<TaskResponse>;

export function createCrlRefresher(options: CrlRefreshOptions): CrlRefresher {
  const { platform, published } = options;
  const { database, log } = platform;

  return (request) => {
    const key: CrlKey = { authorityUuid: request.authorityUuid, kind: request.kind };
    const duty = { authorityUuid: request.authorityUuid, name: request.kind } as const;
    return performTask(database.executor, { ...request, duty, nodeId: platform.nodeId }, async () => {
      if (!(await request.isNeeded(await published.findFresh(key)))) return { outcome: 'done' };
      try {
        return await publish(options, key, request.signal);
      } catch (error) {
        count(options, key, 'failed');
        log.warn({ error, authority: key.authorityUuid, kind: key.kind }, 'cannot fetch a CRL');
        throw error;
      }
    });
  };
}

async function publish(options: CrlRefreshOptions, key: CrlKey, signal?: AbortSignal): Promise<WorkResult> {
  const { database, clock } = options.platform;
  const { issuers, published } = options;
  const der = await fetchCrl(options, key, signal);
  if (!der) return recordNotOffered(options, key);
  const present = await published.find(key);
  // This CRL was verified when it was published. Comparing bytes is much faster than hashing them.
  if (present?.der.equals(der)) return recordUnchanged(options, key, present.facts);
  const { issuers: known, authority } = await issuers.of(key.authorityUuid);
  const hasShards = authority.features.includes(CRL_SHARDS_FEATURE);
  const before = await store.findCrlFacts(database.executor, key);
  const expected = { ...key, hasShards, issuers: known, published: before, now: clock.now(), crypto: nodeCrypto };
  const checked = await checkCrl(der, expected);
  switch (checked.verdict) {
    case 'unchanged':
      return recordUnchanged(options, key, before);
    case 'notOffered':
      return recordNotOffered(options, key);
    case 'refused':
      return rejectCrl(options, key, checked.problem);
    case 'new': {
      if (!(await store.publishCrl(database.executor, checked.row)))
        return rejectCrl(options, key, 'a newer CRL was published in the meantime');
      published.remember(checked.row);
      count(options, key, 'published');
      return shardOf(key.kind) === undefined
        ? { outcome: 'done' }
        : { outcome: 'done', pauseMs: pauseMs(options, key.kind, checked.row) };
    }
  }
}

async function fetchCrl(
  options: CrlRefreshOptions,
  { authorityUuid, kind }: CrlKey,
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  const { ports, issuers } = options;
  const { authority } = await issuers.of(authorityUuid);
  const raProfileAttributes = await ports.raProfiles.attributesForAuthority(authorityUuid);
  if (authority.connectorUuid === null || !raProfileAttributes) return undefined;
  const shard = shardOf(kind);
  if (shard !== undefined && !authority.features.includes(CRL_SHARDS_FEATURE)) return undefined;
  const client = await ports.connectors.client(authority.connectorUuid);
  try {
    const answer = await client.call(
      authorityProviderOperations.getCrl,
      {
        params: { uuid: authority.connectorAuthorityUuid },
        body: {
          delta: kind === 'delta',
          raProfileAttributes: [...raProfileAttributes],
          // This parameter is not part of the API specification, so it is sent only to connectors that support it.
          ...(shard === undefined ? {} : { shard }),
        },
      },
      { timeoutMs: FETCH_TIMEOUT_MS, ...(signal ? { signal } : {}) },
    );
    return octetsOf(answer.crlData);
  } catch (error) {
    if (isNotOffered(error, kind)) return undefined;
    throw error;
  }
}

function recordUnchanged(options: CrlRefreshOptions, key: CrlKey, facts: CrlFacts | undefined): WorkResult {
  count(options, key, 'unchanged');
  return { outcome: 'done', pauseMs: pauseMs(options, key.kind, facts) };
}

function pauseMs(options: CrlRefreshOptions, kind: CrlKind, facts: CrlFacts | undefined): number {
  const { clock } = options.platform;
  const whenUnchanged = pauseWhenUnchangedMs(facts, clock.now());
  return shardOf(kind) === undefined ? whenUnchanged : Math.min(whenUnchanged, SHARD_RECHECK_MS);
}

/** Partitions share a metric label, to limit the number of time series. */
const count = ({ metrics }: CrlRefreshOptions, { kind }: CrlKey, outcome: string): void =>
  metrics.crlFetches.inc({ kind: shardOf(kind) === undefined ? kind : 'shard', outcome });

async function recordNotOffered(options: CrlRefreshOptions, key: CrlKey): Promise<WorkResult> {
  count(options, key, 'notOffered');
  return { outcome: 'notOffered' };
}

function rejectCrl(options: CrlRefreshOptions, key: CrlKey, problem: string): WorkResult {
  const { log } = options.platform;
  const { issuers } = options;
  const { authorityUuid, kind } = key;
  // The CA may be newer than the cached CA.
  issuers.forget(authorityUuid);
  count(options, key, 'refused');
  log.error({ authority: authorityUuid, kind, problem }, 'CRL from the authority rejected');
  return { outcome: 'failed', problem };
}

/** If an authority issues its next CRL late, it is polled more frequently as expiry approaches. */
const pauseWhenUnchangedMs = (published: CrlFacts | undefined, now: Date): number =>
  published ? Math.max(0, (published.next_update.getTime() - now.getTime()) / 10) : 0;

/** CRLs are optional. If a request for a delta CRL or a partition is rejected, the authority does not support it. */
const isNotOffered = (error: unknown, kind: CrlKind): boolean =>
  isAppError(error, 'object_not_found') ||
  isAppError(error, 'not_supported') ||
  isMissing(error) ||
  (kind !== 'full' && (isAppError(error, 'connector_refused') || isAppError(error, 'rejected_by_rules')));
