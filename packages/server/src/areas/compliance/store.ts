// Queries for compliance profiles, their rules and associations.
import type { Executor } from '../../platform/database/database.ts';
import { namedObjects } from '../../platform/objects/named-objects.ts';
import { sql } from 'kysely';
import type { ComplianceTables, InternalRuleRow, ProfileRow, ProviderRuleRow } from './tables.ts';

export const tables = (executor: Executor) => executor.withTables<ComplianceTables>();

export const profiles = namedObjects<ProfileRow>({ what: 'Compliance profile', table: 'compliance_profile' });
export const internalRules = namedObjects<InternalRuleRow>({
  what: 'Internal compliance rule',
  table: 'compliance_internal_rule',
});

/** Returns conditions in the form that the column requires. */
export const conditionsColumn = (conditions: InternalRuleRow['conditions']): InternalRuleRow['conditions'] =>
  JSON.stringify(conditions) as never; // The jsonb column accepts text.

/** Resources that profiles apply to: RA profiles or token profiles. */
export type AssociatedResource = 'raProfiles' | 'tokenProfiles';

const columnOf = { raProfiles: 'ra_profile_uuid', tokenProfiles: 'token_profile_uuid' } as const;

export interface Association {
  readonly profileUuid: string;
  readonly resource: AssociatedResource;
  readonly objectUuid: string;
}

export interface Summary extends ProfileRow {
  readonly provider_rules: number;
  readonly provider_groups: number;
  readonly internal_rules: number;
  readonly associations: number;
}

/**
 * Returns profiles, sorted by name, with the number of rules and other contents in each; returns all profiles if no
 * identifiers are specified.
 */
export async function findSummaries(executor: Executor, uuids?: readonly string[]): Promise<Summary[]> {
  const narrowed = uuids === undefined ? sql`` : sql`WHERE p.uuid = ANY(${uuids}::uuid[])`;
  const { rows } = await sql<Summary>`
    SELECT p.*,
      (SELECT count(*)::int FROM compliance_profile_provider_rule r WHERE r.profile_uuid = p.uuid AND NOT r.is_group)
        AS provider_rules,
      (SELECT count(*)::int FROM compliance_profile_provider_rule r WHERE r.profile_uuid = p.uuid AND r.is_group)
        AS provider_groups,
      (SELECT count(*)::int FROM compliance_profile_internal_rule r WHERE r.profile_uuid = p.uuid) AS internal_rules,
      (SELECT count(*)::int FROM compliance_association a WHERE a.profile_uuid = p.uuid) AS associations
    FROM compliance_profile p ${narrowed} ORDER BY p.name`.execute(executor);
  return rows;
}

/** Returns the profiles' internal rules, each with its profile. */
export async function findInternalRules(
  executor: Executor,
  profileUuids: readonly string[],
): Promise<(InternalRuleRow & { readonly profile_uuid: string })[]> {
  return tables(executor)
    .selectFrom('compliance_profile_internal_rule as l')
    .innerJoin('compliance_internal_rule as r', 'r.uuid', 'l.rule_uuid')
    .selectAll('r')
    .select('l.profile_uuid')
    .where('l.profile_uuid', '=', sql<string>`ANY(${profileUuids}::uuid[])`)
    .orderBy('r.name')
    .execute();
}

export const findProviderRules = (executor: Executor, profileUuids: readonly string[]): Promise<ProviderRuleRow[]> =>
  tables(executor)
    .selectFrom('compliance_profile_provider_rule')
    .selectAll()
    .where('profile_uuid', '=', sql<string>`ANY(${profileUuids}::uuid[])`)
    .orderBy('connector_name')
    .orderBy('kind')
    .orderBy('name')
    .execute();

/** Has no effect for rules that are already in the profile. */
export async function addInternalRules(tx: Executor, profileUuid: string, ruleUuids: readonly string[]): Promise<void> {
  if (ruleUuids.length === 0) return;
  await tables(tx)
    .insertInto('compliance_profile_internal_rule')
    .values([...new Set(ruleUuids)].map((uuid) => ({ profile_uuid: profileUuid, rule_uuid: uuid })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const removeInternalRules = (tx: Executor, profileUuid: string, ruleUuid?: string) =>
  tables(tx)
    .deleteFrom('compliance_profile_internal_rule')
    .where('profile_uuid', '=', profileUuid)
    .$if(ruleUuid !== undefined, (query) => query.where('rule_uuid', '=', ruleUuid ?? ''))
    .execute();

/** Replaces existing rows for the same rules. */
export async function upsertProviderRules(tx: Executor, rows: readonly ProviderRuleRow[]): Promise<void> {
  for (const row of rows) {
    const { name, description, group_uuid, resource, type, format, has_attributes, connector_name, added_at } = row;
    await tables(tx)
      .insertInto('compliance_profile_provider_rule')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['profile_uuid', 'connector_uuid', 'kind', 'is_group', 'provider_uuid']).doUpdateSet({
          name,
          description,
          group_uuid,
          resource,
          type,
          format,
          has_attributes,
          connector_name,
          added_at,
        }),
      )
      .execute();
  }
}

export type ProviderRuleKey = Pick<ProviderRuleRow, 'connector_uuid' | 'kind' | 'is_group' | 'provider_uuid'>;

export async function removeProviderRule(tx: Executor, profileUuid: string, key: ProviderRuleKey): Promise<boolean> {
  const result = await tables(tx)
    .deleteFrom('compliance_profile_provider_rule')
    .where('profile_uuid', '=', profileUuid)
    .where('connector_uuid', '=', key.connector_uuid)
    .where('kind', '=', key.kind)
    .where('is_group', '=', key.is_group)
    .where('provider_uuid', '=', key.provider_uuid)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export const removeProviderRules = (tx: Executor, profileUuid: string) =>
  tables(tx).deleteFrom('compliance_profile_provider_rule').where('profile_uuid', '=', profileUuid).execute();

/** Returns the names of the profiles that use a connector's rules. */
export async function findProfilesOfConnector(executor: Executor, connectorUuid: string): Promise<string[]> {
  const rows = await tables(executor)
    .selectFrom('compliance_profile_provider_rule as r')
    .innerJoin('compliance_profile as p', 'p.uuid', 'r.profile_uuid')
    .select('p.name')
    .distinct()
    .where('r.connector_uuid', '=', connectorUuid)
    .orderBy('p.name')
    .execute();
  return rows.map(({ name }) => name);
}

export const removeRulesOfConnector = (tx: Executor, connectorUuid: string) =>
  tables(tx).deleteFrom('compliance_profile_provider_rule').where('connector_uuid', '=', connectorUuid).execute();

/** Returns the names of the profiles that use an internal rule. */
export async function findProfilesOfRule(executor: Executor, ruleUuid: string): Promise<string[]> {
  const rows = await tables(executor)
    .selectFrom('compliance_profile_internal_rule as l')
    .innerJoin('compliance_profile as p', 'p.uuid', 'l.profile_uuid')
    .select('p.name')
    .where('l.rule_uuid', '=', ruleUuid)
    .orderBy('p.name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Has no effect if the association already exists. */
export async function associate(tx: Executor, { profileUuid, resource, objectUuid }: Association): Promise<void> {
  const none = { ra_profile_uuid: null, token_profile_uuid: null };
  await tables(tx)
    .insertInto('compliance_association')
    .values({ profile_uuid: profileUuid, ...none, [columnOf[resource]]: objectUuid })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function disassociate(tx: Executor, association: Association): Promise<boolean> {
  const { profileUuid, resource, objectUuid } = association;
  const result = await tables(tx)
    .deleteFrom('compliance_association')
    .where('profile_uuid', '=', profileUuid)
    .where(columnOf[resource], '=', objectUuid)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function findAssociations(executor: Executor, profileUuids: readonly string[]): Promise<Association[]> {
  const rows = await tables(executor)
    .selectFrom('compliance_association')
    .selectAll()
    .where('profile_uuid', '=', sql<string>`ANY(${profileUuids}::uuid[])`)
    .execute();
  return rows.flatMap(({ profile_uuid: profileUuid, ra_profile_uuid: ra, token_profile_uuid: token }): Association[] =>
    ra !== null
      ? [{ profileUuid, resource: 'raProfiles', objectUuid: ra }]
      : token !== null
        ? [{ profileUuid, resource: 'tokenProfiles', objectUuid: token }]
        : [],
  );
}

/** Returns compliance profiles by the RA profile or token profile that they apply to. */
export async function findProfilesOf(
  executor: Executor,
  resource: AssociatedResource,
  objectUuids: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const column = columnOf[resource];
  const rows = await tables(executor)
    .selectFrom('compliance_association')
    .select(['profile_uuid', `${column} as object_uuid`])
    .where(column, '=', sql<string>`ANY(${objectUuids}::uuid[])`)
    .execute();
  const found = new Map<string, string[]>();
  for (const { profile_uuid: profile, object_uuid: object } of rows)
    if (object !== null) found.set(object, [...(found.get(object) ?? []), profile]);
  return found;
}

/** Returns the RA profiles that have a compliance profile. */
export async function findAssociatedRaProfiles(executor: Executor): Promise<ReadonlySet<string>> {
  const rows = await tables(executor)
    .selectFrom('compliance_association')
    .select('ra_profile_uuid')
    .distinct()
    .where('ra_profile_uuid', 'is not', null)
    .execute();
  return new Set(rows.flatMap(({ ra_profile_uuid: uuid }) => uuid ?? []));
}
