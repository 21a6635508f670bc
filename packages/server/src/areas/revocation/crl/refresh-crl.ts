// Fetches the CRL of an authority from its connector, checks it and publishes it. One node at a time does it for an
// authority; whether it is still needed is decided after the lease was taken, so that nobody fetches twice.
import { octetsOf } from '@signetry/connector-sdk';
import { authorityProviderOperations } from '@signetry/contract';
import { nodeCrypto } from '@signetry/pki/node';
import { isAppError } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { CrlKind } from '../domain.ts';
import { performDuty, type DutyAnswer, type WorkResult } from '../duties.ts';
import type { Issuers } from '../issuers.ts';
import type { RevocationPorts } from '../ports.ts';
import type { RevocationMetrics } from '../revocation-metrics.ts';
import * as store from '../store.ts';
import type { CrlFacts } from '../tables.ts';
import { checkCrl } from './check-crl.ts';
import type { CrlKey, PublishedCrl, PublishedCrls } from './published-crls.ts';

/** Signing a long list takes its time; leases outlast this. */
const FETCH_TIMEOUT_MS = 30_000;

export interface CrlRefreshOptions {
  readonly platform: Platform;
  readonly ports: Pick<RevocationPorts, 'connectors' | 'raProfiles'>;
  readonly issuers: Issuers;
  readonly published: PublishedCrls;
  readonly metrics: RevocationMetrics;
}

export interface RefreshRequest extends CrlKey {
  /** Asked with the list that is published when it is this node's turn. */
  readonly isNeeded: (published: PublishedCrl | undefined) => boolean;
  /** Also when an attempt failed shortly before. */
  readonly evenIfPaused: boolean;
  /** How long to wait while another node fetches. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type CrlRefresher = (request: RefreshRequest) => Promise<DutyAnswer>;

export function createCrlRefresher(options: CrlRefreshOptions): CrlRefresher {
  const { platform, ports, issuers, published, metrics } = options;
  const { database, clock, log } = platform;

  async function fetch({ authorityUuid, kind }: CrlKey, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    const { authority } = await issuers.of(authorityUuid);
    const raProfileAttributes = await ports.raProfiles.attributesForAuthority(authorityUuid);
    if (authority.connectorUuid === null || !raProfileAttributes) return undefined;
    const client = await ports.connectors.client(authority.connectorUuid);
    try {
      const answer = await client.call(
        authorityProviderOperations.getCrl,
        {
          params: { uuid: authority.connectorAuthorityUuid },
          body: { delta: kind === 'delta', raProfileAttributes: [...raProfileAttributes] },
        },
        { timeoutMs: FETCH_TIMEOUT_MS, ...(signal ? { signal } : {}) },
      );
      return octetsOf(answer.crlData);
    } catch (error) {
      if (isNotOffered(error, kind)) return undefined;
      throw error;
    }
  }

  async function publish(key: CrlKey, signal?: AbortSignal): Promise<WorkResult> {
    const der = await fetch(key, signal);
    if (!der) return notOffered(key);
    const present = await published.find(key);
    // Checked when it was published. Comparing octets is much quicker than hashing them.
    if (present?.der.equals(der)) return unchanged(key, present.facts);
    const { issuers: known } = await issuers.of(key.authorityUuid);
    const before = await store.findCrlFacts(database.executor, key);
    const expected = { ...key, issuers: known, published: before, now: clock.now(), crypto: nodeCrypto };
    const checked = await checkCrl(der, expected);
    switch (checked.verdict) {
      case 'unchanged':
        return unchanged(key, before);
      case 'notOffered':
        return notOffered(key);
      case 'refused':
        return refuse(key, checked.problem);
      case 'new': {
        if (!(await store.publishCrl(database.executor, checked.row)))
          return refuse(key, 'a newer list was published meanwhile');
        published.remember(checked.row);
        metrics.crlFetches.inc({ kind: key.kind, outcome: 'published' });
        return { outcome: 'done' };
      }
    }
  }

  function unchanged({ kind }: CrlKey, facts: CrlFacts | undefined): WorkResult {
    metrics.crlFetches.inc({ kind, outcome: 'unchanged' });
    return { outcome: 'done', pauseMs: pauseWhenUnchangedMs(facts, clock.now()) };
  }

  async function notOffered(key: CrlKey): Promise<WorkResult> {
    metrics.crlFetches.inc({ kind: key.kind, outcome: 'notOffered' });
    return { outcome: 'notOffered' };
  }

  function refuse({ authorityUuid, kind }: CrlKey, problem: string): WorkResult {
    // The CA is perhaps newer than what is remembered of it.
    issuers.forget(authorityUuid);
    metrics.crlFetches.inc({ kind, outcome: 'refused' });
    log.error({ authority: authorityUuid, kind, problem }, 'the CRL that the authority answered is refused');
    return { outcome: 'failed', problem };
  }

  return (request) => {
    const key: CrlKey = { authorityUuid: request.authorityUuid, kind: request.kind };
    const duty = { authorityUuid: request.authorityUuid, name: request.kind } as const;
    return performDuty(database.executor, { ...request, duty, nodeId: platform.nodeId }, async () => {
      if (!request.isNeeded(await published.findFresh(key))) return { outcome: 'done' };
      try {
        return await publish(key, request.signal);
      } catch (error) {
        metrics.crlFetches.inc({ kind: key.kind, outcome: 'failed' });
        log.warn({ error, authority: key.authorityUuid, kind: key.kind }, 'a CRL could not be fetched');
        throw error;
      }
    });
  };
}

/** An authority that issues its next list late is asked more and more often as the end comes near. */
const pauseWhenUnchangedMs = (published: CrlFacts | undefined, now: Date): number =>
  published ? Math.max(0, (published.next_update.getTime() - now.getTime()) / 10) : 0;

/** CRLs are an optional ability; a refusal of a delta CRL means that there are none. */
const isNotOffered = (error: unknown, kind: CrlKind): boolean =>
  isAppError(error, 'object_not_found') ||
  isAppError(error, 'not_supported') ||
  (kind === 'delta' && (isAppError(error, 'connector_refused') || isAppError(error, 'rejected_by_rules')));
