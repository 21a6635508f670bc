// Queries for entities, locations and locations' contents.
import { sql } from 'kysely';
import type { ObjectFilter } from '../../kernel/actor.ts';
import { pageOffset, type Page, type PageRequest } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { compileFilters, type SqlCondition } from '../../platform/database/filter/compile.ts';
import { isShown } from '../../platform/database/object-filter.ts';
import { namedObjects } from '../../platform/objects/named-objects.ts';
import type { EntityRow, EntityTables, HeldRow, HeldState, LocationRow } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<EntityTables>();

export const entities = namedObjects<EntityRow>({ what: 'Entity', table: 'entity' });
export const locations = namedObjects<LocationRow>({ what: 'Location', table: 'location' });

/** Locks the row against removal, with a shared lock. */
export const holdForUse = (tx: Executor, uuid: string): Promise<EntityRow | undefined> =>
  tables(tx).selectFrom('entity').selectAll().where('uuid', '=', uuid).forShare().executeTakeFirst();

interface PageQuery {
  readonly conditions: readonly SqlCondition[];
  readonly page: PageRequest;
}

/** Returns one page of the entities that the caller can list, sorted by name. */
export async function findEntityPage(
  executor: Executor,
  { conditions, page, shown }: PageQuery & { readonly shown: ObjectFilter },
): Promise<Page<EntityRow>> {
  const query = tables(executor)
    .selectFrom('entity as e')
    .where(compileFilters(conditions))
    .where(isShown(sql`e.uuid`, shown));
  const items = await query
    .selectAll('e')
    .orderBy('e.name')
    .limit(page.itemsPerPage)
    .offset(pageOffset(page))
    .execute();
  const { count } = await query.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  return { items, totalItems: count };
}

/** Returns a page of the locations that the caller can list, provided that the caller can also list their entities. */
export async function findLocationPage(
  executor: Executor,
  { conditions, page, shown, entitiesShown }: PageQuery & { readonly shown: ObjectFilter; readonly entitiesShown: ObjectFilter }, // prettier-ignore
): Promise<Page<LocationRow>> {
  const query = tables(executor)
    .selectFrom('location as l')
    .where(compileFilters(conditions))
    .where(isShown(sql`l.uuid`, shown))
    .where(isShown(sql`l.entity_uuid`, entitiesShown));
  const items = await query
    .selectAll('l')
    .orderBy('l.name')
    .limit(page.itemsPerPage)
    .offset(pageOffset(page))
    .execute();
  const { count } = await query.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  return { items, totalItems: count };
}

/** Returns the locations' entries, most recently changed first. */
export const findHeld = (executor: Executor, locationUuids: readonly string[]): Promise<HeldRow[]> =>
  tables(executor)
    .selectFrom('location_certificate')
    .selectAll()
    .where('location_uuid', '=', sql<string>`ANY(${locationUuids}::uuid[])`)
    .orderBy('changed_at', 'desc')
    .orderBy('certificate_uuid')
    .execute();

/** Returns a certificate's location entries. */
export const findHeldByCertificate = (executor: Executor, certificateUuid: string): Promise<HeldRow[]> =>
  tables(executor)
    .selectFrom('location_certificate')
    .selectAll()
    .where('certificate_uuid', '=', certificateUuid)
    .orderBy('location_uuid')
    .execute();

/** Column values for an entry whose endpoint is not being probed and has not served the certificate. */
export const NOT_PROBED = { served_at: null, asked_until: null, ask_at: null } as const;

/** Writes an entry; replaces an existing entry for the same certificate. */
export async function storeHeld(tx: Executor, row: HeldRow): Promise<void> {
  const { location_uuid: _location, certificate_uuid: _certificate, metadata, ...rest } = row;
  const facts = { ...rest, metadata: JSON.stringify(metadata) as never }; // The jsonb column requires text.
  await tables(tx)
    .insertInto('location_certificate')
    .values({ ...row, ...facts })
    .onConflict((conflict) => conflict.columns(['location_uuid', 'certificate_uuid']).doUpdateSet(facts))
    .execute();
}

export interface HeldKey {
  readonly location_uuid: string;
  readonly certificate_uuid: string;
}

/** Changes the state of an entry if it is still in `from`; the caller then owns the next step. */
export async function claimHeld(
  executor: Executor,
  { location_uuid, certificate_uuid }: HeldKey,
  { from, to, at }: { readonly from: HeldState; readonly to: HeldState; readonly at: Date },
): Promise<HeldRow | undefined> {
  return tables(executor)
    .updateTable('location_certificate')
    .set({ state: to, problem: null, changed_at: at })
    .where('location_uuid', '=', location_uuid)
    .where('certificate_uuid', '=', certificate_uuid)
    .where('state', '=', from)
    .returningAll()
    .executeTakeFirst();
}

/** Returns the entries that have been in a state since before the given time, oldest first. */
export const findInState = (
  executor: Executor,
  state: HeldState,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<HeldRow[]> =>
  tables(executor)
    .selectFrom('location_certificate')
    .selectAll()
    .where('state', '=', state)
    .where('changed_at', '<=', before)
    .orderBy('changed_at')
    .limit(limit)
    .execute();

export async function removeHeld(tx: Executor, locationUuid: string, certificates: readonly string[]): Promise<void> {
  await tables(tx)
    .deleteFrom('location_certificate')
    .where('location_uuid', '=', locationUuid)
    .where('certificate_uuid', '=', sql<string>`ANY(${certificates}::uuid[])`)
    .execute();
}

/** Marks a certificate as replaced; it is restored if its replacement is not served. */
export async function setAside(tx: Executor, { location_uuid, certificate_uuid }: HeldKey, at: Date): Promise<void> {
  await tables(tx)
    .updateTable('location_certificate')
    .set({ state: 'replaced', problem: null, changed_at: at, ...NOT_PROBED })
    .where('location_uuid', '=', location_uuid)
    .where('certificate_uuid', '=', certificate_uuid)
    .execute();
}

/** Returns the certificates that were set aside in a location for the specified certificates. */
export async function findSetAside(
  executor: Executor,
  locationUuid: string,
  certificates: readonly string[],
): Promise<string[]> {
  const rows = await tables(executor)
    .selectFrom('location_certificate as before')
    .innerJoin('location_certificate as after', (join) =>
      join
        .onRef('after.location_uuid', '=', 'before.location_uuid')
        .onRef('after.replaces_uuid', '=', 'before.certificate_uuid'),
    )
    .select('before.certificate_uuid as uuid')
    .where('before.location_uuid', '=', locationUuid)
    .where('before.state', '=', 'replaced')
    .where('after.certificate_uuid', '=', sql<string>`ANY(${certificates}::uuid[])`)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Queues a set-aside certificate to be pushed again; returns false if it is no longer set aside. */
export async function requeueSetAside(
  tx: Executor,
  { location_uuid, certificate_uuid }: HeldKey,
  at: Date,
): Promise<boolean> {
  const row = await claimHeld(tx, { location_uuid, certificate_uuid }, { from: 'replaced', to: 'waiting', at });
  return row !== undefined;
}
