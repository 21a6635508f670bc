// Probes locations' endpoints until they serve the installed certificates. Probes, their deadlines and their next
// attempts are stored in the database, so that any node can continue them; a crashed node's probes are taken over when
// their lease expires.
import { setTimeout as delay } from 'node:timers/promises';
import type { Executor } from '../../platform/database/database.ts';
import { createRounds, type WakeableRounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import type { HeldCertificate, HeldCertificates } from '../inventory/index.ts';
import type { Contents } from './contents.ts';
import { endpointOf, textOf, notServedReason } from './served-certificate.ts';
import type { NotServed } from './events.ts';
import type { ProbeEndpoint } from './ports.ts';
import { requeueSetAside, entities, locations } from './store.ts';
import { scheduleNextProbe, claimDue, endProbing, findProbe } from './store-probes.ts';
import type { HeldRow, LocationRow, ProbeRow } from './tables.ts';

export interface ProbingParts {
  readonly platform: Platform;
  readonly contents: Contents;
  readonly certificates: HeldCertificates;
  readonly look: ProbeEndpoint;
  /** Called when a restored certificate is waiting to be pushed. */
  readonly restored: () => void;
}

interface ProbedCertificate {
  readonly row: HeldRow;
  readonly location: LocationRow;
  readonly certificate: HeldCertificate;
  readonly probe: ProbeRow;
}

const PERIOD_MS = 1_000;
const LEASE_MS = 30_000;
/** Number of entries probed in parallel. */
const BATCH = 20;
/**
 * Servers need a moment to reload their files, so the endpoint is probed in quick succession for this long after a
 * push.
 */
const QUICK_FOR_MS = 3_000;
const QUICK_PAUSE_MS = 150;
const MAX_PAUSE_MS = 15_000;

export function createProbing(parts: ProbingParts): WakeableRounds {
  const over = new AbortController();
  const rounds = createRounds({
    log: parts.platform.log,
    what: 'probing endpoints',
    periodMs: PERIOD_MS,
    run: () => probeDue(parts, over.signal),
  });
  const stop = (): Promise<void> => {
    over.abort();
    return rounds.stop();
  };
  return { start: rounds.start, wake: rounds.wake, stop };
}

async function probeDue(parts: ProbingParts, signal: AbortSignal): Promise<boolean> {
  const { database, clock, log } = parts.platform;
  const now = clock.now();
  const until = new Date(now.getTime() + LEASE_MS);
  const due = await claimDue(database.executor, { now, until, limit: BATCH });
  const turns = await Promise.allSettled(due.map((row) => probeEntry(parts, row, signal)));
  for (const each of turns)
    if (each.status === 'rejected' && !signal.aborted) log.error({ error: each.reason }, 'cannot probe an endpoint');
  return due.length === BATCH;
}

/** Probes once, or repeatedly if the certificate has just been pushed. */
async function probeEntry(parts: ProbingParts, row: HeldRow, signal: AbortSignal): Promise<void> {
  const { platform, certificates } = parts;
  const { executor } = platform.database;
  const location = await locations.findOne(executor, row.location_uuid);
  const probe = await findProbe(executor, row.location_uuid);
  const [certificate] = await certificates.find(executor, [row.certificate_uuid]);
  if (!location || !probe || !certificate) return;
  const asked = { row, location, certificate, probe };
  for (;;) {
    const problem = await ask(parts, asked, signal);
    if (problem === undefined) return conclude(parts, asked, undefined);
    const now = platform.clock.now().getTime();
    const end = row.asked_until?.getTime() ?? now;
    if (now >= end) return conclude(parts, asked, problem);
    const since = now - row.changed_at.getTime();
    if (since < 0 || since >= QUICK_FOR_MS) {
      const at = new Date(Math.min(now + pauseAfter(since), end));
      return scheduleNextProbe(executor, row, { at, problem });
    }
    await delay(Math.min(QUICK_PAUSE_MS, end - now), undefined, { signal });
  }
}

/** Returns a delay that grows with the elapsed time. */
const pauseAfter = (sinceMs: number): number => Math.min(Math.max(sinceMs / 4, QUICK_PAUSE_MS), MAX_PAUSE_MS);

/** Returns why the certificate is not served; undefined if it is. */
async function ask(
  { look }: ProbingParts,
  { certificate, probe }: ProbedCertificate,
  signal: AbortSignal,
): Promise<string | undefined> {
  const endpoint = endpointOf(probe);
  const facts = { endpoint, expected: new Set(certificate.fingerprint === null ? [] : [certificate.fingerprint]) };
  const problem = notServedReason(await look(endpoint, { signal }), facts);
  if (problem === undefined) return undefined;
  // A server that has certificates for multiple algorithms selects the one that its peer prefers.
  const { publicKeyAlgorithm: keyAlgorithm } = certificate;
  const again = notServedReason(await look(endpoint, { signal, keyAlgorithm }), facts);
  return again === undefined ? undefined : problem;
}

/** Has no effect if the probe has ended in the meantime. */
async function conclude(parts: ProbingParts, asked: ProbedCertificate, problem: string | undefined): Promise<void> {
  const { database, clock } = parts.platform;
  const at = clock.now();
  const done = await database.transaction(async (tx) => {
    await locations.lock(tx, asked.location.uuid);
    return problem === undefined
      ? settleServed(tx, parts, asked, at)
      : settleNotServed(tx, parts, { ...asked, problem }, at);
  });
  parts.platform.faultPoint('entities.afterVerdict');
  if (done === 'restored') parts.restored();
}

async function settleServed(tx: Executor, parts: ProbingParts, asked: ProbedCertificate, at: Date): Promise<'ended'> {
  const { row, location, certificate, probe } = asked;
  const changes = { state: 'served', problem: null, changed_at: at, served_at: at, replaces_uuid: null } as const;
  if (!(await endProbing(tx, row, changes))) return 'ended';
  await forgetPrevious(tx, parts, asked);
  const message = `Served at ${textOf(endpointOf(probe))} from location ${location.name}`;
  await parts.certificates.tell(tx, { uuid: certificate.uuid, failed: false, message }, { at, by: row.requested_by });
  return 'ended';
}

/** The previous certificate is restored in the same way as any other certificate waiting to be pushed. */
async function settleNotServed(
  tx: Executor,
  parts: ProbingParts,
  asked: ProbedCertificate & { readonly problem: string },
  at: Date,
): Promise<'ended' | 'restored'> {
  const { platform, certificates } = parts;
  const { row, location, certificate, probe, problem } = asked;
  const previous = row.replaces_uuid;
  const changes = { state: 'not_served', problem, changed_at: at, replaces_uuid: null } as const;
  if (!(await endProbing(tx, row, changes))) return 'ended';
  const [before] = previous === null ? [] : await certificates.find(tx, [previous]);
  const isBack =
    before?.state === 'issued' && (await requeueSetAside(tx, { ...row, certificate_uuid: before.uuid }, at));
  if (!isBack) await forgetPrevious(tx, parts, asked);
  const facts: NotServed = {
    certificateUuid: certificate.uuid,
    locationUuid: location.uuid,
    locationName: location.name,
    endpoint: textOf(endpointOf(probe)),
    problem,
    restoredCertificateUuid: isBack ? before.uuid : null,
  };
  await platform.events.append(tx, 'certificate_not_served', facts);
  const occasion = { at, by: row.requested_by };
  const further = isBack ? `; ${before.title} is being restored` : '';
  const message = `Not served from location ${location.name} within ${probe.timeout_s} s: ${problem}${further}`;
  await certificates.tell(tx, { uuid: certificate.uuid, failed: true, message }, occasion);
  if (!isBack) return 'ended';
  const back = `Restored to location ${location.name} because ${certificate.title} was not served`;
  await certificates.tell(tx, { uuid: before.uuid, failed: false, message: back }, occasion);
  return 'restored';
}

/** Removes the previous certificate's entry, which is no longer needed. */
async function forgetPrevious(
  tx: Executor,
  { contents }: ProbingParts,
  { row, location }: ProbedCertificate,
): Promise<void> {
  const { connector_uuid: connectorUuid } = await entities.require(tx, location.entity_uuid);
  const gone = row.replaces_uuid === null ? [] : [row.replaces_uuid];
  await contents.unlink(tx, { locationUuid: location.uuid, connectorUuid, gone });
}
