// Use cases of users. Every change and its audit record are one transaction, guarded by the administration.
import type {
  AddUserRequestDto,
  SubjectPermissionsDto,
  UpdateUserRequestDto,
  UserDetailDto,
  UserDto,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { isAllowed } from '../../../kernel/actor.ts';
import { AppError, notFound, rejected } from '../../../kernel/errors.ts';
import { isUuid, newUuid } from '../../../kernel/ids.ts';
import { isUniqueViolation } from '../../../platform/database/database-errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { refuseCustomAttributes } from '../../attributes/index.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { findGroups, replaceMemberships } from '../../groups/index.ts';
import { requirePermission } from '../permissions/require-permission.ts';
import { describePermissions } from '../permissions/describe.ts';
import { mergePermissions } from '../permissions/domain.ts';
import type { PermissionObjects } from '../permissions/objects.ts';
import * as permissions from '../permissions/store.ts';
import type { UserCertificates } from '../ports.ts';
import type { UserRow } from '../tables.ts';
import { changeableUser, type Administration } from './administration.ts';
import { filled, problemsOfDescription, problemsOfNames } from './domain.ts';
import { presentUserDetail, presentUsers } from './present.ts';
import * as store from './store.ts';
import { chooseCertificate, noCertificate } from './user-certificate.ts';

export type UserService = ReturnType<typeof createUserService>;

export interface UserServiceParts {
  readonly audit: AuditTrail;
  readonly administration: Administration;
  readonly userCertificates: () => UserCertificates;
  readonly objects: PermissionObjects;
  /** Ends the sessions of a user, and the links that would begin one. */
  readonly endSignIns: (tx: Executor, userUuid: string) => Promise<void>;
}

export function createUserService(platform: Platform, parts: UserServiceParts) {
  const { database, clock } = platform;
  const { audit, administration, userCertificates } = parts;
  const certificateFacts = (context: RequestContext, current = noCertificate) => ({
    certificates: userCertificates,
    context,
    now: clock.now(),
    current,
  });

  const list = async (): Promise<UserDto[]> => presentUsers(database.executor, await store.findAll(database.executor));

  const detail = async (uuid: string): Promise<UserDetailDto> =>
    presentUserDetail(database.executor, await existing(uuid));

  async function permissionsOf(uuid: string): Promise<SubjectPermissionsDto> {
    await existing(uuid);
    const { rows, objectRows } = await permissions.ofUser(database.executor, uuid);
    return describePermissions(database.executor, mergePermissions(rows, objectRows), { objects: parts.objects });
  }

  async function existing(uuid: string): Promise<UserRow> {
    const row = await store.findOne(database.executor, uuid);
    if (!row) throw notFound('User', uuid);
    return row;
  }

  async function create(request: AddUserRequestDto, context: RequestContext): Promise<UserDetailDto> {
    const row = await refusingTaken(request.username, () =>
      administration.change(async (tx) => {
        const user = await insertUser(tx, request, context);
        await audit.append(tx, context, { objects: [{ uuid: user.uuid, name: user.username }] });
        return user;
      }),
    );
    return detail(row.uuid);
  }

  /** Inserts a user as the request describes it; the caller records the change. */
  async function insertUser(tx: Executor, request: AddUserRequestDto, context: RequestContext): Promise<UserRow> {
    refuseCustomAttributes(request.customAttributes);
    const person = personOf(request);
    assertSound({ ...person, username: request.username });
    const certificate = await chooseCertificate(tx, request, certificateFacts(context));
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
    await replaceGroups(tx, row.uuid, request.groupUuids ?? []);
    return row;
  }

  /** Full replacement: who is updated without a certificate has none afterwards. Absent groups stay. */
  async function update(uuid: string, request: UpdateUserRequestDto, context: RequestContext): Promise<UserDetailDto> {
    refuseCustomAttributes(request.customAttributes);
    await refusingTaken(undefined, () =>
      administration.change(async (tx) => {
        const user = await changeableUser(tx, uuid, context);
        const certificate = await chooseCertificate(tx, request, certificateFacts(context, user));
        await applyUpdate(tx, { user, request, binding: certificate ?? noCertificate }, context);
        if (request.groupUuids) await replaceGroups(tx, uuid, request.groupUuids);
      }),
    );
    return detail(uuid);
  }

  /** A user's own profile: the certificate stays when none is given; groups are not the user's own to change. */
  async function updateOwn(request: UpdateUserRequestDto, context: RequestContext): Promise<UserDetailDto> {
    const uuid = ownUuid(context);
    await refusingTaken(undefined, () =>
      administration.change(async (tx) => {
        const user = await changeableUser(tx, uuid, context);
        const certificate = await chooseCertificate(tx, request, certificateFacts(context, user));
        await applyUpdate(tx, { user, request, binding: certificate ?? user }, context);
        const mayGroup = isAllowed(context.actor.permissions, 'users', 'update');
        if (request.groupUuids && mayGroup) {
          const objects = request.groupUuids.filter(isUuid);
          if (objects.length > 0) requirePermission(context, { resource: 'groups', action: 'detail', objects });
          await replaceGroups(tx, uuid, request.groupUuids);
        }
      }),
    );
    return detail(uuid);
  }

  async function applyUpdate(
    tx: Executor,
    change: { user: UserRow; request: UpdateUserRequestDto; binding: typeof noCertificate },
    context: RequestContext,
  ): Promise<void> {
    const { user, request, binding } = change;
    const person = personOf(request);
    assertSound(person);
    const { certificate_uuid, certificate_fingerprint } = binding;
    await store.update(tx, user.uuid, {
      ...person,
      certificate_uuid,
      certificate_fingerprint,
      updated_at: clock.now(),
    });
    await audit.append(tx, context, { objects: [{ uuid: user.uuid, name: user.username }] });
  }

  async function remove(uuid: string, context: RequestContext): Promise<void> {
    await administration.change(async (tx) => {
      const user = await changeableUser(tx, uuid, context);
      if (user.uuid === context.actor.userUuid)
        throw rejected('You cannot delete yourself; another administrator can.');
      await replaceMemberships(tx, { resource: 'users', uuid }, []);
      await store.remove(tx, uuid);
      await audit.append(tx, context, { objects: [{ uuid, name: user.username }] });
    });
  }

  /** Disabling ends every session at once; access tokens count again when the user is enabled again. */
  async function setEnabled(
    uuid: string,
    change: { readonly enabled: boolean; readonly context: RequestContext },
  ): Promise<UserDetailDto> {
    const { enabled, context } = change;
    await administration.change(async (tx) => {
      const user = await changeableUser(tx, uuid, context);
      if (!enabled && user.uuid === context.actor.userUuid)
        throw rejected('You cannot disable yourself; another administrator can.');
      if (user.enabled === enabled) return;
      await store.update(tx, uuid, { enabled, updated_at: clock.now() });
      if (!enabled) await parts.endSignIns(tx, uuid);
      await audit.append(tx, context, { objects: [{ uuid, name: user.username }] });
    });
    return detail(uuid);
  }

  return { list, detail, permissionsOf, create, insertUser, update, updateOwn, remove, setEnabled };
}

/** The fields that a request may set, one by one: nothing else of a body reaches a row. */
const personOf = (request: Pick<AddUserRequestDto, 'firstName' | 'lastName' | 'email' | 'description'>) => ({
  first_name: filled(request.firstName),
  last_name: filled(request.lastName),
  email: filled(request.email),
  description: filled(request.description),
});

function assertSound(person: ReturnType<typeof personOf> & { readonly username?: string }): void {
  const problems = [
    ...problemsOfNames({
      'The username': person.username,
      'The first name': person.first_name,
      'The last name': person.last_name,
      'The e-mail address': person.email,
    }),
    ...problemsOfDescription(person.description),
  ];
  if (problems.length > 0) throw rejected(...problems);
}

async function replaceGroups(tx: Executor, userUuid: string, groupUuids: readonly string[]): Promise<void> {
  const wanted = [...new Set(groupUuids.filter((uuid) => uuid !== ''))];
  const malformed = wanted.find((uuid) => !isUuid(uuid));
  if (malformed !== undefined) throw rejected('groupUuids holds something that is not a UUID.');
  const found = new Set(wanted.length === 0 ? [] : (await findGroups(tx, wanted)).map(({ uuid }) => uuid));
  const missing = wanted.find((uuid) => !found.has(uuid.toLowerCase()));
  if (missing !== undefined) throw notFound('Group', missing);
  await replaceMemberships(tx, { resource: 'users', uuid: userUuid }, [...found]);
}

function ownUuid(context: RequestContext): string {
  if (context.actor.userUuid === null) throw new AppError('unauthenticated', { reason: 'only a user has a profile' });
  return context.actor.userUuid;
}

/** The unique keys decide, not a look before: two callers may choose the same at once. */
export async function refusingTaken<Result>(
  username: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'platform_user_username_key')) {
      throw new AppError('already_exists', { what: 'User', name: username ?? '' }, { cause: error });
    }
    if (
      isUniqueViolation(error, 'platform_user_certificate_uuid_key') ||
      isUniqueViolation(error, 'platform_user_certificate_fingerprint_key')
    ) {
      throw new AppError(
        'rejected_by_rules',
        { problems: ['The certificate belongs to another user already.'] },
        { cause: error },
      );
    }
    throw error;
  }
}
