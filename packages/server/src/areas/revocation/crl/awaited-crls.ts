// Makes sure that every revocation gets into a published CRL. What is waited for is stored, so that it outlives this
// process; all that an authority is waited for shares a list. Each connector has slots of its own: one that hangs holds
// up only its own authorities.
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { parseCertificate, PkiError, type Certificate } from '@signetry/pki';
import { createLanes } from '../../../platform/jobs/lanes.ts';
import { createRounds } from '../../../platform/jobs/rounds.ts';
import type { Platform } from '../../../platform/platform.ts';
import { retryDelayMs } from '../publication-times.ts';
import type { InventoryCertificate, RevocationPorts } from '../ports.ts';
import * as store from '../store-awaited.ts';
import type { AwaitedRevocation, AwaitedShards } from './awaited-shards.ts';
import { shows, type PublishedCrl, type PublishedCrls } from './published-crls.ts';
import type { CrlRefresher } from './refresh-crl.ts';

/** Revocations that come within this time share a CRL. The first one does not wait. */
const CRL_DEBOUNCE_MS = 1_000;
/** A revocation waits for so long while another node fetches, whose list may be too old for it. */
const WAIT_FOR_OTHER_NODE_MS = 60_000;
/** Looks for what other nodes wrote down, what an earlier run left, and what may be tried again. */
const PERIOD_MS = 2_000;
/** Authorities of a connector that are asked for their CRL at the same time. */
const SLOTS = 4;
/** Revocations looked at together. The list that names these most likely names all the others. */
const PIECE = 100;

export interface AwaitedCrlsOptions {
  readonly platform: Platform;
  readonly ports: Pick<RevocationPorts, 'certificates'>;
  readonly published: PublishedCrls;
  readonly shards: AwaitedShards;
  readonly refresh: CrlRefresher;
  /** Whose slots the work for an authority takes. */
  readonly laneOf: (authorityUuid: string) => Promise<string>;
}

interface Awaited extends store.AwaitedRow {
  /**
   * Undefined when the certificate was deleted meanwhile or cannot be read, so that nobody can tell whether a list has
   * it: the next one does.
   */
  readonly revocation: AwaitedRevocation | undefined;
}

/** What spaces the fetches of this node. */
interface Fetches {
  readonly platform: Pick<Platform, 'clock' | 'giveUp'>;
  /** When this node last fetched for an authority because of a revocation, by the monotonic clock. */
  readonly lastFetchMs: Map<string, number>;
}

export function createAwaitedCrls(options: AwaitedCrlsOptions) {
  const { laneOf } = options;
  const { database, log, giveUp } = options.platform;
  const fetches: Fetches = { platform: options.platform, lastFetchMs: new Map() };
  /** Authorities that a slot of this node works for. */
  const busy = new Set<string>();
  const lanes = createLanes({
    slots: SLOTS,
    onError: (error, lane) => log.error({ error, lane }, 'CRLs could not be processed; trying again'),
  });

  /** Begins all that is due, without waiting for it. */
  async function fill(): Promise<void> {
    for (const authorityUuid of await store.findAwaitingAuthorities(database.executor)) await begin(authorityUuid);
  }

  async function begin(authorityUuid: string): Promise<void> {
    // Whoever works for it looks once more afterwards.
    if (busy.has(authorityUuid)) return;
    const lane = await laneOf(authorityUuid);
    lanes.fill(lane, () => takeNext(lane));
  }

  /** The authority of the lane that has waited longest and has no slot. */
  async function takeNext(lane: string): Promise<boolean> {
    if (giveUp.aborted) return false;
    for (const authorityUuid of await store.findAwaitingAuthorities(database.executor)) {
      if ((await laneOf(authorityUuid)) !== lane || busy.has(authorityUuid)) continue;
      busy.add(authorityUuid);
      try {
        await settle(authorityUuid);
      } finally {
        busy.delete(authorityUuid);
      }
      return true;
    }
    return false;
  }

  /** Ends with a list that names what is waited for, or with another attempt later. */
  async function settle(authorityUuid: string): Promise<void> {
    let missing = await missingOf(options, authorityUuid, await read(options, authorityUuid));
    if (missing.length === 0) return;
    try {
      await debounce(fetches, authorityUuid);
      // Those that came meanwhile share the list.
      missing = await missingOf(options, authorityUuid, await read(options, authorityUuid));
      if (missing.length > 0) missing = await publish(options, authorityUuid, missing);
    } catch (error) {
      // A call that a stop aborted says nothing: the next start asks again at once.
      if (giveUp.aborted) return;
      log.warn({ error, authority: authorityUuid }, 'a revocation is not in a CRL yet; trying again');
    }
    await putOff(options, authorityUuid, missing);
  }

  const rounds = createRounds({
    log,
    what: 'looking for revocations without a CRL',
    periodMs: PERIOD_MS,
    run: async () => {
      await fill();
      return false;
    },
  });

  return {
    /** Writes down that the CRL of an authority is to name a certificate, and begins with it without waiting. */
    async expect(authorityUuid: string, certificateUuid: string): Promise<void> {
      await store.insertAwaited(database.executor, { authorityUuid, certificateUuid });
      await begin(authorityUuid);
    },
    fill,
    start: rounds.start,
    stop: async (): Promise<void> => {
      await rounds.stop();
      await lanes.stop();
    },
    /** Resolves when no slot works any more. */
    idle: lanes.idle,
  };
}

async function debounce(fetches: Fetches, authorityUuid: string): Promise<void> {
  const { clock, giveUp } = fetches.platform;
  const { lastFetchMs } = fetches;
  const dueMs = (lastFetchMs.get(authorityUuid) ?? Number.NEGATIVE_INFINITY) + CRL_DEBOUNCE_MS;
  const waitMs = dueMs - clock.monotonicMs();
  if (waitMs > 0) await delay(waitMs, undefined, { signal: giveUp });
  lastFetchMs.set(authorityUuid, clock.monotonicMs());
}

async function read(options: AwaitedCrlsOptions, authorityUuid: string): Promise<readonly Awaited[]> {
  const { database } = options.platform;
  const { ports } = options;
  const awaited: Awaited[] = [];
  for (const row of await store.findAwaited(database.executor, { authorityUuid, limit: PIECE })) {
    const known = await ports.certificates.find(row.certificateUuid);
    const certificate = known?.der && parsed(known.der);
    awaited.push({ ...row, revocation: certificate && revocationOf(certificate, known) });
  }
  return awaited;
}

const revocationOf = (certificate: Certificate, known: InventoryCertificate): AwaitedRevocation => ({
  certificate,
  reason: known.revocationReason ?? undefined,
  isReleased: known.state === 'issued',
});

/** Those that a list does not show which relying parties may ask; the others are waited for no longer. */
async function missingOf(
  options: AwaitedCrlsOptions,
  authorityUuid: string,
  awaited: readonly Awaited[],
): Promise<readonly Awaited[]> {
  const { published, shards } = options;
  const isShown = await published.showing(authorityUuid);
  const behind = await shards.behind(authorityUuid, revocationsOf(awaited));
  const missing = await inTurns(
    awaited,
    ({ revocation }) => !revocation || behind.has(revocation) || !isShown(revocation),
  );
  await forget(
    options,
    authorityUuid,
    awaited.filter((each) => !missing.includes(each)),
  );
  return missing;
}

/**
 * Those for which it is true, up to a limit. Looking for one certificate walks a list of a hundred thousand entries in
 * some milliseconds: others get their turn after each.
 */
async function inTurns(
  awaited: readonly Awaited[],
  isTrue: (each: Awaited) => boolean,
  { limit = awaited.length }: { readonly limit?: number } = {},
): Promise<readonly Awaited[]> {
  const found: Awaited[] = [];
  for (const each of awaited) {
    if (found.length === limit) break;
    if (isTrue(each)) found.push(each);
    await setImmediate();
  }
  return found;
}

const forget = ({ platform }: AwaitedCrlsOptions, authorityUuid: string, settled: readonly Awaited[]): Promise<void> =>
  store.removeAwaited(platform.database.executor, {
    authorityUuid,
    certificateUuids: settled.map(({ certificateUuid }) => certificateUuid),
  });

/** Fetches the lists; returns what is missing in them all the same. */
async function publish(
  options: AwaitedCrlsOptions,
  authorityUuid: string,
  awaited: readonly Awaited[],
): Promise<readonly Awaited[]> {
  const { clock, giveUp } = options.platform;
  const { published, shards, refresh } = options;
  const turn = { authorityUuid, evenIfPaused: true, waitMs: WAIT_FOR_OTHER_NODE_MS, signal: giveUp };
  const isMissing = async (crl: PublishedCrl | undefined): Promise<boolean> =>
    !crl ||
    (await inTurns(awaited, ({ revocation }) => !revocation || !shows(crl, revocation), { limit: 1 })).length > 0;
  await shards.publish(revocationsOf(awaited), turn);
  const { outcome } = await refresh({ ...turn, kind: 'full', isNeeded: isMissing });
  if (outcome === 'notOffered') {
    await forget(options, authorityUuid, awaited);
    return [];
  }
  if (outcome === 'done')
    await forget(
      options,
      authorityUuid,
      awaited.filter(({ revocation }) => !revocation),
    );
  const known = awaited.filter(({ revocation }) => revocation || outcome !== 'done');
  const missing = await missingOf(options, authorityUuid, known);
  const delta = { ...turn, kind: 'delta', isNeeded: isMissing } as const;
  if (missing.length === 0) {
    // logged there; the full CRL counts
    if (await published.find(delta)) await refresh({ ...delta, waitMs: 0 }).catch(() => undefined);
    return [];
  }
  // A CA leaves out what has expired (RFC 5280 §3.3).
  const isExpired = ({ revocation }: Awaited): boolean =>
    revocation !== undefined && revocation.certificate.notAfterMs <= clock.now().getTime();
  await forget(options, authorityUuid, missing.filter(isExpired));
  const left = missing.filter((each) => !isExpired(each));
  if (left.length === 0) return [];
  // An authority may make full lists on schedule only, and deltas between.
  const answer = await refresh(delta);
  const still = await missingOf(options, authorityUuid, left);
  if (outcome !== 'done' || (answer.outcome !== 'done' && answer.outcome !== 'notOffered')) return still;
  return withoutOtherReasons(options, authorityUuid, still);
}

/**
 * Not every authority changes the reason of a revocation, or gives reasons at all: when the lists made after it name
 * the certificate, its reason is not waited for. Later lists are fetched by schedule.
 */
const withoutOtherReasons = (
  options: AwaitedCrlsOptions,
  authorityUuid: string,
  missing: readonly Awaited[],
): Promise<readonly Awaited[]> =>
  missingOf(
    options,
    authorityUuid,
    missing.map((each) => ({ ...each, revocation: each.revocation && { ...each.revocation, reason: undefined } })),
  );

async function putOff(options: AwaitedCrlsOptions, authorityUuid: string, missing: readonly Awaited[]): Promise<void> {
  const { database } = options.platform;
  if (missing.length === 0) return;
  const attempts = 1 + Math.min(...missing.map((each) => each.attempts));
  await store.putOffAwaited(database.executor, {
    authorityUuid,
    certificateUuids: missing.map(({ certificateUuid }) => certificateUuid),
    pauseMs: retryDelayMs('full', 'failed', attempts),
  });
}

const revocationsOf = (awaited: readonly Awaited[]): readonly AwaitedRevocation[] =>
  awaited.flatMap(({ revocation }) => revocation ?? []);

function parsed(der: Uint8Array): Certificate | undefined {
  try {
    return parseCertificate(der);
  } catch (error) {
    if (error instanceof PkiError) return undefined;
    throw error;
  }
}

export type AwaitedCrls = ReturnType<typeof createAwaitedCrls>;
