// Writes audit records. A change and its record are one transaction; a refusal is recorded in a transaction of its own.
import type { RequestContext } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { insertRecords } from './insert-records.ts';
import { recordOf, type AuditEntry, type AuditRecord } from './record.ts';

export interface AuditTrail {
  /** Records a change with its transaction. Throws when neither entry nor context names the operation. */
  append(tx: Executor, context: RequestContext, entry: AuditEntry): Promise<void>;
  /** Values of a record, for a batched insert. */
  record(context: RequestContext, entry: AuditEntry): AuditRecord;
  /** Inserts many records in one statement. */
  insertMany(tx: Executor, records: readonly AuditRecord[]): Promise<void>;
  /** Records that a state-changing operation failed or was refused. Never throws; other operations leave no record. */
  recordRefusal(context: RequestContext, error: AppError): Promise<void>;
}

export function createAuditTrail(platform: Platform): AuditTrail {
  const { database, clock, nodeId, log } = platform;

  const record = (context: RequestContext, entry: AuditEntry) => recordOf(context, { entry, nodeId, now: clock.now() });

  return {
    record,
    insertMany: insertOrRefuse,
    append: async (tx, context, entry) => insertOrRefuse(tx, [record(context, entry)]),
    recordRefusal: async (context, error) => {
      if (!context.audit) return;
      try {
        await insertRecords(database.executor, [record(context, { result: 'failure', message: error.message })]);
      } catch (cause) {
        log.error(
          { error: cause, requestId: context.requestId, refusal: error.code },
          'a refusal could not be recorded',
        );
      }
    },
  };
}

/** A change that cannot be recorded is not made; the caller may try again when the database is well. */
async function insertOrRefuse(tx: Executor, records: readonly AuditRecord[]): Promise<void> {
  try {
    await insertRecords(tx, records);
  } catch (cause) {
    throw new AppError(
      'unavailable',
      { reason: 'the change could not be recorded in the audit log, so it was not made' },
      { cause },
    );
  }
}
