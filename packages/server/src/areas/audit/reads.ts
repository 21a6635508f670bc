// Records of reads, written in batches behind the answers: a read is never slower or refused because of its record. So
// a crash may lose those of its last second, and a database that is away for long those that find no room here.
import type { Logger } from '../../platform/logging/logger.ts';
import type { AuditRecord } from './record.ts';

/** Some 5 MB. */
const MAX_WAITING = 5_000;
const BATCH = 500;

export interface ReadRecords {
  note(record: AuditRecord): void;
  /** Writes what waits. */
  settle(): Promise<void>;
}

export interface ReadRecordsParts {
  readonly log: Logger;
  readonly write: (records: readonly AuditRecord[]) => Promise<void>;
}

export function createReadRecords({ log, write }: ReadRecordsParts): ReadRecords {
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
        await write(batch);
        waiting = waiting.slice(batch.length);
      }
      if (lost > 0) log.warn({ lost }, 'records of reads were lost: they came faster than the database took them');
      lost = 0;
    },
  };
}
