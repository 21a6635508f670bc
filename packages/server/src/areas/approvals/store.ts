// Queries for approvals and their decisions.
import { sql, type SqlBool } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { Identity } from './approval-steps.ts';
import { tables } from './store-profiles.ts';
import type { ApprovalTables, RecipientRow } from './tables.ts';

/** Approval with the profile it was requested with. */
export type ApprovalRow = Awaited<ReturnType<typeof findMany>>[number];

const numberOfSteps = sql<number>`(SELECT count(*)::int FROM approval_step s WHERE s.version_uuid = a.version_uuid)`;

/** Position of the pending step, from 1; 0 if none is pending. */
const awaitedStep = sql<number>`(SELECT count(*)::int FROM approval_recipient r
  JOIN approval_step s ON s.uuid = r.step_uuid
  JOIN approval_step upTo ON upTo.version_uuid = s.version_uuid AND upTo.step_order <= s.step_order
  WHERE r.approval_uuid = a.uuid AND r.status = 'PENDING')`;

const selectApprovals = (executor: Executor) =>
  tables(executor)
    .selectFrom('approval as a')
    .innerJoin('approval_profile_version as v', 'v.uuid', 'a.version_uuid')
    .innerJoin('approval_profile as p', 'p.uuid', 'v.approval_profile_uuid')
    .selectAll('a')
    .select(['p.uuid as profile_uuid', 'p.name as profile_name', 'v.version', 'v.description'])
    .select(['v.expiry_hours', 'v.allow_own_approval'])
    .select([numberOfSteps.as('number_of_steps'), awaitedStep.as('awaited_step')]);

export const findMany = (executor: Executor, uuids: readonly string[]) =>
  selectApprovals(executor)
    .where('a.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();

export const findOne = (executor: Executor, uuid: string): Promise<ApprovalRow | undefined> =>
  selectApprovals(executor).where('a.uuid', '=', uuid).executeTakeFirst();

/** Locks the approval: if two decisions are made concurrently, the second one sees the result of the first. */
export async function lock(tx: Executor, uuid: string): Promise<ApprovalRow | undefined> {
  await tables(tx).selectFrom('approval').select('uuid').where('uuid', '=', uuid).forUpdate().execute();
  return findOne(tx, uuid);
}

/** Returns the recipients, sorted by the time at which they were asked. */
export const findRecipients = (executor: Executor, approvalUuid: string): Promise<RecipientRow[]> =>
  tables(executor)
    .selectFrom('approval_recipient')
    .selectAll()
    .where('approval_uuid', '=', approvalUuid)
    .orderBy('uuid')
    .execute();

export const insert = async (tx: Executor, row: ApprovalTables['approval']): Promise<void> => {
  await tables(tx).insertInto('approval').values(row).execute();
};

export const insertRecipient = async (tx: Executor, row: RecipientRow): Promise<void> => {
  await tables(tx).insertInto('approval_recipient').values(row).execute();
};

export const closeRecipient = async (
  tx: Executor,
  uuid: string,
  decision: Omit<RecipientRow, 'uuid' | 'approval_uuid' | 'step_uuid' | 'created_at'>,
): Promise<void> => {
  await tables(tx).updateTable('approval_recipient').set(decision).where('uuid', '=', uuid).execute();
};

export const close = async (
  tx: Executor,
  uuid: string,
  end: Pick<ApprovalTables['approval'], 'status' | 'closed_at'>,
): Promise<void> => {
  await tables(tx).updateTable('approval').set(end).where('uuid', '=', uuid).execute();
};

/** Returns overdue approvals, oldest first. */
export async function findOverdue(executor: Executor, now: Date, limit: number): Promise<string[]> {
  const rows = await tables(executor)
    .selectFrom('approval')
    .select('uuid')
    .where('status', '=', 'PENDING')
    .where('expiry_at', '<=', now)
    .orderBy('expiry_at')
    .limit(limit)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Which approvals a list contains. */
export type ListScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'object'; readonly resource: string; readonly objectUuid: string }
  /** Approvals that await this user's decision. */
  | { readonly kind: 'awaiting'; readonly person: Identity; readonly now: Date }
  /** Approvals that this user decided on or was asked about. */
  | { readonly kind: 'history'; readonly person: Identity };

/** Returns a page of approvals, newest first, and the total number of approvals. */
export async function findPage(
  executor: Executor,
  listed: ListScope,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: ApprovalRow[]; readonly total: number }> {
  const condition = conditionOf(listed);
  // Identifiers are UUIDv7, so this orders by creation time.
  const rows = await selectApprovals(executor)
    .where(condition)
    .orderBy('a.uuid', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await tables(executor)
    .selectFrom('approval as a')
    .innerJoin('approval_profile_version as v', 'v.uuid', 'a.version_uuid')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(condition)
    .executeTakeFirstOrThrow();
  return { rows, total };
}

function conditionOf(listed: ListScope) {
  switch (listed.kind) {
    case 'all':
      return sql<SqlBool>`true`;
    case 'object':
      return sql<SqlBool>`a.resource = ${listed.resource} AND a.object_uuid = ${listed.objectUuid}`;
    case 'awaiting':
      return sql<SqlBool>`a.status = 'PENDING' AND a.expiry_at > ${listed.now}
        AND (v.allow_own_approval OR a.creator_uuid <> ${listed.person.userUuid})
        AND EXISTS (SELECT FROM approval_recipient r JOIN approval_step s ON s.uuid = r.step_uuid
          WHERE r.approval_uuid = a.uuid AND r.status = 'PENDING' AND ${approverCondition(listed.person)})
        AND NOT EXISTS (SELECT FROM approval_recipient r
          WHERE r.approval_uuid = a.uuid AND r.user_uuid = ${listed.person.userUuid})`;
    case 'history':
      return sql<SqlBool>`EXISTS (SELECT FROM approval_recipient r JOIN approval_step s ON s.uuid = r.step_uuid
        WHERE r.approval_uuid = a.uuid AND (r.user_uuid = ${listed.person.userUuid} OR ${approverCondition(listed.person)}))`;
  }
}

/** Same condition as `isAsked` in approval-steps.ts. `s` is the alias of the step table. */
const approverCondition = ({ userUuid, roleUuids, groupUuids }: Identity) => sql<SqlBool>`(s.user_uuid = ${userUuid}
  OR s.role_uuid = ANY(${roleUuids}::uuid[]) OR s.group_uuid = ANY(${groupUuids}::uuid[]))`;
