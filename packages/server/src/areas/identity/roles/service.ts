// Use cases for roles. System roles cannot be changed or deleted, but can be assigned to users.
import type { RoleDetailDto, RoleDto, RoleRequestDto, UserDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { rejectTakenName } from '../../../platform/objects/unique-names.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine, CustomValues } from '../../attributes/index.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { RoleRow, UserRow } from '../tables.ts';
import {
  assertMayAssignRoles,
  assertMayRemoveRoles,
  requireChangeableUser,
  type Administration,
} from '../users/administration.ts';
import { blankToNull, problemsOfDescription, problemsOfNames } from '../users/user-rules.ts';
import { problemsOfMailAddress } from '../users/mail-addresses.ts';
import { presentRole, presentUsers } from '../users/present.ts';
import * as users from '../users/store.ts';
import { roles } from '../permissions/store-roles.ts';

export type RoleService = ReturnType<typeof createRoleService>;

interface ServiceParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly values: CustomValues;
  readonly administration: Administration;
}

export function createRoleService(platform: Platform, parts: Omit<ServiceParts, 'platform' | 'values'>) {
  const service: ServiceParts = { platform, ...parts, values: parts.attributes.customValuesOf('roles') };
  return {
    list: () => list(service),
    detail: (uuid: string, context: RequestContext) => detail(service, uuid, context),
    usersOf: (uuid: string) => usersOf(service, uuid),
    create: (request: RoleRequestDto, context: RequestContext) => create(service, request, context),
    update: (uuid: string, request: RoleRequestDto, context: RequestContext) => update(service, uuid, request, context),
    remove: (uuid: string, context: RequestContext) => remove(service, uuid, context),
    replaceUsers: (uuid: string, users: RoleUsers) => replaceUsers(service, uuid, users),
    /** Returns the role, for a change to its custom attributes. */
    holder: (uuid: string, context: RequestContext) =>
      platform.database.transaction((tx) => requireChangeableRole(tx, uuid, context)),
  };
}

interface RoleUsers {
  readonly userUuids: readonly string[];
  readonly context: RequestContext;
}

const list = async ({ platform }: ServiceParts): Promise<RoleDto[]> =>
  (await roles.findAll(platform.database.executor)).map(presentRole);

async function detail(service: ServiceParts, uuid: string, context: RequestContext): Promise<RoleDetailDto> {
  const { platform, values } = service;
  return {
    ...presentRole(await roles.require(platform.database.executor, uuid)),
    users: await usersOf(service, uuid),
    customAttributes: await values.read(uuid, context),
  };
}

async function usersOf({ platform }: ServiceParts, uuid: string): Promise<UserDto[]> {
  const { database } = platform;
  await roles.require(database.executor, uuid);
  return presentUsers(database.executor, await users.findByRole(database.executor, uuid));
}

async function create(service: ServiceParts, request: RoleRequestDto, context: RequestContext): Promise<RoleDetailDto> {
  const { platform, audit, administration, values } = service;
  const name = blankToNull(request.name);
  if (name === null) throw new AppError('invalid_fields', { problems: ['name: must not be blank'] });
  const fields = validateFields(request);
  const accepted = await values.accept(request.customAttributes, context);
  const uuid = newUuid();
  const now = platform.clock.now();
  await rejectTakenName(roles, name, () =>
    administration.change(async (tx) => {
      await roles.insert(tx, { uuid, name, ...fields, is_system: false, created_at: now, updated_at: now });
      await values.write(tx, uuid, accepted);
      await audit.append(tx, context, { objects: [{ uuid, name }] });
    }),
  );
  return detail(service, uuid, context);
}

/** Replaces all fields. If the request has no name, the role keeps its current name. */
async function update(
  service: ServiceParts,
  uuid: string,
  request: RoleRequestDto,
  context: RequestContext,
): Promise<RoleDetailDto> {
  const { platform, audit, administration, values } = service;
  const fields = validateFields(request);
  const accepted = await values.accept(request.customAttributes, context, uuid);
  await rejectTakenName(roles, request.name ?? '', () =>
    administration.change(async (tx) => {
      const role = await requireChangeableRole(tx, uuid, context);
      const name = blankToNull(request.name) ?? role.name;
      await roles.update(tx, uuid, { name, ...fields, updated_at: platform.clock.now() });
      await values.write(tx, role.uuid, accepted);
      await audit.append(tx, context, { objects: [{ uuid: role.uuid, name }] });
    }),
  );
  return detail(service, uuid, context);
}

async function remove(service: ServiceParts, uuid: string, context: RequestContext): Promise<void> {
  const { audit, attributes, administration } = service;
  await administration.change(async (tx) => {
    const role = await requireChangeableRole(tx, uuid, context);
    await assertMayRemoveRoles(tx, [role], context);
    await attributes.removeObjects(tx, 'roles', [role.uuid]);
    await roles.removeMany(tx, [uuid]);
    await audit.append(tx, context, { objects: [role] });
  });
}

/** Replaces the users of the role; the platform's own users are not affected. */
async function replaceUsers(
  service: ServiceParts,
  uuid: string,
  { userUuids, context }: RoleUsers,
): Promise<RoleDetailDto> {
  const { audit, administration } = service;
  await administration.change(async (tx) => {
    const role = await roles.require(tx, uuid);
    const { added, removed } = await changesOfUsers(tx, { role, userUuids }, context);
    const changed = [...added, ...removed];
    if (changed.length === 0) return;
    await assertMayAssignRoles(tx, [role], context);
    if (removed.length > 0) await assertMayRemoveRoles(tx, [role], context);
    if (added.length > 0)
      await administration.assertPrivilegesHeld(tx, { roleUuids: [role.uuid], groupUuids: [] }, context);
    await users.addRoles(
      tx,
      added.map((user) => ({ userUuid: user.uuid, roleUuid: role.uuid })),
    );
    for (const user of removed) await users.removeRole(tx, { userUuid: user.uuid, roleUuid: role.uuid });
    await audit.append(tx, context, {
      objects: [role],
      affiliated: { resource: 'users', objects: changed.map((user) => ({ uuid: user.uuid, name: user.username })) },
    });
  });
  return detail(service, uuid, context);
}

/** Returns the users who gain and who lose the role; rejects users that cannot be changed. */
async function changesOfUsers(
  tx: Executor,
  { role, userUuids }: { readonly role: RoleRow; readonly userUuids: readonly string[] },
  context: RequestContext,
): Promise<{ readonly added: readonly UserRow[]; readonly removed: readonly UserRow[] }> {
  const wanted = new Set(userUuids.map((uuid) => uuid.toLowerCase()));
  const holders = await users.findByRole(tx, role.uuid);
  const held = new Set(holders.map(({ uuid }) => uuid));
  const added: UserRow[] = [];
  for (const uuid of wanted) if (!held.has(uuid)) added.push(await requireChangeableUser(tx, uuid, context));
  const removed = holders.filter((user) => !user.is_system && !wanted.has(user.uuid));
  for (const { uuid } of removed) await requireChangeableUser(tx, uuid, context);
  return { added, removed };
}

/**
 * Returns the role if the caller can change it, meaning that it is not a system role and has no permissions that the
 * caller lacks.
 */
export async function requireChangeableRole(tx: Executor, uuid: string, context: RequestContext): Promise<RoleRow> {
  const role = await roles.require(tx, uuid);
  if (role.is_system) throw rejected(`Role ${role.name} belongs to the platform and cannot be changed.`);
  await assertMayAssignRoles(tx, [role], context);
  return role;
}

/** Returns the fields other than the name that a request can set, one by one. */
function validateFields(request: RoleRequestDto): Pick<RoleRow, 'description' | 'email'> {
  const fields = { description: blankToNull(request.description), email: blankToNull(request.email?.trim()) };
  const problems = [
    ...problemsOfNames({ 'The name': request.name }),
    ...problemsOfMailAddress(fields.email),
    ...problemsOfDescription(fields.description),
  ];
  if (problems.length > 0) throw rejected(...problems);
  return fields;
}
