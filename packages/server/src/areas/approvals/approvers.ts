// Approvers: the users asked by a step, a caller's roles and groups, and the names of all of these.
import type { Executor } from '../../platform/database/database.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import { findGroups, findMembers, findMemberships } from '../groups/index.ts';
import type { IdentityArea } from '../identity/index.ts';
import { approverOf, type Approver, type Identity } from './approval-steps.ts';
import type { StepRow } from './tables.ts';

/** Identity functions that approvals need. */
export type Users = Pick<IdentityArea, 'findUsernames' | 'findActiveUsers' | 'findRoleNames' | 'rolesOf'>;

/** Returns a caller's identity; undefined if the caller is not a user, e.g. the platform itself. */
export async function identityOf(
  executor: Executor,
  users: Users,
  { actor }: RequestContext,
): Promise<Identity | undefined> {
  const { userUuid } = actor;
  if (userUuid === null) return undefined;
  const groups = await findMemberships(executor, 'users', [userUuid]);
  return {
    userUuid,
    roleUuids: await users.rolesOf(executor, userUuid),
    groupUuids: groups.map(({ uuid }) => uuid),
  };
}

/** Returns the enabled users that a step asks. */
async function decidersOf(executor: Executor, users: Users, { type, uuid }: Approver): Promise<readonly string[]> {
  if (type === 'role') return users.findActiveUsers(executor, { roleUuid: uuid });
  const userUuids = type === 'user' ? [uuid] : await findMembers(executor, 'users', uuid);
  return users.findActiveUsers(executor, { userUuids });
}

/**
 * Rejects approvals that nobody could decide, because a step's user is deleted or disabled, or its role or group has
 * too few enabled users. The requester does not count unless they are allowed to approve their own request.
 */
export async function assertDecidable(
  executor: Executor,
  users: Users,
  wanted: {
    readonly profileName: string;
    readonly steps: readonly StepRow[];
    readonly creatorUuid: string;
    readonly allowOwn: boolean;
  },
): Promise<void> {
  const problems: string[] = [];
  for (const step of wanted.steps) {
    const approver = approverOf(step);
    const deciders = await decidersOf(executor, users, approver);
    const others = deciders.filter((uuid) => wanted.allowOwn || uuid !== wanted.creatorUuid);
    if (others.length >= step.required_approvals) continue;
    const isRequesterMissed = others.length < deciders.length;
    const own = isRequesterMissed ? ', not counting the requester' : '';
    const remedy = isRequesterMissed ? ', or set allowOwnApproval in the profile to let requesters decide' : '';
    const members = approver.type === 'user' ? '' : ` in its ${approver.type}`;
    problems.push(
      `approval profile ${wanted.profileName}: step ${step.step_order} requires ${step.required_approvals} enabled ` +
        `${step.required_approvals === 1 ? 'user' : 'users'}${members} but has ${others.length}${own}; ` +
        `edit the step or its ${approver.type}${remedy}`,
    );
  }
  if (problems.length > 0) throw rejected(...problems);
}

export interface Names {
  readonly users: ReadonlyMap<string, string>;
  readonly roles: ReadonlyMap<string, string>;
  readonly groups: ReadonlyMap<string, string>;
}

/** Returns the names of the approvers in these steps. Deleted approvers have no name. */
export async function namesOf(executor: Executor, users: Users, steps: readonly StepRow[]): Promise<Names> {
  const uuidsIn = (column: 'user_uuid' | 'role_uuid' | 'group_uuid'): string[] =>
    steps.flatMap((step) => step[column] ?? []);
  const [found, roles, groups] = await Promise.all([
    users.findUsernames(executor, uuidsIn('user_uuid')),
    users.findRoleNames(executor, uuidsIn('role_uuid')),
    findGroups(executor, uuidsIn('group_uuid')),
  ]);
  return {
    users: new Map(found.map(({ uuid, username }) => [uuid, username])),
    roles: new Map(roles.map(({ uuid, name }) => [uuid, name])),
    groups: new Map(groups.map(({ uuid, name }) => [uuid, name])),
  };
}

/** Rejects steps that refer to nonexistent users, roles or groups. */
export async function assertKnown(executor: Executor, users: Users, steps: readonly StepRow[]): Promise<void> {
  const names = await namesOf(executor, users, steps);
  const known = { user: names.users, role: names.roles, group: names.groups };
  const problems = steps.flatMap((step) => {
    const { type, uuid } = approverOf(step);
    return known[type].has(uuid) ? [] : [`step ${step.step_order}: ${type} ${uuid} does not exist`];
  });
  if (problems.length > 0) throw rejected(...problems);
}
