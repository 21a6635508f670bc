// Background work: fetches a new CRL after every revocation, and renews CRLs and responder certificates before they
// expire. All work is idempotent and can run on multiple nodes concurrently. Jobs do not make any calls themselves.
// Instead, they fill the connectors' slots, so that a hanging connector does not delay the others.
import type { EventPayloads } from '../../platform/events/outbox.ts';
import { createLanes } from '../../platform/jobs/lanes.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AwaitedCrls } from './crl/awaited-crls.ts';
import type { PublishedCrl } from './crl/published-crls.ts';
import type { CrlRefresher } from './crl/refresh-crl.ts';
import { crlRefreshAtMs } from './publication-times.ts';
import type { ResponderRenewer } from './ocsp/renew-responder.ts';
import type { Responders } from './ocsp/responders.ts';
import type { RevocationPorts } from './ports.ts';
import * as store from './store.ts';
import { findFailedTasks, makeTaskDue, type RevocationTask } from './store-tasks.ts';
import type { CrlFacts } from './tables.ts';

/** Parallel duties per connector. */
const SLOTS = 4;

const REVOKED_QUEUE = 'revocation-revoked';
const SCHEDULE_QUEUE = 'revocation-schedule';

export interface JobParts {
  readonly platform: Platform;
  readonly ports: RevocationPorts;
  readonly responders: Responders;
  readonly refresh: CrlRefresher;
  readonly renewResponder: ResponderRenewer;
  readonly awaited: AwaitedCrls;
  /** Returns the lane whose slots an authority uses. */
  readonly laneOf: (authorityUuid: string) => Promise<string>;
}

type RevokedEvent = EventPayloads['certificate_revoked'];

/** A duty that is due, and its work. */
interface DueWork extends RevocationTask {
  readonly run: () => Promise<unknown>;
}

export function createJobs(parts: JobParts) {
  const { responders, awaited, laneOf } = parts;
  const { database, clock, events, jobs, log, giveUp } = parts.platform;
  const lanes = createLanes({
    slots: SLOTS,
    onError: (error, lane) => log.error({ error, lane }, 'scheduled revocation work failed'),
  });
  /** Duties that occupy a slot on this node or are waiting for one. */
  const taken = new Set<string>();
  /** Work that is waiting for a slot, by lane. */
  const queues = new Map<string, readonly DueWork[]>();

  /** Records the work that a revocation requires, and starts it. */
  async function afterRevocation(event: RevokedEvent): Promise<void> {
    const ownAuthority = await store.removeResponderByCertificate(database.executor, event.certificateUuid);
    if (ownAuthority !== undefined) {
      responders.forget(ownAuthority);
      const duty = { authorityUuid: ownAuthority, name: 'responder' } as const;
      await makeTaskDue(database.executor, duty);
      await begin([responderWork(parts, duty.authorityUuid)]);
    }
    for (const authorityUuid of await authoritiesOf(parts, event))
      await awaited.expect(authorityUuid, event.certificateUuid);
  }

  /** Starts all due work; runs once a minute on one node. */
  async function onSchedule(): Promise<void> {
    await begin(await findDue(parts));
    await store.removeExpiredResponders(database.executor, clock.now());
  }

  /** Fills the connectors' slots without waiting for the work. */
  async function begin(due: readonly DueWork[]): Promise<void> {
    const placed: { readonly lane: string; readonly work: DueWork }[] = [];
    for (const work of due) placed.push({ lane: await laneOf(work.authorityUuid), work });
    const fresh = placed.filter(({ work }) => !taken.has(keyOf(work)) && taken.add(keyOf(work)));
    for (const { lane, work } of fresh) queues.set(lane, [...(queues.get(lane) ?? []), work]);
    for (const lane of queues.keys()) lanes.fill(lane, () => runNext(lane));
  }

  /** A failure is logged and does not stop other work; the duty determines when it is retried. */
  async function runNext(lane: string): Promise<boolean> {
    const [work, ...later] = queues.get(lane) ?? [];
    if (!work || giveUp.aborted) return false;
    if (later.length > 0) queues.set(lane, later);
    else queues.delete(lane);
    try {
      await work.run();
    } catch (error) {
      log.debug({ error }, 'scheduled revocation work failed');
    } finally {
      taken.delete(keyOf(work));
    }
    return true;
  }

  return {
    afterRevocation,
    onSchedule,
    start: awaited.start,
    stop: async (): Promise<void> => {
      await Promise.all([awaited.stop(), lanes.stop()]);
    },
    /** Resolves when no work is in progress. */
    idle: async (): Promise<void> => {
      await Promise.all([awaited.idle(), lanes.idle()]);
    },
    /** Declares the queues. Must be called before the jobs are started. */
    declare(): void {
      events.subscribe({ event: 'certificate_revoked', queue: REVOKED_QUEUE, handle: afterRevocation });
      jobs.declare({ name: SCHEDULE_QUEUE, schedule: '* * * * *', retryLimit: 0, handle: onSchedule });
    },
  };
}

async function authoritiesOf(
  parts: JobParts,
  { raProfileUuid, issuerCertificateUuid }: RevokedEvent,
): Promise<readonly string[]> {
  const { database } = parts.platform;
  const { ports } = parts;
  const byProfile = raProfileUuid === null ? undefined : await ports.raProfiles.authorityOf(raProfileUuid);
  if (byProfile !== undefined) return [byProfile];
  return issuerCertificateUuid === null ? [] : store.findAuthoritiesOfIssuer(database.executor, issuerCertificateUuid);
}

async function findDue(parts: JobParts): Promise<readonly DueWork[]> {
  const { database, clock } = parts.platform;
  const { refresh } = parts;
  const turn = turnOf(parts);
  const isDue = (facts: CrlFacts | undefined): boolean =>
    !facts ||
    crlRefreshAtMs({ thisUpdateMs: facts.this_update.getTime(), nextUpdateMs: facts.next_update.getTime() }) <=
      clock.now().getTime();
  const all = await store.listCrlFacts(database.executor);
  const crls = all.filter((crl) => crl.shard !== null || isDue(crl) || isDeltaBehind(crl, all));
  const failed = await findFailedTasks(database.executor);
  const withResponder = await store.findAuthoritiesWithResponder(database.executor);
  return [
    ...failed.map(({ authorityUuid, name }): DueWork => {
      if (name === 'responder') return responderWork(parts, authorityUuid);
      const run = () => refresh({ authorityUuid, kind: name, ...turn, isNeeded: () => true });
      return { authorityUuid, name, run };
    }),
    ...crls.map((crl): DueWork => {
      const key = { authorityUuid: crl.authority_uuid, kind: crl.kind };
      // A partition is always refetched; the pause after each fetch limits how often this happens (see
      // SHARD_RECHECK_MS).
      const isNeeded = (now: PublishedCrl | undefined): boolean =>
        crl.shard !== null || isDue(now?.facts) || isDeltaBehind(crl, all);
      const run = () => refresh({ ...key, ...turn, isNeeded });
      return { authorityUuid: key.authorityUuid, name: key.kind, run };
    }),
    ...withResponder.map((authorityUuid) => responderWork(parts, authorityUuid)),
  ];
}

/** Due work is performed by the first node that starts it. */
const turnOf = ({ platform }: JobParts) => ({ evenIfPaused: false, waitMs: 0, signal: platform.giveUp });

const responderWork = (parts: JobParts, authorityUuid: string): DueWork => ({
  authorityUuid,
  name: 'responder',
  run: () => parts.renewResponder(authorityUuid, turnOf(parts)),
});

/**
 * A delta CRL that is older than the full CRL is useless to clients that have the full CRL. The next delta CRL will be
 * based on that full CRL.
 */
const isDeltaBehind = (delta: CrlFacts, all: readonly CrlFacts[]): boolean =>
  delta.kind === 'delta' &&
  all.some(
    (full) =>
      full.kind === 'full' &&
      full.authority_uuid === delta.authority_uuid &&
      full.issuer_key === delta.issuer_key &&
      BigInt(full.number) > BigInt(delta.number),
  );

const keyOf = ({ authorityUuid, name }: RevocationTask): string => `${authorityUuid}/${name}`;
