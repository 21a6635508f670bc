// The roles of a user by claims. Roles of the platform, and roles that allow everything, are given and taken by claims
// only where an administrator has said so.
import type { RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { allowingEverything, roles } from '../permissions/store-roles.ts';
import type { RoleRow } from '../tables.ts';
import { problemsOfNames } from '../users/domain.ts';
import * as users from '../users/store.ts';
import * as store from './store.ts';

export interface ClaimedRoles {
  readonly names: readonly string[];
  readonly createUnknown: boolean;
  /** May powerful roles be given and taken? */
  readonly allowPowerful: boolean;
}

export interface RoleChanges {
  readonly added: readonly RoleRow[];
  readonly removed: readonly RoleRow[];
  /** Roles that do not exist and are to be made. */
  readonly unknown: readonly string[];
}

export async function changesOfRoles(
  executor: Executor,
  userUuid: string,
  { names, createUnknown, allowPowerful }: ClaimedRoles,
): Promise<RoleChanges> {
  const [wanted, held] = [await store.rolesNamed(executor, names), await users.rolesOf(executor, userUuid)];
  const powerful = allowPowerful ? new Set<string>() : await powerfulAmong(executor, [...wanted, ...held]);
  const isChanged = (role: RoleRow, others: readonly RoleRow[]): boolean =>
    !powerful.has(role.uuid) && !others.some(({ uuid }) => uuid === role.uuid);
  return {
    added: wanted.filter((role) => isChanged(role, held)),
    removed: held.filter((role) => isChanged(role, wanted)),
    unknown: createUnknown ? names.filter((name) => isNewName(name, wanted)) : [],
  };
}

const isNewName = (name: string, known: readonly RoleRow[]): boolean =>
  problemsOfNames({ 'The name of the role': name }).length === 0 && !known.some((role) => role.name === name);

async function powerfulAmong(executor: Executor, rows: readonly RoleRow[]): Promise<Set<string>> {
  const system = rows.filter((role) => role.is_system);
  const unlimited = await allowingEverything(executor, rows.map(({ uuid }) => uuid)); // prettier-ignore
  return new Set([...system, ...unlimited].map(({ uuid }) => uuid));
}

export const changesNothing = ({ added, removed, unknown }: RoleChanges): boolean =>
  added.length + removed.length + unknown.length === 0;

/** Answers the roles that changed hands. */
export async function applyRoles(
  tx: Executor,
  userUuid: string,
  change: RoleChanges & { readonly now: Date; readonly audit: AuditTrail; readonly context: RequestContext },
): Promise<readonly RoleRow[]> {
  const made = [];
  for (const name of change.unknown) made.push(await makeRole(tx, name, change));
  const added = [...change.added, ...made];
  await users.addRoles(tx, added.map(({ uuid }) => ({ userUuid, roleUuid: uuid }))); // prettier-ignore
  for (const { uuid } of change.removed) await users.removeRole(tx, { userUuid, roleUuid: uuid });
  return [...added, ...change.removed];
}

async function makeRole(
  tx: Executor,
  name: string,
  { now, audit, context }: { readonly now: Date; readonly audit: AuditTrail; readonly context: RequestContext },
): Promise<RoleRow> {
  const facts = { description: null, email: null, is_system: false, created_at: now, updated_at: now };
  const [role] = await roles.insert(tx, { uuid: newUuid(), name, ...facts });
  await audit.append(tx, context, {
    facts: { module: 'auth', resource: 'roles', operation: 'create' },
    objects: [{ uuid: role.uuid, name }],
  });
  return role;
}
