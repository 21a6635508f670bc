// Queries of automatic renewals. Candidates are found in one statement over certificates and locations.
import { sql } from 'kysely';
import type { AutomaticRenewalState } from '@signetry/contract';
import { pageOffset, type Page, type PageRequest } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { HeldHere } from './ports.ts';
import type { ReadTables, RenewalRow, RenewalTables, SettingRow } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<RenewalTables>();
const readTables = (executor: Executor) => executor.withTables<ReadTables>();

export const findSetting = (executor: Executor, raProfileUuid: string): Promise<SettingRow | undefined> =>
  tables(executor)
    .selectFrom('renewal_setting')
    .selectAll()
    .where('ra_profile_uuid', '=', raProfileUuid)
    .executeTakeFirst();

/** What is planned by the former setting, and was not tried, is planned anew. */
export async function keepSetting(tx: Executor, row: SettingRow): Promise<void> {
  const { ra_profile_uuid: uuid, ...facts } = row;
  await tables(tx)
    .insertInto('renewal_setting')
    .values(row)
    .onConflict((conflict) => conflict.column('ra_profile_uuid').doUpdateSet(facts))
    .execute();
  const planned = tables(tx).deleteFrom('renewal').where('ra_profile_uuid', '=', uuid).where('state', '=', 'planned');
  await (row.automatic ? planned.where('attempts', '=', 0) : planned).execute();
}

export interface Candidate extends HeldHere {
  readonly raProfileUuid: string;
  readonly daysBefore: number | null;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Certificates in locations that make keys, whose window has begun and which are not planned; by their end. */
export async function findUnplanned(
  executor: Executor,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<Candidate[]> {
  // As `windowStart` of the domain says.
  const lifetime = sql`(c.not_after - c.not_before)`;
  const windowStart = sql<Date>`c.not_after - CASE WHEN s.days_before IS NULL THEN ${lifetime} / 3
    ELSE least(s.days_before * interval '1 day', ${lifetime} / 2) END`;
  return readTables(executor)
    .selectFrom('renewal_setting as s')
    .innerJoin('certificate as c', 'c.ra_profile_uuid', 's.ra_profile_uuid')
    .innerJoin('location_certificate as held', 'held.certificate_uuid', 'c.uuid')
    .innerJoin('location as l', 'l.uuid', 'held.location_uuid')
    .leftJoin('renewal as known', (join) =>
      join
        .onRef('known.location_uuid', '=', 'held.location_uuid')
        .onRef('known.certificate_uuid', '=', 'held.certificate_uuid'),
    )
    .select([
      'l.uuid as locationUuid',
      'c.uuid as certificateUuid',
      's.ra_profile_uuid as raProfileUuid',
      's.days_before as daysBefore',
      'c.not_before as notBefore',
      'c.not_after as notAfter',
    ])
    .where('s.automatic', '=', true)
    .where('c.state', '=', 'issued')
    .where('c.archived', '=', false)
    .where('c.not_after', '>', now)
    .where(windowStart, '<=', now)
    .where('held.state', 'in', ['installed', 'served'])
    .where('l.enabled', '=', true)
    .where('l.key_management', '=', true)
    .where('known.certificate_uuid', 'is', null)
    .orderBy('c.not_after')
    .limit(limit)
    .$narrowType<{ notBefore: Date; notAfter: Date }>()
    .execute();
}

export async function plan(executor: Executor, rows: readonly RenewalRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tables(executor)
    .insertInto('renewal')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Takes what is due, also from nodes that died, until `until`. */
export const claimDue = (
  executor: Executor,
  { now, until, limit }: { readonly now: Date; readonly until: Date; readonly limit: number },
): Promise<RenewalRow[]> =>
  tables(executor)
    .updateTable('renewal as r')
    .from((from) =>
      from
        .selectFrom('renewal')
        .select(['location_uuid', 'certificate_uuid'])
        .where('state', 'in', ['planned', 'renewing'])
        .where('next_at', '<=', now)
        .where((or) => or.or([or('leased_until', 'is', null), or('leased_until', '<=', now)]))
        .orderBy('next_at')
        .limit(limit)
        .forUpdate()
        .skipLocked()
        .as('due'),
    )
    .set({ state: 'renewing', leased_until: until })
    .whereRef('r.location_uuid', '=', 'due.location_uuid')
    .whereRef('r.certificate_uuid', '=', 'due.certificate_uuid')
    .returningAll('r')
    .execute();

/** Lets go of it. */
export async function settle(
  tx: Executor,
  { locationUuid, certificateUuid }: HeldHere,
  changes: Partial<Pick<RenewalRow, 'state' | 'next_at' | 'attempts' | 'problem' | 'successor_uuid'>>,
): Promise<void> {
  await tables(tx)
    .updateTable('renewal')
    .set({ ...changes, leased_until: null })
    .where('location_uuid', '=', locationUuid)
    .where('certificate_uuid', '=', certificateUuid)
    .execute();
}

export async function forget(tx: Executor, { locationUuid, certificateUuid }: HeldHere): Promise<void> {
  await tables(tx)
    .deleteFrom('renewal')
    .where('location_uuid', '=', locationUuid)
    .where('certificate_uuid', '=', certificateUuid)
    .execute();
}

export const findBySuccessor = (
  executor: Executor,
  { locationUuid, certificateUuid }: HeldHere,
): Promise<RenewalRow | undefined> =>
  tables(executor)
    .selectFrom('renewal')
    .selectAll()
    .where('location_uuid', '=', locationUuid)
    .where('successor_uuid', '=', certificateUuid)
    .executeTakeFirst();

/** Is the certificate still in the location, and is it to be renewed? */
export const findHeld = (executor: Executor, { locationUuid, certificateUuid }: HeldHere) =>
  readTables(executor)
    .selectFrom('location_certificate as held')
    .innerJoin('certificate as c', 'c.uuid', 'held.certificate_uuid')
    .innerJoin('renewal_setting as s', 's.ra_profile_uuid', 'c.ra_profile_uuid')
    .select(['c.common_name', 'c.not_after', 'c.state'])
    .where('held.location_uuid', '=', locationUuid)
    .where('held.certificate_uuid', '=', certificateUuid)
    .where('held.state', 'in', ['installed', 'served'])
    .where('s.automatic', '=', true)
    .where('c.archived', '=', false)
    .$narrowType<{ not_after: Date }>()
    .executeTakeFirst();

/** When a certificate ends; undefined where it is gone. */
export async function findEnd(executor: Executor, certificateUuid: string): Promise<Date | undefined> {
  const row = await readTables(executor)
    .selectFrom('certificate')
    .select('not_after')
    .where('uuid', '=', certificateUuid)
    .executeTakeFirst();
  return row?.not_after ?? undefined;
}

const filtered = (executor: Executor, raProfileUuid: string, state: AutomaticRenewalState | undefined) => {
  const all = readTables(executor)
    .selectFrom('renewal as r')
    .innerJoin('certificate as c', 'c.uuid', 'r.certificate_uuid')
    .innerJoin('location as l', 'l.uuid', 'r.location_uuid')
    .where('r.ra_profile_uuid', '=', raProfileUuid);
  return state === undefined ? all : all.where('r.state', '=', state);
};

export interface ListedRenewal extends RenewalRow {
  readonly common_name: string;
  readonly not_after: Date;
  readonly location_name: string;
  readonly entity_uuid: string;
}

/** Those that are tried next come first, then the latest. */
export async function findPage(
  executor: Executor,
  { raProfileUuid, state, page }: { readonly raProfileUuid: string; readonly state: AutomaticRenewalState | undefined; readonly page: PageRequest }, // prettier-ignore
): Promise<Page<ListedRenewal>> {
  const query = filtered(executor, raProfileUuid, state);
  const items = await query
    .select(['c.common_name', 'c.not_after', 'l.name as location_name', 'l.entity_uuid'])
    .selectAll('r')
    .orderBy(sql`r.state NOT IN ('planned', 'renewing')`)
    .orderBy(sql`CASE WHEN r.state IN ('planned', 'renewing') THEN r.next_at END`)
    .orderBy('r.next_at', 'desc')
    .limit(page.itemsPerPage)
    .offset(pageOffset(page))
    .$narrowType<{ not_after: Date }>()
    .execute();
  const { count } = await query.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  return { items, totalItems: count };
}
