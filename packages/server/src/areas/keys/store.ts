// Queries for keys and their items.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { namedObjects } from '../../platform/objects/named-objects.ts';
import type { ContainedObject } from '../../kernel/visible-objects.ts';
import type { KeyItemRow, KeyRow, KeyTables, NewKeyItem } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<KeyTables>();

export const keys = namedObjects<KeyRow>({ what: 'Key', table: 'key' });

export const ownsAny = async (executor: Executor, userUuid: string): Promise<boolean> =>
  (await tables(executor).selectFrom('key').select('uuid').where('owner_uuid', '=', userUuid).limit(1).execute())
    .length > 0;

/** Returns the public half first. */
export const findItems = (executor: Executor, keyUuids: readonly string[]): Promise<KeyItemRow[]> =>
  tables(executor)
    .selectFrom('key_item')
    .selectAll()
    .where('key_uuid', '=', sql<string>`ANY(${keyUuids}::uuid[])`)
    .orderBy('key_uuid')
    .orderBy('type', 'desc')
    .orderBy('uuid')
    .execute();

export const findItemsByUuid = (executor: Executor, uuids: readonly string[]): Promise<KeyItemRow[]> =>
  tables(executor)
    .selectFrom('key_item')
    .selectAll()
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .orderBy('uuid')
    .execute();

/**
 * Locks the keys, then the items, until the transaction ends. Every change to an item locks its key, and removing the
 * last item removes the key. Rows are locked in UUID order, so that two calls do not deadlock.
 */
export async function lockItems(tx: Executor, uuids: readonly string[]): Promise<KeyItemRow[]> {
  await sql`SELECT FROM key WHERE uuid IN (SELECT key_uuid FROM key_item WHERE uuid = ANY(${uuids}::uuid[]))
    ORDER BY uuid FOR NO KEY UPDATE`.execute(tx);
  return tables(tx)
    .selectFrom('key_item')
    .selectAll()
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .orderBy('uuid')
    .forUpdate()
    .execute();
}

export async function insertItems(tx: Executor, rows: readonly NewKeyItem[]): Promise<void> {
  if (rows.length > 0)
    await tables(tx)
      .insertInto('key_item')
      .values([...rows])
      .execute();
}

export const updateItem = (tx: Executor, uuid: string, changes: Partial<KeyItemRow>) =>
  tables(tx).updateTable('key_item').set(changes).where('uuid', '=', uuid).execute();

export const removeItems = (tx: Executor, uuids: readonly string[]) =>
  tables(tx)
    .deleteFrom('key_item')
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();

/** Returns the keys that have no items left. */
export async function findEmpty(tx: Executor, keyUuids: readonly string[]): Promise<string[]> {
  const rows = await tables(tx)
    .selectFrom('key as k')
    .select('k.uuid')
    .where('k.uuid', '=', sql<string>`ANY(${keyUuids}::uuid[])`)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('key_item as i').select('i.uuid').whereRef('i.key_uuid', '=', 'k.uuid'))),
    )
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Returns the provider references of the items in a token. */
export async function findReferences(executor: Executor, tokenUuid: string): Promise<ReadonlySet<string>> {
  const rows = await tables(executor)
    .selectFrom('key_item as i')
    .innerJoin('key as k', 'k.uuid', 'i.key_uuid')
    .select('i.reference')
    .where('k.token_uuid', '=', tokenUuid)
    .where('i.state', 'not in', ['destroyed', 'destroyedCompromised'])
    .execute();
  return new Set(rows.flatMap(({ reference }) => (reference === null ? [] : [reference])));
}

/** Removes a token's items by their references, and the keys that have no other items. */
export async function removeReferences(tx: Executor, tokenUuid: string, references: readonly string[]): Promise<void> {
  const { rows } = await sql<{ uuid: string; key_uuid: string }>`
    SELECT i.uuid, i.key_uuid FROM key_item i JOIN key k ON k.uuid = i.key_uuid
    WHERE k.token_uuid = ${tokenUuid}::uuid AND i.reference = ANY(${references}::text[])`.execute(tx);
  if (rows.length === 0) return;
  const items = await lockItems(
    tx,
    rows.map(({ uuid }) => uuid),
  );
  await removeItems(
    tx,
    items.map(({ uuid }) => uuid),
  );
  await keys.removeMany(
    tx,
    await findEmpty(
      tx,
      rows.map((row) => row.key_uuid),
    ),
  );
}

/** Locks the keys' private halves until the transaction ends, and returns the keys that can sign. */
export async function holdSigning(tx: Executor, uuids: readonly string[]): Promise<string[]> {
  const rows = await tables(tx)
    .selectFrom('key_item')
    .select('key_uuid')
    .where('key_uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .where('type', '=', 'Private')
    .where('state', '=', 'active')
    .where('enabled', '=', true)
    .orderBy('uuid')
    .forShare()
    .execute();
  return rows.map((row) => row.key_uuid);
}

/** Locks a private item until the transaction ends. Returns whether its key can be exported and is usable. */
export async function holdExportable(tx: Executor, itemUuid: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM key_item i JOIN key k ON k.uuid = i.key_uuid
    WHERE i.uuid = ${itemUuid}::uuid AND k.exportable AND i.type = 'Private' AND i.state = 'active' AND i.enabled
    FOR SHARE OF i`.execute(tx);
  return rows.length > 0;
}

/** Returns the key with this public key, if it is in a token. */
export const findByPublicKey = (executor: Executor, fingerprint: string): Promise<KeyRow | undefined> =>
  tables(executor)
    .selectFrom('key_item as i')
    .innerJoin('key as k', 'k.uuid', 'i.key_uuid')
    .selectAll('k')
    .where('i.public_key_fingerprint', '=', fingerprint)
    .where('i.state', 'not in', ['destroyed', 'destroyedCompromised'])
    .limit(1)
    .executeTakeFirst();

interface HolderRow extends Pick<KeyRow, 'uuid' | 'owner_uuid' | 'token_uuid'> {
  readonly group_uuids: string[];
}

/**
 * Returns the keys' tokens, owners and groups. A UUID can also identify an item, which has the same token, owner and
 * groups as its key.
 */
export async function findContained(executor: Executor, uuids: readonly string[]): Promise<ContainedObject[]> {
  const { rows } = await sql<HolderRow>`
    SELECT asked.uuid, k.owner_uuid, k.token_uuid,
      ARRAY(SELECT m.group_uuid FROM group_membership m
        WHERE m.object_resource = 'keys' AND m.object_uuid = k.uuid)::text[] AS group_uuids
    FROM unnest(${uuids}::uuid[]) AS asked (uuid)
    LEFT JOIN key_item i ON i.uuid = asked.uuid
    JOIN key k ON k.uuid = coalesce(i.key_uuid, asked.uuid)`.execute(executor);
  return rows.map((row) => ({
    uuid: row.uuid,
    containerUuid: row.token_uuid,
    ownerUuid: row.owner_uuid,
    groupUuids: row.group_uuids,
  }));
}
