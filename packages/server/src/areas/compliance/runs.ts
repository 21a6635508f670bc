// Checks many objects in the background. One node works on a run, batch by batch. A batch's progress and results are
// written in one transaction, so that a different node, or the same node after a restart, can resume the run. Small
// runs do not wait for large ones.
import type { RequestContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { NodeLease } from '../../platform/jobs/leases.ts';
import { createRounds } from '../../platform/jobs/rounds.ts';
import { inTurns } from '../../platform/jobs/turns.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditEntry, AuditTrail } from '../audit/index.ts';
import type { CheckedCertificates } from '../inventory/index.ts';
import type { CheckedKeys } from '../keys/index.ts';
import type { CheckResult } from './check.ts';
import type { CheckedObject } from './checked-object.ts';
import type { ResultRecorder } from './record-results.ts';
import { forgetLists } from './store-results.ts';
import * as runs from './store-runs.ts';
import type { RunRow, RunScope, Subject } from './tables.ts';

const PERIOD_MS = 5_000;
const BATCH_SIZE = 200;
const FEW = 50;
/** If the lease is not renewed within this time, another node takes over the run. */
const LEASE_S = 15;
const RENEWAL_MS = 4_000;
/** Finished runs are retained for a week. */
const REMEMBERED_MS = 7 * 86_400_000;
/** Unreferenced rule lists older than this are deleted. */
const LIST_KEPT_MS = 86_400_000;

export interface RunParts {
  readonly audit: AuditTrail;
  readonly keeper: Pick<ResultRecorder, 'judge' | 'keep'>;
  readonly certificates: CheckedCertificates;
  readonly keys: CheckedKeys;
}

export interface RunRequest {
  readonly subject: Subject;
  readonly scope: RunScope;
}

export type ComplianceRuns = ReturnType<typeof createComplianceRuns>;

export function createComplianceRuns(platform: Platform, parts: RunParts) {
  const { database, clock, log } = platform;
  const stopping = new AbortController();

  /** Starts a check of the given objects. The caller must already be authorized to check them. */
  async function begin(
    wanted: readonly RunRequest[],
    context: RequestContext,
    objects: NonNullable<AuditEntry['objects']>,
  ): Promise<void> {
    const startedBy = context.actor.username ?? 'signetry';
    const counted = await Promise.all(wanted.map(async (each) => ({ ...each, total: await count(parts, each) })));
    await database.transaction(async (tx) => {
      for (const { subject, scope, total } of counted.filter((each) => each.total > 0))
        await runs.insertRun(tx, {
          uuid: newUuid(),
          subject,
          scope,
          started_at: clock.now(),
          started_by: startedBy,
          total,
        });
      await parts.audit.append(tx, context, { objects });
    });
    for (const lane of lanes) lane.wake();
  }

  /** Works on the oldest open run until the run finishes or this node stops; returns whether there was an open run. */
  async function work(sizes: runs.SizeRange = { above: 0 }): Promise<boolean> {
    const lease = { nodeId: platform.nodeId, leaseS: LEASE_S };
    const run = await runs.leaseRun(database.executor, lease, sizes);
    if (!run) return false;
    const lost = new AbortController();
    const signal = AbortSignal.any([stopping.signal, lost.signal]);
    const renewal = setInterval(() => {
      runs.renewRun(database.executor, run.uuid, lease).then(
        (isOurs) => isOurs || lost.abort(),
        (error: unknown) => log.warn({ error, run: run.uuid }, 'cannot renew the lease of a compliance run'),
      );
    }, RENEWAL_MS);
    try {
      await processRun(platform, parts, { run, lease, signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      clearInterval(renewal);
    }
    if (stopping.signal.aborted) await runs.releaseRun(database.executor, run.uuid, lease);
    return true;
  }

  const lanes = [{ above: FEW }, { above: 0, upTo: FEW }].map((sizes) =>
    createRounds({
      log,
      what: 'a compliance run',
      periodMs: PERIOD_MS,
      run: async () => (await work(sizes)) && !stopping.signal.aborted,
    }),
  );

  return {
    begin,
    work,
    start: () => lanes.forEach((lane) => lane.start(PERIOD_MS)),
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}

interface LeasedRun {
  readonly run: RunRow;
  readonly lease: NodeLease;
  readonly signal: AbortSignal;
}

/** While one batch is being checked, the next is read and the previous one is written. */
async function processRun(platform: Platform, parts: RunParts, { run, lease, signal }: LeasedRun): Promise<void> {
  const { database, clock } = platform;
  const place = { read: run.cursor, written: run.cursor };
  let sinceMs = clock.monotonicMs();
  let isOurs = true;
  await inTurns<readonly string[], CheckedBatch>({
    signal,
    read: async () => {
      const uuids = await findNextObjects(parts, run, place.read);
      place.read = uuids.at(-1) ?? place.read;
      return uuids.length === 0 || !isOurs ? undefined : uuids;
    },
    work: async (uuids) => ({ uuids, verdicts: await parts.keeper.judge(await find(parts, run, uuids), signal) }),
    write: async ({ uuids, verdicts }) => {
      const to = uuids.at(-1);
      if (to === undefined || !isOurs) return;
      const nowMs = clock.monotonicMs();
      const facts = { processed: uuids.length, workingMs: nowMs - sinceMs, ...outcomesOf(verdicts) };
      const step = { ...lease, uuid: run.uuid, from: place.written, to, ...facts };
      isOurs = await database.transaction(async (tx) => {
        if (!(await runs.advanceRun(tx, step))) return false;
        await parts.keeper.keep(tx, verdicts);
        return true;
      });
      if (!isOurs) return;
      platform.faultPoint('compliance.afterBatch');
      place.written = to;
      sinceMs = nowMs;
    },
  });
  if (isOurs && !signal.aborted) await finish(platform, run);
}

interface CheckedBatch {
  readonly uuids: readonly string[];
  readonly verdicts: readonly CheckResult[];
}

async function finish({ database: { executor }, clock }: Platform, { uuid }: RunRow): Promise<void> {
  const now = clock.now();
  await runs.endRun(executor, uuid, { at: now });
  await runs.forgetRuns(executor, new Date(now.getTime() - REMEMBERED_MS));
  await forgetLists(executor, new Date(now.getTime() - LIST_KEPT_MS));
}

function outcomesOf(verdicts: readonly CheckResult[]): runs.Outcomes {
  const countWith = (wanted: CheckResult['status']) => verdicts.filter(({ status }) => status === wanted).length;
  return {
    compliant: countWith('ok'),
    notCompliant: countWith('nok'),
    notApplicable: countWith('na'),
    failed: countWith('failed'),
  };
}

async function count({ certificates, keys }: RunParts, { subject, scope }: RunRequest): Promise<number> {
  if ('uuids' in scope) return scope.uuids.length;
  return subject === 'keys'
    ? keys.countOfProfiles(scope.profileUuids)
    : certificates.countOfProfiles(scope.profileUuids);
}

/** Returns the identifiers of the next objects, in order. */
async function findNextObjects(
  { certificates, keys }: RunParts,
  { subject, scope }: RunRow,
  after: string | null,
): Promise<string[]> {
  const limit = BATCH_SIZE;
  if ('uuids' in scope)
    return [...scope.uuids]
      .filter((uuid) => after === null || uuid > after)
      .toSorted()
      .slice(0, limit);
  const { profileUuids } = scope;
  return subject === 'keys'
    ? keys.nextOfProfiles({ profileUuids, after, limit })
    : certificates.nextOfProfiles({ raProfileUuids: profileUuids, after, limit });
}

async function find(
  { certificates, keys }: RunParts,
  { subject, scope }: RunRow,
  uuids: readonly string[],
): Promise<readonly CheckedObject[]> {
  const found: readonly CheckedObject[] =
    subject === 'keys'
      ? await keys.find(uuids)
      : subject === 'certificateRequests' && 'uuids' in scope
        ? await certificates.findRequests(uuids)
        : await certificates.find(uuids);
  return found.filter(
    (object) =>
      (scope.type === undefined || object.type === scope.type) &&
      (!scope.requestsOnly || object.subject === 'certificateRequests'),
  );
}
