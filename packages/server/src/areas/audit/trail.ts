// Writes audit records. A change and its record share a transaction; a rejection is recorded in a separate one.
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import { networkOf } from '../../platform/limits/network-of.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Logger } from '../../platform/logging/logger.ts';
import { initialRules, isReadLogged, type LoggingRules } from './logging-rules.ts';
import { insertRecords } from './store-records.ts';
import { recordOf, type AuditEntry, type AuditObject, type AuditRecord } from './record.ts';
import { createRejectionDigest } from './rejection-digest.ts';
import { AppError } from '../../kernel/errors.ts';
import { findOutage, sqlState } from '../../platform/database/database-errors.ts';

/** A rejection to record. Errors have this shape. */
export type Rejection = Pick<AuditEntry, 'message' | 'objects'>;

export interface AuditTrail {
  /** Records a change in its transaction. Throws if neither the entry nor the context names the operation. */
  append(tx: Executor, context: RequestContext, entry: AuditEntry): Promise<void>;
  /**
   * Makes a change and records it in one transaction. The record names the objects that `work` returns; if it returns
   * none, nothing was changed and nothing is recorded.
   */
  change<Changed extends AuditObject>(
    context: RequestContext,
    work: (tx: Executor) => Promise<readonly Changed[]>,
  ): Promise<readonly Changed[]>;
  /** Returns a record's values for a batched insert. */
  record(context: RequestContext, entry: AuditEntry): AuditRecord;
  /** Inserts multiple records in one statement. */
  insertMany(tx: Executor, records: readonly AuditRecord[]): Promise<void>;
  /**
   * Records that a state-changing operation failed or was rejected. For anonymous callers, records are summarized by
   * address and minute. Rejected reads are recorded as in `recordRead`. Never throws.
   */
  recordRefusal(context: RequestContext, refusal: Rejection): Promise<void>;
  /** Records a read if the settings require it. Never waits, never throws. */
  recordRead(context: RequestContext, objectsOf: () => readonly AuditObject[]): void;
  /** Writes pending records of reads. */
  settleReads(): Promise<void>;
  /** Records a rejection that is summarized by source (e.g. a protocol account) and minute. Never throws. */
  recordRefusalOf(source: string, context: RequestContext, entry: AuditEntry): Promise<void>;
  /** Writes the summaries for past minutes; with `everything`, all summaries. */
  settleRefusals(options?: { readonly everything?: boolean }): Promise<void>;
}

/**
 * The rules are read for each record, because they can change at any time. By default, all state changes are stored.
 */
export function createAuditTrail(platform: Platform, rulesNow: () => LoggingRules = () => initialRules): AuditTrail {
  const { database, clock, nodeId, log } = platform;
  const digest = createRejectionDigest({ clock, writeRecord: (record) => insertRecords(database.executor, [record]) });

  const reads = createReadRecords({ log, writeRecords: (records) => insertRecords(database.executor, records) });

  const record = (context: RequestContext, entry: AuditEntry) =>
    recordOf(context, { entry, nodeId, now: clock.now(), rules: rulesNow() });

  function noteRead(context: RequestContext, entryOf: () => AuditEntry): void {
    if (!context.read || !isReadLogged(context.read, rulesNow())) return;
    reads.note(record(context, { ...entryOf(), facts: context.read }));
  }

  async function withoutThrowing(context: RequestContext, writeRecord: () => Promise<void>): Promise<void> {
    try {
      await writeRecord();
    } catch (cause) {
      log.error({ error: cause, requestId: context.requestId }, 'could not record a rejection');
    }
  }

  const append: AuditTrail['append'] = (tx, context, entry) => insertOrReject(tx, [record(context, entry)]);

  return {
    record,
    settleRefusals: digest.settle,
    insertMany: insertOrReject,
    append,
    change: (context, work) =>
      database.transaction(async (tx) => {
        const objects = await work(tx);
        if (objects.length > 0) await append(tx, context, { objects });
        return objects;
      }),
    recordRead: (context, objectsOf) => noteRead(context, () => ({ objects: objectsOf() })),
    settleReads: reads.settle,
    recordRefusal: async (context, { message = '', objects = [] }) => {
      const entry = { result: 'failure', message, objects } as const;
      // A rejected credential is recorded by the code that rejects it.
      if (context.actor.type !== 'anonymous') noteRead(context, () => entry);
      if (!context.audit) return;
      const refusal = record(context, entry);
      await withoutThrowing(context, () =>
        context.actor.type === 'anonymous'
          ? digest.note(networkOf(context.source?.ipAddress ?? ''), refusal)
          : insertRecords(database.executor, [refusal]),
      );
    },
    recordRefusalOf: (source, context, entry) =>
      withoutThrowing(context, () => digest.note(source, record(context, { ...entry, result: 'failure' }))),
  };
}

async function insertOrReject(tx: Executor, records: readonly AuditRecord[]): Promise<void> {
  try {
    await insertRecords(tx, records);
  } catch (cause) {
    throw unrecordedError(cause);
  }
}

// Reads are recorded in batches after the response, so that recording never delays or rejects a read. A crash can lose
// the records from the last second, and a long database outage can lose those that exceed the limit.

/** Maximum number of waiting records, which use about 5 MB. */
const MAX_WAITING = 5_000;
const BATCH = 500;

interface ReadRecords {
  note(record: AuditRecord): void;
  /** Writes pending records. */
  settle(): Promise<void>;
}

interface ReadRecordsParts {
  readonly log: Logger;
  readonly writeRecords: (records: readonly AuditRecord[]) => Promise<void>;
}

function createReadRecords({ log, writeRecords }: ReadRecordsParts): ReadRecords {
  let waiting: AuditRecord[] = [];
  let lost = 0;

  return {
    note(record) {
      if (waiting.length < MAX_WAITING) waiting.push(record);
      else lost += 1;
    },
    async settle() {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, BATCH);
        await writeRecords(batch);
        waiting = waiting.slice(batch.length);
      }
      if (lost > 0)
        log.warn({ lost }, 'records of reads were lost: they arrived faster than the database accepted them');
      lost = 0;
    },
  };
}

/**
 * A change that cannot be recorded is not applied; the caller can retry when the database is available again. Returns
 * the error for statements that write only records.
 */
const unrecordedError = (cause: unknown): AppError =>
  new AppError(
    'unavailable',
    { reason: 'the change could not be recorded in the audit log, so it was not applied' },
    { cause },
  );

/**
 * An SQLSTATE that is unrelated to the change itself. Callers handle constraint violations (23) and conflicts with
 * other transactions (40).
 */
const NOT_OF_THE_CHANGE = /^(?!23|40)[0-9A-Z]{5}$/;

/** Runs a statement that writes a change together with its record. */
export async function withRecord<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (cause) {
    const isOutage = findOutage(cause) !== undefined;
    throw !isOutage && NOT_OF_THE_CHANGE.test(sqlState(cause) ?? '') ? unrecordedError(cause) : cause;
  }
}
