// Use cases for users. Each change and its audit record share a transaction, guarded by the administration.
import type {
  AddUserRequestDto,
  EffectivePermissionsDto,
  SubjectPermissionsDto,
  UpdateUserRequestDto,
  UserDetailDto,
  UserDto,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { isAllowed } from '../../../kernel/actor.ts';
import { isAccessibleBy } from '../../../kernel/belonging.ts';
import { AppError, notFound, rejected } from '../../../kernel/errors.ts';
import { isUuid, newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AcceptedCustomValues, AttributeEngine, CustomValues } from '../../attributes/index.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { replaceMemberships } from '../../groups/index.ts';
import { requirePermission } from '../permissions/require-permission.ts';
import { describeEffective, describePermissions } from '../permissions/describe.ts';
import { mergePermissions } from '../permissions/permission-rows.ts';
import type { PermissionObjects } from '../permissions/objects.ts';
import * as permissions from '../permissions/store.ts';
import type { UserCertificates } from '../ports.ts';
import type { UserRow } from '../tables.ts';
import { requireChangeableUser, type Administration } from './administration.ts';
import { presentUserDetail, presentUsers } from './present.ts';
import { replaceGroups, validatePerson } from './requested-user.ts';
import * as store from './store.ts';
import { rejectTakenNames } from './taken-names.ts';
import { listUserAccess } from './user-access.ts';
import { chooseCertificate, noCertificate, type ChoiceFacts } from './user-certificate.ts';

export type UserService = ReturnType<typeof createUserService>;

export interface UserServiceParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly administration: Administration;
  readonly userCertificates: () => UserCertificates;
  readonly objects: PermissionObjects;
  /** Ends a user's sessions and deletes the links that could open one. */
  readonly endSignIns: (tx: Executor, userUuid: string) => Promise<void>;
}

interface ServiceParts extends UserServiceParts {
  readonly platform: Platform;
  readonly values: CustomValues;
}

export function createUserService(platform: Platform, parts: UserServiceParts) {
  const service: ServiceParts = { platform, ...parts, values: parts.attributes.customValuesOf('users') };
  return {
    list: (context: RequestContext) => list(service, context),
    listAccess: (context: RequestContext) => listUserAccess(platform, context),
    detail: (uuid: string, context: RequestContext) => detail(service, uuid, context),
    permissionsOf: (uuid: string) => permissionsOf(service, uuid),
    effectivePermissionsOf: (uuid: string) => effectivePermissionsOf(service, uuid),
    create: (request: AddUserRequestDto, context: RequestContext) => create(service, request, context),
    /**
     * Validates a request for a new user. It uses a separate connection and must be called before the transaction
     * begins.
     */
    prepare: (request: AddUserRequestDto, context: RequestContext) => prepare(service, request, context),
    /** Inserts a user as requested; the caller records the change. */
    insertUser: (tx: Executor, prepared: PreparedUser, context: RequestContext) =>
      insertUser(service, tx, prepared, context),
    update: (uuid: string, request: UpdateUserRequestDto, context: RequestContext) =>
      update(service, uuid, request, context),
    updateOwn: (request: UpdateUserRequestDto, context: RequestContext) => updateOwn(service, request, context),
    remove: (uuid: string, context: RequestContext) => remove(service, uuid, context),
    /** Returns the user, for a change to its custom attributes. */
    holder: (uuid: string, context: RequestContext) =>
      platform.database.transaction(async (tx) => {
        const user = await requireChangeableUser(tx, uuid, context);
        return { uuid: user.uuid, name: user.username };
      }),
    setEnabled: (uuid: string, change: { readonly enabled: boolean; readonly context: RequestContext }) =>
      setEnabled(service, uuid, change),
  };
}

/** Returns all users, or those in groups that the caller is a member of. */
async function list({ platform }: ServiceParts, { actor }: RequestContext): Promise<UserDto[]> {
  const { executor } = platform.database;
  const shown = await presentUsers(executor, await store.findAll(executor));
  if (isAllowed(actor.permissions, 'users', 'list')) return shown;
  return shown.filter(({ groups }) =>
    isAccessibleBy(actor, 'list', { ownerUuid: null, groupUuids: groups.map(({ uuid }) => uuid) }),
  );
}

async function detail(
  { platform, values }: ServiceParts,
  uuid: string,
  context: RequestContext,
): Promise<UserDetailDto> {
  const { executor } = platform.database;
  const user = await presentUserDetail(executor, await requireUser(executor, uuid));
  return { ...user, customAttributes: await values.read(user.uuid, context) };
}

async function permissionsOf({ platform, objects }: ServiceParts, uuid: string): Promise<SubjectPermissionsDto> {
  const { executor } = platform.database;
  await requireUser(executor, uuid);
  const { rows, objectRows } = await permissions.findByUser(executor, uuid);
  return describePermissions(executor, mergePermissions(rows, objectRows), { objects });
}

async function effectivePermissionsOf(
  { platform, objects }: ServiceParts,
  uuid: string,
): Promise<EffectivePermissionsDto> {
  const { executor } = platform.database;
  await requireUser(executor, uuid);
  return describeEffective(executor, await store.rolesOf(executor, uuid), objects);
}

async function create(
  service: ServiceParts,
  request: AddUserRequestDto,
  context: RequestContext,
): Promise<UserDetailDto> {
  const { audit, administration } = service;
  const prepared = await prepare(service, request, context);
  const row = await rejectTakenNames(request.username, () =>
    administration.change(async (tx) => {
      const user = await insertUser(service, tx, prepared, context);
      await audit.append(tx, context, { objects: [{ uuid: user.uuid, name: user.username }] });
      return user;
    }),
  );
  return detail(service, row.uuid, context);
}

/** Request for a new user, with validated custom attributes. */
export interface PreparedUser {
  readonly request: AddUserRequestDto;
  readonly customValues: AcceptedCustomValues;
}

async function prepare(
  { values }: ServiceParts,
  request: AddUserRequestDto,
  context: RequestContext,
): Promise<PreparedUser> {
  return { request, customValues: await values.accept(request.customAttributes, context) };
}

async function insertUser(
  service: ServiceParts,
  tx: Executor,
  { request, customValues }: PreparedUser,
  context: RequestContext,
): Promise<UserRow> {
  const { clock } = service.platform;
  const person = validatePerson(request, request.username);
  const certificate = await chooseCertificate(tx, request, certificateFacts(service, context));
  const now = clock.now();
  const row: UserRow = {
    uuid: newUuid(),
    username: request.username,
    ...person,
    enabled: request.enabled ?? true,
    is_system: false,
    ...(certificate ?? noCertificate),
    created_at: now,
    updated_at: now,
  };
  await store.insert(tx, row);
  await service.values.write(tx, row.uuid, customValues);
  await replaceUserGroups(service, tx, { uuid: row.uuid, groupUuids: request.groupUuids ?? [] }, context);
  return row;
}

/**
 * Replaces all fields. A user who is updated without a certificate no longer has one. Groups are kept if none are
 * specified.
 */
async function update(
  service: ServiceParts,
  uuid: string,
  request: UpdateUserRequestDto,
  context: RequestContext,
): Promise<UserDetailDto> {
  const { administration, values } = service;
  const accepted = await values.accept(request.customAttributes, context, uuid);
  await rejectTakenNames(undefined, () =>
    administration.change(async (tx) => {
      const user = await requireChangeableUser(tx, uuid, context);
      const certificate = await chooseCertificate(tx, request, certificateFacts(service, context, user));
      if (certificate && certificate.certificate_uuid !== user.certificate_uuid)
        await administration.accessibleUser(tx, uuid, context);
      await applyUpdate(service, tx, { user, request, binding: certificate ?? noCertificate }, context);
      if (request.groupUuids) await replaceUserGroups(service, tx, { uuid, groupUuids: request.groupUuids }, context);
      await values.write(tx, user.uuid, accepted);
    }),
  );
  return detail(service, uuid, context);
}

/**
 * Updates the caller's own profile. The certificate is kept if none is specified. Changing groups requires permission
 * to update users.
 */
async function updateOwn(
  service: ServiceParts,
  request: UpdateUserRequestDto,
  context: RequestContext,
): Promise<UserDetailDto> {
  const { administration } = service;
  const uuid = ownUuid(context);
  await rejectTakenNames(undefined, () =>
    administration.change(async (tx) => {
      const user = await requireChangeableUser(tx, uuid, context);
      const certificate = await chooseCertificate(tx, request, certificateFacts(service, context, user));
      await applyUpdate(service, tx, { user, request, binding: certificate ?? user }, context);
      const mayGroup = isAllowed(context.actor.permissions, 'users', 'update');
      if (request.groupUuids && mayGroup) {
        const objects = request.groupUuids.filter(isUuid);
        if (objects.length > 0) requirePermission(context, { resource: 'groups', action: 'detail', objects });
        await replaceUserGroups(service, tx, { uuid, groupUuids: request.groupUuids }, context);
      }
    }),
  );
  return detail(service, uuid, context);
}

/** Replaces the user's groups. A user who joins a group gains the powers of its members. */
async function replaceUserGroups(
  { administration }: ServiceParts,
  tx: Executor,
  { uuid, groupUuids }: { readonly uuid: string; readonly groupUuids: readonly string[] },
  context: RequestContext,
): Promise<void> {
  const joined = await replaceGroups(tx, uuid, groupUuids);
  if (joined.length > 0) await administration.assertPrivilegesHeld(tx, { roleUuids: [], groupUuids: joined }, context);
}

async function applyUpdate(
  service: ServiceParts,
  tx: Executor,
  change: { user: UserRow; request: UpdateUserRequestDto; binding: typeof noCertificate },
  context: RequestContext,
): Promise<void> {
  const { clock } = service.platform;
  const { audit } = service;
  const { user, request, binding } = change;
  const person = validatePerson(request);
  const { certificate_uuid, certificate_fingerprint } = binding;
  await store.update(tx, user.uuid, {
    ...person,
    certificate_uuid,
    certificate_fingerprint,
    updated_at: clock.now(),
  });
  await audit.append(tx, context, { objects: [{ uuid: user.uuid, name: user.username }] });
}

async function remove(service: ServiceParts, uuid: string, context: RequestContext): Promise<void> {
  const { audit, administration, attributes } = service;
  await administration.change(async (tx) => {
    const user = await requireChangeableUser(tx, uuid, context);
    if (user.uuid === context.actor.userUuid)
      throw rejected('You cannot delete your own user. Ask another administrator to do it.');
    await replaceMemberships(tx, { resource: 'users', uuid }, []);
    await attributes.removeObjects(tx, 'users', [user.uuid]);
    await service.endSignIns(tx, uuid);
    await store.remove(tx, uuid);
    await audit.append(tx, context, { objects: [{ uuid, name: user.username }] });
  });
}

/** Disabling a user ends all sessions immediately; access tokens work again when the user is enabled. */
async function setEnabled(
  service: ServiceParts,
  uuid: string,
  change: { readonly enabled: boolean; readonly context: RequestContext },
): Promise<UserDetailDto> {
  const { clock } = service.platform;
  const { audit, administration } = service;
  const { enabled, context } = change;
  await administration.change(async (tx) => {
    const user = await requireChangeableUser(tx, uuid, context);
    if (!enabled && user.uuid === context.actor.userUuid)
      throw rejected('You cannot disable your own user. Ask another administrator to do it.');
    if (user.enabled === enabled) return;
    await store.update(tx, uuid, { enabled, updated_at: clock.now() });
    if (!enabled) await service.endSignIns(tx, uuid);
    await audit.append(tx, context, { objects: [{ uuid, name: user.username }] });
  });
  return detail(service, uuid, context);
}

async function requireUser(executor: Executor, uuid: string): Promise<UserRow> {
  const row = await store.findOne(executor, uuid);
  if (!row) throw notFound('User', uuid);
  return row;
}

const certificateFacts = (
  { platform, userCertificates }: ServiceParts,
  context: RequestContext,
  current = noCertificate,
): ChoiceFacts => ({ certificates: userCertificates, context, now: platform.clock.now(), current });

function ownUuid(context: RequestContext): string {
  if (context.actor.userUuid === null) throw new AppError('unauthenticated', { reason: 'only users have a profile' });
  return context.actor.userUuid;
}
