// Queries for approval profiles, their versions and steps.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { namedObjects } from '../../platform/objects/named-objects.ts';
import type { ApprovalProfileRow, ApprovalTables, StepRow, VersionRow } from './tables.ts';

export const tables = (executor: Executor) => executor.withTables<ApprovalTables>();

export const approvalProfiles = namedObjects<ApprovalProfileRow>({
  what: 'Approval profile',
  table: 'approval_profile',
});

/** Profile version as displayed in lists. */
export type ListedVersion = Awaited<ReturnType<typeof findLatestVersions>>[number];

const selectVersions = (executor: Executor) =>
  tables(executor)
    .selectFrom('approval_profile as p')
    .innerJoin('approval_profile_version as v', 'v.approval_profile_uuid', 'p.uuid')
    .select(['p.uuid', 'p.name', 'v.uuid as version_uuid', 'v.version', 'v.description'])
    .select(['v.expiry_hours', 'v.allow_own_approval'])
    .select((eb) =>
      eb
        .selectFrom('approval_step as s')
        .select(eb.fn.countAll<number>().as('steps'))
        .whereRef('s.version_uuid', '=', 'v.uuid')
        .$asScalar()
        .$notNull()
        .as('steps'),
    );

const latest = (executor: Executor) => selectVersions(executor).whereRef('v.version', '=', 'p.latest_version');

/** Returns the latest versions of existing profiles. */
export const findLatestVersions = (executor: Executor, uuids: readonly string[]) =>
  latest(executor)
    .where('p.uuid', 'in', [...uuids])
    .orderBy('p.name')
    .execute();

/** Returns the latest versions, sorted by name. */
export const listLatestVersions = (executor: Executor, page: { readonly limit: number; readonly offset: number }) =>
  latest(executor).orderBy('p.name').limit(page.limit).offset(page.offset).execute();

export async function countProfiles(executor: Executor): Promise<number> {
  const { total } = await tables(executor)
    .selectFrom('approval_profile')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** Returns the specified version of a profile, or the latest one. */
export const findVersion = (
  executor: Executor,
  uuid: string,
  version: number | undefined,
): Promise<ListedVersion | undefined> => {
  const query = version === undefined ? latest(executor) : selectVersions(executor).where('v.version', '=', version);
  return query.where('p.uuid', '=', uuid).executeTakeFirst();
};

/**
 * Returns the latest version. It cannot change until the transaction ends, because edits lock the profile's row first.
 */
export async function holdLatestVersion(tx: Executor, uuid: string): Promise<ListedVersion | undefined> {
  await tables(tx).selectFrom('approval_profile').select('uuid').where('uuid', '=', uuid).forShare().execute();
  return findVersion(tx, uuid, undefined);
}

/**
 * Returns the profiles that have a version with this user, or one of these roles or groups, as an approver. Old
 * versions are included, because approvals may still use them.
 */
export const findProfilesByApprover = (
  executor: Executor,
  { userUuid, roleUuids, groupUuids }: ApproverQuery,
): Promise<Pick<ApprovalProfileRow, 'uuid' | 'name'>[]> =>
  tables(executor)
    .selectFrom('approval_profile as p')
    .innerJoin('approval_profile_version as v', 'v.approval_profile_uuid', 'p.uuid')
    .innerJoin('approval_step as s', 's.version_uuid', 'v.uuid')
    .select(['p.uuid', 'p.name'])
    .distinct()
    .where((eb) =>
      eb.or([
        eb('s.user_uuid', '=', userUuid ?? null),
        eb('s.role_uuid', '=', sql<string>`ANY(${roleUuids}::uuid[])`),
        eb('s.group_uuid', '=', sql<string>`ANY(${groupUuids}::uuid[])`),
      ]),
    )
    .orderBy('p.name')
    .execute();

interface ApproverQuery {
  readonly userUuid?: string;
  readonly roleUuids: readonly string[];
  readonly groupUuids: readonly string[];
}

/** Returns a version's steps in order. */
export const findSteps = (executor: Executor, versionUuid: string): Promise<StepRow[]> =>
  tables(executor)
    .selectFrom('approval_step')
    .selectAll()
    .where('version_uuid', '=', versionUuid)
    .orderBy('step_order')
    .execute();

export async function insertVersion(tx: Executor, version: VersionRow, steps: readonly StepRow[]): Promise<void> {
  await tables(tx).insertInto('approval_profile_version').values(version).execute();
  await tables(tx).insertInto('approval_step').values(steps).execute();
}

/** Replaces a version that is not used by any approvals. */
export async function replaceVersion(
  tx: Executor,
  uuid: string,
  changes: Pick<VersionRow, 'description' | 'expiry_hours' | 'allow_own_approval'>,
  steps: readonly StepRow[],
): Promise<void> {
  await tables(tx).updateTable('approval_profile_version').set(changes).where('uuid', '=', uuid).execute();
  await tables(tx).deleteFrom('approval_step').where('version_uuid', '=', uuid).execute();
  await tables(tx).insertInto('approval_step').values(steps).execute();
}

/** Counts the approvals that were requested with a profile, in any version or in one version. */
export async function countApprovals(
  executor: Executor,
  of: { readonly profileUuid: string } | { readonly versionUuid: string },
): Promise<number> {
  const query = tables(executor)
    .selectFrom('approval as a')
    .innerJoin('approval_profile_version as v', 'v.uuid', 'a.version_uuid')
    .select((eb) => eb.fn.countAll<number>().as('total'));
  const limited =
    'profileUuid' in of
      ? query.where('v.approval_profile_uuid', '=', of.profileUuid)
      : query.where('v.uuid', '=', of.versionUuid);
  return (await limited.executeTakeFirstOrThrow()).total;
}
