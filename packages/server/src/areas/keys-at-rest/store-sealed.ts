// Queries for declared columns with sealed values. Column names come from declarations in the code, never from input.
import { sql, type RawBuilder } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';

export interface SealedRow {
  readonly key: string;
  readonly sealed: Uint8Array;
  /** Columns that the purpose is built from. */
  readonly facts: Readonly<Record<string, string>>;
}

/** The key ID follows the version, as written by `platform/crypto/sealing.ts`. */
const isStale = (column: SealedColumn, keyId: string): RawBuilder<boolean> =>
  sql<boolean>`${bytesOf(column)} IS NOT NULL AND substr(${bytesOf(column)}, 2, 4) <> decode(${keyId}, 'hex')`;

function bytesOf({ column, form }: SealedColumn): RawBuilder<Uint8Array> {
  const value = sql.ref(column);
  if (form === 'bytes') return sql`${value}`;
  return form === 'base64' ? sql`decode(${value}, 'base64')` : sql`decode(${value} ->> 'sealed', 'base64')`;
}

function toStoredForm({ form }: SealedColumn, sealed: Uint8Array): RawBuilder<unknown> {
  const text = Buffer.from(sealed).toString('base64');
  if (form === 'bytes') return sql`${Buffer.from(sealed)}`;
  return form === 'base64' ? sql`${text}` : sql`jsonb_build_object('sealed', ${text}::text)`;
}

export async function countStale(executor: Executor, column: SealedColumn, keyId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM ${sql.raw(column.table)} WHERE ${isStale(column, keyId)}`.execute(executor);
  return rows[0]?.count ?? 0;
}

/** Finds the next rows, ordered by row key, whose value is sealed with a different key. */
export async function findStale(
  executor: Executor,
  column: SealedColumn,
  part: { readonly keyId: string; readonly after: string | undefined; readonly limit: number },
): Promise<SealedRow[]> {
  const key = sql.ref(column.key);
  const type = sql.raw(column.keyType);
  const after = part.after === undefined ? sql`true` : sql`${key} > ${part.after}::${type}`;
  const facts = [column.key, ...(column.with ?? [])].map((name) => sql`${sql.lit(name)}, ${sql.ref(name)}::text`);
  const { rows } = await sql<SealedRow>`
    SELECT ${key}::text AS key, ${bytesOf(column)} AS sealed, json_build_object(${sql.join(facts)}) AS facts
    FROM ${sql.raw(column.table)} WHERE ${isStale(column, part.keyId)} AND ${after}
    ORDER BY ${key} LIMIT ${part.limit}`.execute(executor);
  return rows;
}

/** Replaces a sealed value unless it was changed in the meantime. */
export async function replaceSealed(
  tx: Executor,
  column: SealedColumn,
  change: { readonly row: SealedRow; readonly sealed: Uint8Array },
): Promise<void> {
  await sql`
    UPDATE ${sql.raw(column.table)} SET ${sql.ref(column.column)} = ${toStoredForm(column, change.sealed)}
    WHERE ${sql.ref(column.key)} = ${change.row.key}::${sql.raw(column.keyType)}
      AND ${bytesOf(column)} = ${Buffer.from(change.row.sealed)}`.execute(tx);
}
