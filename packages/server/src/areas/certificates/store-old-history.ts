// Deletes old certificate history entries if an administrator has configured it.
import { sql } from 'kysely';
import type { RetentionPolicy } from '../../platform/platform.ts';

export const historyRetention: RetentionPolicy = {
  setting: 'certificateHistoryKeptDays',
  what: 'certificate history entries',
  tables: ['certificate_history'],
  async remove(tx, { before, limit }) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM certificate_history WHERE uuid IN (
        SELECT uuid FROM certificate_history WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit})`.execute(
      tx,
    );
    return Number(numAffectedRows);
  },
};
