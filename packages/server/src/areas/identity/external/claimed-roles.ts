// Roles assigned by claims. Claims assign and remove only the roles that are listed in the provider's settings.
import type { RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { roles } from '../permissions/store-roles.ts';
import type { RoleRow } from '../tables.ts';
import { problemsOfNames } from '../users/user-rules.ts';
import * as users from '../users/store.ts';
import * as store from './store.ts';

export interface ClaimedRoles {
  readonly names: readonly string[];
  readonly createUnknown: boolean;
  /** UUIDs of the roles that claims assign and remove. */
  readonly granted: readonly string[];
}

export interface RoleChanges {
  readonly added: readonly RoleRow[];
  readonly removed: readonly RoleRow[];
  /** Names of roles that do not exist yet and must be created. */
  readonly unknown: readonly string[];
}

export async function changesOfRoles(
  executor: Executor,
  userUuid: string,
  { names, createUnknown, granted }: ClaimedRoles,
): Promise<RoleChanges> {
  const [wanted, held] = [await store.findRolesByName(executor, names), await users.rolesOf(executor, userUuid)];
  const isChanged = (role: RoleRow, others: readonly RoleRow[]): boolean =>
    granted.includes(role.uuid) && !others.some(({ uuid }) => uuid === role.uuid);
  return {
    added: wanted.filter((role) => isChanged(role, held)),
    removed: held.filter((role) => isChanged(role, wanted)),
    unknown: createUnknown ? names.filter((name) => isNewName(name, wanted)) : [],
  };
}

const isNewName = (name: string, known: readonly RoleRow[]): boolean =>
  problemsOfNames({ 'The role name': name }).length === 0 && !known.some((role) => role.name === name);

export const changesNothing = ({ added, removed, unknown }: RoleChanges): boolean =>
  added.length + removed.length + unknown.length === 0;

/** Roles that were assigned or removed, and those that were created for this. */
export interface AppliedRoles {
  readonly changed: readonly RoleRow[];
  readonly made: readonly RoleRow[];
}

export async function applyRoles(
  tx: Executor,
  userUuid: string,
  change: RoleChanges & { readonly now: Date; readonly audit: AuditTrail; readonly context: RequestContext },
): Promise<AppliedRoles> {
  const made: RoleRow[] = [];
  for (const name of change.unknown) made.push(await createRole(tx, name, change));
  const added = [...change.added, ...made];
  await users.addRoles(
    tx,
    added.map(({ uuid }) => ({ userUuid, roleUuid: uuid })),
  );
  for (const { uuid } of change.removed) await users.removeRole(tx, { userUuid, roleUuid: uuid });
  return { changed: [...added, ...change.removed], made };
}

async function createRole(
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
