// Use cases of notification profiles. Versions are immutable; a change creates a new version.
import {
  hoursInDuration,
  type NameAndUuidDto,
  type NotificationProfileDetailDto,
  type NotificationProfileRequestDto,
  type NotificationProfileResponseDto,
  type NotificationProfileUpdateRequestDto,
} from '@signetry/contract';
import { isAllowed, type RequestContext } from '../../../kernel/actor.ts';
import { requireFound, notFound, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { pageFacts, pageOffset, readPage, type PageRequest } from '../../../kernel/page.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { rejectTakenName } from '../../../platform/objects/unique-names.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { findGroupNames } from '../../groups/index.ts';
import * as store from '../store.ts';
import type { NotificationProfileUse, Users } from '../ports.ts';
import { instances, profiles, type ShownProfile } from '../store.ts';
import type { ProfileRow, VersionRow } from '../tables.ts';
import { isNamed, isSameVersion, problemsOfProfile, type NamedType, type VersionedFields } from './profile-rules.ts';
import { presentProfile, presentProfileDetail } from './present.ts';

export interface ProfileServiceParts {
  readonly audit: AuditTrail;
  readonly users: Users;
  readonly uses: readonly NotificationProfileUse[];
}

export type ProfileService = ReturnType<typeof createProfileService>;

export function createProfileService(platform: Platform, parts: ProfileServiceParts) {
  const { database, clock } = platform;
  const { executor } = database;
  const { audit, users, uses } = parts;

  async function list(asked: PageRequest): Promise<NotificationProfileResponseDto> {
    const page = readPage(asked);
    const query = { limit: page.itemsPerPage, offset: pageOffset(page) };
    const { items, total } = await store.findProfilePage(executor, query);
    return { ...pageFacts(page, total), notificationProfiles: items.map(presentProfile) };
  }

  async function shown(row: ShownProfile): Promise<NotificationProfileDetailDto> {
    return presentProfileDetail(row, await namedRecipients(executor, users, row));
  }

  async function detail(uuid: string, version?: number): Promise<NotificationProfileDetailDto> {
    const { name } = await profiles.require(executor, uuid);
    const row = await store.findVersion(executor, uuid, version);
    if (!row) throw notFound('Version of notification profile', `${name} ${version}`);
    return shown(row);
  }

  async function create(
    request: NotificationProfileRequestDto,
    context: RequestContext,
  ): Promise<NotificationProfileDetailDto> {
    assertValid(request);
    const { name } = request;
    const [uuid, now] = [newUuid(), clock.now()];
    const times = { created_at: now, updated_at: now };
    const row: ProfileRow = { uuid, name, description: request.description || null, latest_version: 1, ...times };
    await rejectTakenName(profiles, name, () =>
      audit.change(context, async (tx) => {
        const fields = await accept(tx, users, { request, context });
        const inserted = await profiles.insert(tx, row);
        await store.insertVersion(tx, { profile_uuid: uuid, version: 1, ...fields, created_at: now });
        return inserted;
      }),
    );
    return detail(uuid);
  }

  async function edit(
    uuid: string,
    request: NotificationProfileUpdateRequestDto,
    context: RequestContext,
  ): Promise<NotificationProfileDetailDto> {
    assertValid(request);
    await audit.change(context, async (tx) => {
      const row = await profiles.lock(tx, uuid);
      const current = requireFound(await store.findVersion(tx, uuid, undefined), profiles.what, uuid);
      const fields = await accept(tx, users, { request, context });
      const description = request.description || null;
      const isSame = isSameVersion(current, fields);
      if (isSame && description === row.description) return [];
      const [now, version] = [clock.now(), isSame ? current.version : current.version + 1];
      if (!isSame) await store.insertVersion(tx, { profile_uuid: uuid, version, ...fields, created_at: now });
      await profiles.update(tx, uuid, { description, latest_version: version, updated_at: now });
      return [row];
    });
    return detail(uuid);
  }

  const remove = async (uuid: string, context: RequestContext): Promise<void> => {
    await audit.change(context, (tx) => removeUnused(tx, uuid, uses));
  };

  return { list, detail, create, edit, remove };
}

/** Validates a request and returns its fields. */
async function accept(
  tx: Executor,
  users: Users,
  { request, context }: { readonly request: NotificationProfileUpdateRequestDto; readonly context: RequestContext },
): Promise<VersionedFields> {
  const fields = fieldsOf(request);
  await assertRecipients(tx, users, { named: fields, context });
  if (fields.instance_uuid !== null)
    requireFound(await store.holdInstance(tx, fields.instance_uuid), instances.what, fields.instance_uuid);
  return fields;
}

async function removeUnused(
  tx: Executor,
  uuid: string,
  uses: readonly NotificationProfileUse[],
): Promise<readonly ProfileRow[]> {
  const { name } = await profiles.lock(tx, uuid);
  const users = await Promise.all(
    uses.map(async ({ what, find }) => (await find(tx, uuid)).map((user) => `the ${what} ${user}`)),
  );
  const problems = users
    .flat()
    .map((user) => `Cannot delete notification profile ${name}: ${user} uses it. Remove this use first.`);
  if (problems.length > 0) throw rejected(...problems);
  return profiles.removeMany(tx, [uuid]);
}

function assertValid(request: NotificationProfileUpdateRequestDto): void {
  const problems = problemsOfProfile(request);
  if (problems.length > 0) throw rejected(...problems);
}

const fieldsOf = (request: NotificationProfileUpdateRequestDto): VersionedFields => ({
  recipient_type: request.recipientType,
  recipient_uuids: [...new Set((request.recipientUuids ?? []).map((uuid) => uuid.toLowerCase()))],
  instance_uuid: request.notificationInstanceUuid?.toLowerCase() ?? null,
  internal: request.internalNotification,
  frequency_hours: request.frequency === undefined ? null : (hoursInDuration(request.frequency) ?? null),
  repetitions: request.repetitions ?? null,
});

/** Users, groups or roles that a profile references. They must exist and be visible to the caller. */
const resourceOf = { user: 'users', group: 'groups', role: 'roles' } as const;
const words = { user: 'User', group: 'Group', role: 'Role' } as const;

type Named = Pick<VersionRow, 'recipient_type' | 'recipient_uuids'>;

/** Returns the recipients that exist, with their names, sorted by name. */
async function namedRecipients(
  executor: Executor,
  users: Users,
  { recipient_type: type, recipient_uuids: uuids }: Named,
): Promise<NameAndUuidDto[]> {
  if (!isNamed(type) || uuids.length === 0) return [];
  if (type === 'group') return findGroupNames(executor, uuids);
  if (type === 'role') return users.findRoleNames(executor, uuids);
  const found = await users.findUsernames(executor, uuids);
  return found
    .map(({ uuid, username: name }) => ({ uuid, name }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Rejects (404) recipients that do not exist or that the caller cannot see. */
async function assertRecipients(
  executor: Executor,
  users: Users,
  { named, context }: { readonly named: Named; readonly context: RequestContext },
): Promise<void> {
  const { recipient_type: type, recipient_uuids: uuids } = named;
  if (!isNamed(type)) return;
  const known = await namedRecipients(executor, users, named);
  const missing = uuids.find((uuid) => !known.some((each) => each.uuid === uuid) || !isVisibleTo(context, type, uuid));
  if (missing !== undefined) throw notFound(words[type], missing);
}

const isVisibleTo = ({ actor }: RequestContext, type: NamedType, uuid: string): boolean =>
  isAllowed(actor.permissions, resourceOf[type], 'detail', [uuid]);
