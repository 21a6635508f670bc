// Queries for credentials.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { namedObjects } from '../../platform/objects/named-objects.ts';
import type { CredentialRow } from './tables.ts';

export const credentials = namedObjects<CredentialRow>({ what: 'Credential', table: 'credential' });

/**
 * Locks credentials so that they cannot be removed until the transaction ends; returns those that exist. Concurrent
 * references do not block each other.
 */
export async function holdForUse(tx: Executor, uuids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT uuid FROM credential WHERE uuid = ANY(${uuids}::uuid[]) ORDER BY uuid FOR KEY SHARE`.execute(tx);
  return rows.map(({ uuid }) => uuid);
}
