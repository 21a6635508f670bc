// Validates the whole inventory on request. One node processes it in batches and stores its progress in the same
// transaction as each batch's verdicts, so that a different node, or the same node after a restart, can resume.
import type { ValidationRunDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { NodeLease } from '../../platform/jobs/leases.ts';
import { createRounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { callerName } from '../certificates/index.ts';
import { countCertificates, findNextForValidation } from './store.ts';
import * as runs from './store-runs.ts';
import type { RunRow } from './tables.ts';
import { backgroundContext, VALIDATION_BATCH_SIZE, type Batches, type ValidateMany } from './validate-many.ts';

const PERIOD_MS = 5_000;
/** A node renews its lease with each batch; waiting for individual external responses takes longest. */
const LEASE_S = 60;

const TAKEN_OVER = 'Another node has taken over validation of the inventory.';

export interface RunParts {
  readonly many: Pick<ValidateMany, 'validateInTurns'>;
  readonly audit: AuditTrail;
}

export function createValidationRuns(platform: Platform, { many, audit }: RunParts) {
  const { database, clock, log, nodeId } = platform;
  const stopping = new AbortController();

  /** Starts a run, or returns the active one. */
  async function begin(context: RequestContext): Promise<ValidationRunDto> {
    await database.transaction(async (tx) => {
      const run = {
        uuid: newUuid(),
        started_at: clock.now(),
        started_by: callerName(context),
        total: await countCertificates(tx),
      };
      if (!(await runs.insertRun(tx, run))) return;
      await audit.append(tx, context, { data: { run: run.uuid, total: run.total } });
    });
    rounds.wake();
    return latest();
  }

  async function latest(): Promise<ValidationRunDto> {
    const row = await runs.findLatestRun(database.executor);
    return row ? presentRun(row) : { state: 'none' };
  }

  /**
   * Processes the open run until it is finished, a different node takes it over, or this node stops. Returns the number
   * of certificates validated.
   */
  async function work(signal: AbortSignal = stopping.signal): Promise<number> {
    const lease = { nodeId, leaseS: LEASE_S };
    const run = await runs.leaseRun(database.executor, lease);
    if (!run) return 0;
    let done = 0;
    const batches = batchesOf(run, { platform, lease, onWritten: (count) => void (done += count) });
    await many.validateInTurns(batches, { context: backgroundContext(signal), asksResponders: false, signal });
    if (!signal.aborted) await runs.finishRun(database.executor, run.uuid, clock.now());
    return done;
  }

  const rounds = createRounds({
    log,
    what: 'validation of the inventory',
    periodMs: PERIOD_MS,
    run: async () => {
      await work();
      return false;
    },
  });

  const stop = (): Promise<void> => {
    stopping.abort();
    return rounds.stop();
  };

  return { begin, latest, work, start: () => rounds.start(PERIOD_MS), stop };
}

interface BatchFacts {
  readonly platform: Pick<Platform, 'database' | 'faultPoint'>;
  readonly lease: NodeLease;
  readonly onWritten: (count: number) => void;
}

/**
 * Returns a run's remaining batches in primary key order. Each batch advances the run in the transaction that stores
 * its verdicts.
 */
function batchesOf(run: RunRow, { platform, lease, onWritten }: BatchFacts): Batches {
  const { database, faultPoint } = platform;
  const place = { read: run.cursor, written: run.cursor };
  let sinceMs = performance.now();
  return {
    next: async () => {
      const rows = await findNextForValidation(database.executor, { after: place.read, limit: VALIDATION_BATCH_SIZE });
      place.read = rows.at(-1)?.uuid ?? place.read;
      return rows.length === 0 ? undefined : { uuids: rows.map(({ uuid }) => uuid), rows };
    },
    within: async (tx, { uuids }, { changed }) => {
      const workingMs = performance.now() - sinceMs;
      const to = uuids.at(-1) ?? null;
      const from = place.written;
      const step = { ...lease, uuid: run.uuid, from, to, processed: uuids.length, changed, workingMs };
      if (!(await runs.advanceRun(tx, step))) throw new Error(TAKEN_OVER);
    },
    written: ({ uuids }) => {
      faultPoint('validation.afterBatch');
      place.written = uuids.at(-1) ?? null;
      sinceMs = performance.now();
      onWritten(uuids.length);
    },
  };
}

function presentRun(row: RunRow): ValidationRunDto {
  const { processed, working_ms: workingMs } = row;
  return {
    state: row.finished_at === null ? 'running' : 'finished',
    uuid: row.uuid,
    startedAt: row.started_at.toISOString(),
    startedBy: row.started_by,
    total: Math.max(row.total, processed),
    processed,
    changed: row.changed,
    ...(workingMs > 0 && { perSecond: Math.round((processed * 1000) / workingMs) }),
    ...(row.finished_at && { finishedAt: row.finished_at.toISOString() }),
  };
}
