// A location's state, which is the most urgent state among its certificates, as defined in the API.
import { sql } from 'kysely';
import type { LocationState } from '@signetry/contract';
import type { ObjectFilter } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isShown } from '../../platform/database/object-filter.ts';
import type { EntityTables } from './tables.ts';

/**
 * State of the location `l`; never null. If the location holds only one certificate, a failed deployment determines the
 * state until a later certificate is installed; a restored certificate is not considered later.
 */
export const stateOfLocation = sql<LocationState>`(
  SELECT CASE
    WHEN ${unrepairedCondition('failed')} THEN 'failed'
    WHEN ${unrepairedCondition('not_served')} THEN 'notServed'
    WHEN l.problem IS NOT NULL THEN 'unreadable'
    WHEN bool_or(held.state IN ('waiting', 'pushing') OR held.asked_until IS NOT NULL) THEN 'waiting'
    WHEN bool_or(held.state IN ('installed', 'replaced')) THEN 'installed'
    WHEN bool_or(held.state = 'served') THEN 'served'
    ELSE 'empty'
  END
  FROM location_certificate held
  WHERE held.location_uuid = l.uuid)`;

function unrepairedCondition(state: 'failed' | 'not_served') {
  const last = sql`max(held.noted_at) FILTER (WHERE held.state = ${sql.lit(state)})`;
  const there = sql`max(held.noted_at) FILTER (WHERE held.state IN ('installed', 'served'))`;
  return sql`CASE WHEN l.multiple_entries THEN ${last} IS NOT NULL
    ELSE ${last} > coalesce(${there}, '-infinity') END`;
}

export async function findStates(
  executor: Executor,
  locationUuids: readonly string[],
): Promise<ReadonlyMap<string, LocationState>> {
  const rows = await executor
    .withTables<EntityTables>()
    .selectFrom('location as l')
    .select(['l.uuid', stateOfLocation.as('state')])
    .where('l.uuid', '=', sql<string>`ANY(${locationUuids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ uuid, state }) => [uuid, state]));
}

export interface StateCount {
  readonly state: LocationState;
  readonly locations: number;
}

/** Counts, by state, the locations that the caller can list and whose entities the caller can list. */
export const countStates = (
  executor: Executor,
  { shown, entitiesShown }: { readonly shown: ObjectFilter; readonly entitiesShown: ObjectFilter },
): Promise<StateCount[]> =>
  executor
    .withTables<EntityTables>()
    .selectFrom('location as l')
    .select([stateOfLocation.as('state'), sql<number>`count(*)::int`.as('locations')])
    .where(isShown(sql`l.uuid`, shown))
    .where(isShown(sql`l.entity_uuid`, entitiesShown))
    .groupBy(sql`1`)
    .execute();
