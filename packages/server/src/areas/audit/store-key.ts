// The key of seals and purge markers: random, made once per installation, and sealed by the platform's sealing key, so
// that old seals stay verifiable after that key was rotated.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTables } from './tables.ts';

const PURPOSE = 'audit key';
const KEY_BYTES = 32;
/** The one row of the table. */
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
      // Nodes may start at once: the first row wins.
      const sealed_key = sealer.seal(randomBytes(KEY_BYTES), PURPOSE);
      await sql`INSERT INTO audit_key (id, sealed_key) VALUES (${ID}, ${sealed_key}) ON CONFLICT DO NOTHING`.execute(
        tables,
      );
      row = await read();
    }
    if (!row) throw new Error('The audit key was removed while it was being made.');
    return sealer.open(row.sealed_key, PURPOSE);
  }

  return () => {
    known ??= load().catch((error: unknown) => {
      known = undefined; // ask again next time
      throw error;
    });
    return known;
  };
}
