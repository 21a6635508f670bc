// Ensures that every revocation appears in a published CRL. Awaited revocations are stored so that they survive a
// restart, and all awaited revocations of an authority share one CRL. Each connector has its own slots, so that a
// hanging connector delays only its own authorities.
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { parseCertificate, PkiError, type Certificate } from '@signetry/pki';
import { createLanes } from '../../../platform/jobs/lanes.ts';
import { createRounds } from '../../../platform/jobs/rounds.ts';
import type { Platform } from '../../../platform/platform.ts';
import { retryDelayMs } from '../publication-times.ts';
import type { InventoryCertificate, RevocationPorts } from '../ports.ts';
import * as store from '../store-awaited.ts';
import type { AwaitedRevocation, AwaitedShards } from './awaited-shards.ts';
import { reflects, type PublishedCrl, type PublishedCrls } from './published-crls.ts';
import type { CrlRefresher } from './refresh-crl.ts';

/** Revocations within this time share a CRL. The first revocation is not delayed. */
const CRL_DEBOUNCE_MS = 1_000;
/** How long a revocation waits while another node fetches a CRL; that CRL may predate the revocation. */
const WAIT_FOR_OTHER_NODE_MS = 60_000;
/** How often to look for due retries, and for revocations recorded by other nodes or before a restart. */
const PERIOD_MS = 2_000;
/** Parallel CRL fetches per connector. */
const SLOTS = 4;
/**
 * Revocations checked per batch. A CRL that includes a whole batch most likely includes all other revocations as well.
 */
const PIECE = 100;

export interface AwaitedCrlsOptions {
  readonly platform: Platform;
  readonly ports: Pick<RevocationPorts, 'certificates'>;
  readonly published: PublishedCrls;
  readonly shards: AwaitedShards;
  readonly refresh: CrlRefresher;
  /** Returns the lane whose slots an authority uses. */
  readonly laneOf: (authorityUuid: string) => Promise<string>;
}

interface AwaitedCertificate extends store.AwaitedRow {
  /**
   * Undefined if the certificate has been deleted in the meantime or cannot be parsed. Because a CRL cannot be checked
   * for such a certificate, the next CRL is assumed to include it.
   */
  readonly revocation: AwaitedRevocation | undefined;
}

/** State used to space out this node's fetches. */
interface Fetches {
  readonly platform: Pick<Platform, 'clock' | 'giveUp'>;
  /** For each authority, the monotonic time of this node's last fetch that was triggered by a revocation. */
  readonly lastFetchMs: Map<string, number>;
}

export function createAwaitedCrls(options: AwaitedCrlsOptions) {
  const { laneOf } = options;
  const { database, log, giveUp } = options.platform;
  const fetches: Fetches = { platform: options.platform, lastFetchMs: new Map() };
  /** Authorities that a slot of this node is currently processing. */
  const busy = new Set<string>();
  const lanes = createLanes({
    slots: SLOTS,
    onError: (error, lane) => log.error({ error, lane }, 'cannot process CRLs; will retry'),
  });

  /** Starts all due work without waiting for it. */
  async function fill(): Promise<void> {
    for (const authorityUuid of await store.findAwaitingAuthorities(database.executor)) await begin(authorityUuid);
  }

  async function begin(authorityUuid: string): Promise<void> {
    // The work in progress checks again before it ends.
    if (busy.has(authorityUuid)) return;
    const lane = await laneOf(authorityUuid);
    lanes.fill(lane, () => processNext(lane));
  }

  /** Processes the lane's authority that has waited the longest and is not being processed yet. */
  async function processNext(lane: string): Promise<boolean> {
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

  /** Completes when a CRL includes the awaited revocations, or after scheduling a retry. */
  async function settle(authorityUuid: string): Promise<void> {
    let missing = await missingOf(options, authorityUuid, await read(options, authorityUuid));
    if (missing.length === 0) return;
    try {
      await debounce(fetches, authorityUuid);
      // Revocations that arrived in the meantime will share the CRL.
      missing = await missingOf(options, authorityUuid, await read(options, authorityUuid));
      if (missing.length > 0) missing = await publish(options, authorityUuid, missing);
    } catch (error) {
      // A fetch aborted by shutdown is not a failure: it is retried immediately after the next start.
      if (giveUp.aborted) return;
      log.warn({ error, authority: authorityUuid }, 'a revocation is not in a CRL yet; will retry');
    }
    await postponeMissing(options, authorityUuid, missing);
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
    /** Records that the authority's CRL must include a certificate, and starts work without waiting for it. */
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
    /** Resolves when no slot is in use. */
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

async function read(options: AwaitedCrlsOptions, authorityUuid: string): Promise<readonly AwaitedCertificate[]> {
  const { database } = options.platform;
  const { ports } = options;
  const awaited: AwaitedCertificate[] = [];
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

/**
 * Returns the revocations that are missing from a CRL that relying parties may use, and stops waiting for the others.
 */
async function missingOf(
  options: AwaitedCrlsOptions,
  authorityUuid: string,
  awaited: readonly AwaitedCertificate[],
): Promise<readonly AwaitedCertificate[]> {
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
 * Returns the matching items, up to a limit. Searching a CRL with 100,000 entries takes several milliseconds, so this
 * function yields to the event loop after each item.
 */
async function inTurns(
  awaited: readonly AwaitedCertificate[],
  isTrue: (each: AwaitedCertificate) => boolean,
  { limit = awaited.length }: { readonly limit?: number } = {},
): Promise<readonly AwaitedCertificate[]> {
  const found: AwaitedCertificate[] = [];
  for (const each of awaited) {
    if (found.length === limit) break;
    if (isTrue(each)) found.push(each);
    await setImmediate();
  }
  return found;
}

const forget = (
  { platform }: AwaitedCrlsOptions,
  authorityUuid: string,
  settled: readonly AwaitedCertificate[],
): Promise<void> =>
  store.removeAwaited(platform.database.executor, {
    authorityUuid,
    certificateUuids: settled.map(({ certificateUuid }) => certificateUuid),
  });

/** Fetches the CRLs and returns the revocations that are still missing. */
async function publish(
  options: AwaitedCrlsOptions,
  authorityUuid: string,
  awaited: readonly AwaitedCertificate[],
): Promise<readonly AwaitedCertificate[]> {
  const { clock, giveUp } = options.platform;
  const { published, shards, refresh } = options;
  const turn = { authorityUuid, evenIfPaused: true, waitMs: WAIT_FOR_OTHER_NODE_MS, signal: giveUp };
  const isMissing = async (crl: PublishedCrl | undefined): Promise<boolean> =>
    !crl ||
    (await inTurns(awaited, ({ revocation }) => !revocation || !reflects(crl, revocation), { limit: 1 })).length > 0;
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
    // A failed fetch has already been logged, and the full CRL is sufficient.
    if (await published.find(delta)) await refresh({ ...delta, waitMs: 0 }).catch(() => undefined);
    return [];
  }
  // CAs omit expired certificates (RFC 5280 §3.3).
  const isExpired = ({ revocation }: AwaitedCertificate): boolean =>
    revocation !== undefined && revocation.certificate.notAfterMs <= clock.now().getTime();
  await forget(options, authorityUuid, missing.filter(isExpired));
  const left = missing.filter((each) => !isExpired(each));
  if (left.length === 0) return [];
  // An authority may issue full CRLs only on a schedule, and delta CRLs in between.
  const answer = await refresh(delta);
  const still = await missingOf(options, authorityUuid, left);
  if (outcome !== 'done' || (answer.outcome !== 'done' && answer.outcome !== 'notOffered')) return still;
  return withoutOtherReasons(options, authorityUuid, still);
}

/**
 * Some authorities never change the reason for a revocation, or do not state reasons. Once a CRL issued after the
 * change includes the certificate, its reason is no longer awaited. Later changes are picked up by scheduled fetches.
 */
const withoutOtherReasons = (
  options: AwaitedCrlsOptions,
  authorityUuid: string,
  missing: readonly AwaitedCertificate[],
): Promise<readonly AwaitedCertificate[]> =>
  missingOf(
    options,
    authorityUuid,
    missing.map((each) => ({ ...each, revocation: each.revocation && { ...each.revocation, reason: undefined } })),
  );

async function postponeMissing(
  options: AwaitedCrlsOptions,
  authorityUuid: string,
  missing: readonly AwaitedCertificate[],
): Promise<void> {
  const { database } = options.platform;
  if (missing.length === 0) return;
  const attempts = 1 + Math.min(...missing.map((each) => each.attempts));
  await store.postponeAwaited(database.executor, {
    authorityUuid,
    certificateUuids: missing.map(({ certificateUuid }) => certificateUuid),
    pauseMs: retryDelayMs('full', 'failed', attempts),
  });
}

const revocationsOf = (awaited: readonly AwaitedCertificate[]): readonly AwaitedRevocation[] =>
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
