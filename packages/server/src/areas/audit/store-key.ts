// Key for seals and purge markers. It is random, generated once per installation, and sealed with the platform's
// sealing key, so that old seals can still be verified after the sealing key is rotated.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTables } from './tables.ts';

const PURPOSE = 'audit key';
const KEY_BYTES = 32;
/** The table's only row. */
const ID = 1;

export const auditKeyColumn: SealedColumn = {
  table: 'audit_key',
  key: 'id',
  keyType: 'smallint',
  column: 'sealed_key',
  form: 'bytes',
  purpose: () => PURPOSE,
};

export type AuditKey = () => Promise<Uint8Array>;

export function createAuditKey({ database, sealer }: Pick<Platform, 'database' | 'sealer'>): AuditKey {
  const tables = database.executor.withTables<AuditTables>();
  let known: Promise<Uint8Array> | undefined;

  const read = () => tables.selectFrom('audit_key').select('sealed_key').where('id', '=', ID).executeTakeFirst();

  async function load(): Promise<Uint8Array> {
    let row = await read();
    if (!row) {
      // Nodes can start simultaneously: the first row wins.
      const sealed_key = sealer.seal(randomBytes(KEY_BYTES), PURPOSE);
      await sql`INSERT INTO audit_key (id, sealed_key) VALUES (${ID}, ${sealed_key}) ON CONFLICT DO NOTHING`.execute(
        tables,
      );
      row = await read();
    }
    if (!row) throw new Error('The audit key was removed while it was being created.');
    return sealer.open(row.sealed_key, PURPOSE);
  }

  return () => {
    known ??= load().catch((error: unknown) => {
      known = undefined; // The next call retries.
      throw error;
    });
    return known;
  };
}
