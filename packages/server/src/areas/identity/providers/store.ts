// Queries for OAuth 2.0 providers.
import type { ProviderProvisioning } from '@signetry/contract';
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { IdentityTables, ProviderRow } from '../tables.ts';

const tables = (executor: Executor) => executor.withTables<IdentityTables>();

/** Sorted by name. */
export const findAll = (executor: Executor): Promise<ProviderRow[]> =>
  tables(executor).selectFrom('oauth2_provider').selectAll().orderBy('name').execute();

export const findOne = (executor: Executor, name: string): Promise<ProviderRow | undefined> =>
  tables(executor).selectFrom('oauth2_provider').selectAll().where('name', '=', name).executeTakeFirst();

/** Returns the row, locked until the transaction ends. */
export const hold = (tx: Executor, name: string): Promise<ProviderRow | undefined> =>
  tables(tx).selectFrom('oauth2_provider').selectAll().where('name', '=', name).forUpdate().executeTakeFirst();

/** Inserts or updates a provider; its provisioning is unchanged. */
export async function save(tx: Executor, row: Omit<ProviderRow, 'provisioning'>): Promise<void> {
  const values = { ...row, settings: JSON.stringify(row.settings) };
  const { name: _name, created_at: _createdAt, ...changes } = values;
  await tables(tx)
    .insertInto('oauth2_provider')
    .values(values as unknown as ProviderRow) // JSON as text
    .onConflict((conflict) => conflict.column('name').doUpdateSet(changes as unknown as Partial<ProviderRow>))
    .execute();
}

/** Removes all providers except these; returns the names of the removed ones. */
export async function removeAllBut(tx: Executor, names: readonly string[]): Promise<string[]> {
  const query = tables(tx).deleteFrom('oauth2_provider').returning('name');
  const rows = await (names.length === 0 ? query : query.where('name', 'not in', names)).execute();
  return rows.map(({ name }) => name);
}

export async function removeOne(tx: Executor, name: string): Promise<boolean> {
  const rows = await tables(tx).deleteFrom('oauth2_provider').where('name', '=', name).returning('name').execute();
  return rows.length > 0;
}

export async function saveProvisioning(
  tx: Executor,
  name: string,
  facts: { readonly provisioning: ProviderProvisioning; readonly now: Date },
): Promise<void> {
  await tables(tx)
    .updateTable('oauth2_provider')
    .set({ provisioning: JSON.stringify(facts.provisioning) as never, updated_at: facts.now }) // JSON as text
    .where('name', '=', name)
    .execute();
}

/** Adds roles to the list of roles that claims can assign. */
export async function listRoles(
  tx: Executor,
  name: string,
  { roleUuids, now }: { readonly roleUuids: readonly string[]; readonly now: Date },
): Promise<void> {
  if (roleUuids.length === 0) return;
  await sql`UPDATE oauth2_provider SET updated_at = ${now}, provisioning = jsonb_set(provisioning, '{grantedRoleUuids}',
      coalesce(provisioning->'grantedRoleUuids', '[]') || ${JSON.stringify(roleUuids)}::jsonb)
    WHERE name = ${name}`.execute(tx);
}
