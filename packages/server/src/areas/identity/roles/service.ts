// Use cases of roles. System roles cannot be changed or deleted, but users can be given them.
import type { RoleDetailDto, RoleDto, RoleRequestDto, UserDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { refusingTaken } from '../../../platform/objects/taken-names.ts';
import type { Platform } from '../../../platform/platform.ts';
import { refuseCustomAttributes } from '../../attributes/index.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { RoleRow, UserRow } from '../tables.ts';
import { assertMayHandOut, changeableUser, type Administration } from '../users/administration.ts';
import { filled, problemsOfDescription, problemsOfNames } from '../users/domain.ts';
import { presentRole, presentUsers } from '../users/present.ts';
import * as users from '../users/store.ts';
import { roles } from '../permissions/store-roles.ts';

export type RoleService = ReturnType<typeof createRoleService>;

export function createRoleService(
  platform: Platform,
  parts: { readonly audit: AuditTrail; readonly administration: Administration },
) {
  const { database, clock } = platform;
  const { audit, administration } = parts;

  const list = async (): Promise<RoleDto[]> => (await roles.findAll(database.executor)).map(presentRole);

  async function detail(uuid: string): Promise<RoleDetailDto> {
    return { ...presentRole(await roles.require(database.executor, uuid)), users: await usersOf(uuid) };
  }

  async function usersOf(uuid: string): Promise<UserDto[]> {
    await roles.require(database.executor, uuid);
    return presentUsers(database.executor, await users.ofRole(database.executor, uuid));
  }

  async function create(request: RoleRequestDto, context: RequestContext): Promise<RoleDetailDto> {
    const name = filled(request.name);
    if (name === null) throw new AppError('invalid_fields', { problems: ['name: must not be blank'] });
    const fields = soundFields(request);
    const uuid = newUuid();
    const now = clock.now();
    await refusingTaken(roles, name, () =>
      administration.change(async (tx) => {
        await roles.insert(tx, { uuid, name, ...fields, is_system: false, created_at: now, updated_at: now });
        await audit.append(tx, context, { objects: [{ uuid, name }] });
      }),
    );
    return detail(uuid);
  }

  /** Full replacement, except that a role always keeps a name. */
  async function update(uuid: string, request: RoleRequestDto, context: RequestContext): Promise<RoleDetailDto> {
    const fields = soundFields(request);
    await refusingTaken(roles, request.name ?? '', () =>
      administration.change(async (tx) => {
        const role = await changeableRole(tx, uuid, context);
        const name = filled(request.name) ?? role.name;
        await roles.update(tx, uuid, { name, ...fields, updated_at: clock.now() });
        await audit.append(tx, context, { objects: [{ uuid: role.uuid, name }] });
      }),
    );
    return detail(uuid);
  }

  async function remove(uuid: string, context: RequestContext): Promise<void> {
    await administration.change(async (tx) => {
      const role = await changeableRole(tx, uuid, context);
      await roles.removeMany(tx, [uuid]);
      await audit.append(tx, context, { objects: [role] });
    });
  }

  /** Makes the users of the role exactly these; the platform's own users stay where they are. */
  async function replaceUsers(
    uuid: string,
    { userUuids, context }: { readonly userUuids: readonly string[]; readonly context: RequestContext },
  ): Promise<RoleDetailDto> {
    await administration.change(async (tx) => {
      const role = await roles.require(tx, uuid);
      const { added, removed } = await changesOfUsers(tx, { role, userUuids }, context);
      const changed = [...added, ...removed];
      if (changed.length === 0) return;
      await assertMayHandOut(tx, [role.uuid], context);
      await users.addRoles(tx, added.map((user) => ({ userUuid: user.uuid, roleUuid: role.uuid }))); // prettier-ignore
      for (const user of removed) await users.removeRole(tx, { userUuid: user.uuid, roleUuid: role.uuid });
      await audit.append(tx, context, {
        objects: [role],
        affiliated: { resource: 'users', objects: changed.map((user) => ({ uuid: user.uuid, name: user.username })) },
      });
    });
    return detail(uuid);
  }

  return { list, detail, usersOf, create, update, remove, replaceUsers };
}

/** Whom the role is given to and taken from, so that its users are these; refuses who cannot be changed. */
async function changesOfUsers(
  tx: Executor,
  { role, userUuids }: { readonly role: RoleRow; readonly userUuids: readonly string[] },
  context: RequestContext,
): Promise<{ readonly added: readonly UserRow[]; readonly removed: readonly UserRow[] }> {
  const wanted = new Set(userUuids.map((uuid) => uuid.toLowerCase()));
  const holders = await users.ofRole(tx, role.uuid);
  const held = new Set(holders.map(({ uuid }) => uuid));
  const added: UserRow[] = [];
  for (const uuid of wanted) if (!held.has(uuid)) added.push(await changeableUser(tx, uuid, context));
  const removed = holders.filter((user) => !user.is_system && !wanted.has(user.uuid));
  for (const { uuid } of removed) await changeableUser(tx, uuid, context);
  return { added, removed };
}

/** The role, if the caller may change it: not one of the platform's own, and not above the caller. */
export async function changeableRole(tx: Executor, uuid: string, context: RequestContext): Promise<RoleRow> {
  const role = await roles.require(tx, uuid);
  if (role.is_system) throw rejected(`Role ${role.name} belongs to the platform and cannot be changed.`);
  await assertMayHandOut(tx, [role.uuid], context);
  return role;
}

/** The fields that a request may set besides the name, one by one. */
function soundFields(request: RoleRequestDto): Pick<RoleRow, 'description' | 'email'> {
  refuseCustomAttributes(request.customAttributes);
  const fields = { description: filled(request.description), email: filled(request.email) };
  const problems = [
    ...problemsOfNames({ 'The name': request.name, 'The e-mail address': fields.email }),
    ...problemsOfDescription(fields.description),
  ];
  if (problems.length > 0) throw rejected(...problems);
  return fields;
}
