// Checks of many objects in the background. One node works on a run, batch after batch; how far it is stands with the
// results of the batch in one transaction, so that another node, or the same after its end, goes on there.
import type { RequestContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import { createRounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditEntry, AuditTrail } from '../audit/index.ts';
import type { CheckedCertificates } from '../certificates/index.ts';
import type { CheckedKeys } from '../keys/index.ts';
import type { CheckedObject } from './check.ts';
import type { Keeper } from './keep-results.ts';
import * as runs from './store-results.ts';
import type { RunRow, RunScope, Subject } from './tables.ts';

const PERIOD_MS = 5_000;
const BATCH_SIZE = 50;
/** A provider that does not answer takes its time for each object of a batch. */
const LEASE_S = 300;
/** Runs that ended are remembered for a week. */
const REMEMBERED_MS = 7 * 86_400_000;

const TAKEN_OVER = 'Another node has taken over the check of compliance.';

export interface RunParts {
  readonly audit: AuditTrail;
  readonly keeper: Keeper;
  readonly certificates: CheckedCertificates;
  readonly keys: CheckedKeys;
}

export interface Wanted {
  readonly subject: Subject;
  readonly scope: RunScope;
}

export type ComplianceRuns = ReturnType<typeof createComplianceRuns>;

export function createComplianceRuns(platform: Platform, parts: RunParts) {
  const { database, clock, log, nodeId } = platform;
  const stopping = new AbortController();

  /** Has objects checked; what the caller may not check must have been refused before. */
  async function begin(
    wanted: readonly Wanted[],
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
    rounds.wake();
  }

  /** Works on the oldest open run until it is finished or this node stops; returns whether there was one. */
  async function work(signal: AbortSignal = stopping.signal): Promise<boolean> {
    const lease = { nodeId, leaseS: LEASE_S };
    const run = await runs.leaseRun(database.executor, lease);
    if (!run) return false;
    for (let from = run.cursor; !signal.aborted;) {
      const uuids = await nextOf(parts, run, from);
      const to = uuids.at(-1);
      if (to === undefined) {
        await runs.finishRun(database.executor, run.uuid, clock.now());
        await runs.forgetRuns(database.executor, new Date(clock.now().getTime() - REMEMBERED_MS));
        return true;
      }
      const verdicts = await parts.keeper.judge(await find(parts, run, uuids), signal);
      if (signal.aborted) break;
      const step = { ...lease, uuid: run.uuid, from, to, processed: uuids.length };
      await database.transaction(async (tx) => {
        await parts.keeper.keep(tx, verdicts);
        if (!(await runs.advanceRun(tx, step))) throw new Error(TAKEN_OVER);
      });
      platform.faultPoint('compliance.afterBatch');
      from = to;
    }
    return true;
  }

  const rounds = createRounds({
    log,
    what: 'the check of compliance',
    periodMs: PERIOD_MS,
    run: async () => (await work()) && !stopping.signal.aborted,
  });

  const stop = (): Promise<void> => {
    stopping.abort();
    return rounds.stop();
  };

  return { begin, work, start: () => rounds.start(PERIOD_MS), stop };
}

async function count({ certificates, keys }: RunParts, { subject, scope }: Wanted): Promise<number> {
  if ('uuids' in scope) return scope.uuids.length;
  return subject === 'keys'
    ? keys.countOfProfiles(scope.profileUuids)
    : certificates.countOfProfiles(scope.profileUuids);
}

/** Identifiers after the last one, in order. */
async function nextOf(
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
