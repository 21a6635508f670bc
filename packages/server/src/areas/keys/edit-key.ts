// Edits the user-defined details of a key, and its profile within the same token.
import type { EditKeyItemDto, EditKeyRequestDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound, notFound, rejected } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { rejectTakenName } from '../../platform/objects/unique-names.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { replaceMemberships, requireGroups } from '../groups/index.ts';
import { assertMayTransfer, requirePermission } from '../identity/index.ts';
import type { Tokens } from '../tokens/index.ts';
import type { Users } from './ports.ts';
import { keys, updateItem } from './store.ts';
import type { KeyItemRow, KeyRow } from './tables.ts';

export interface KeyEditParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly tokens: Tokens;
  readonly users: Users;
}

export async function editKey(
  parts: KeyEditParts,
  uuid: string,
  request: EditKeyRequestDto,
  context: RequestContext,
): Promise<void> {
  const { platform, audit, attributes } = parts;
  const { executor } = platform.database;
  const row = await keys.require(executor, uuid);
  const values = attributes.customValuesOf('keys');
  const customValues = await values.accept(request.customAttributes, context, uuid);
  const groups = request.groupUuids && (await requireGroups(executor, request.groupUuids));
  const changes: Partial<KeyRow> = {
    name: request.name,
    description: request.description || null,
    ...(await resolveProfile(parts, row, { profileUuid: request.tokenProfileUuid, context })),
    ...(await resolveOwner(parts, row, { ownerUuid: request.ownerUuid, context })),
    updated_at: platform.clock.now(),
  };
  await rejectTakenName(keys, request.name, () =>
    platform.database.transaction(async (tx) => {
      requireFound(await keys.update(tx, uuid, changes), keys.what, uuid);
      if (groups)
        await replaceMemberships(
          tx,
          { resource: 'keys', uuid },
          groups.map((group) => group.uuid),
        );
      await values.write(tx, uuid, customValues);
      await audit.append(tx, context, { objects: [{ uuid, name: request.name }] });
    }),
  );
}

/**
 * Returns the change to a different profile of the same token. The permission to export a key depends on its profile,
 * so an exportable key can be moved only by callers who have the permission on its current profile.
 */
async function resolveProfile(
  { tokens }: KeyEditParts,
  row: KeyRow,
  { profileUuid, context }: { readonly profileUuid: string | undefined; readonly context: RequestContext },
): Promise<Partial<KeyRow>> {
  if (!profileUuid) return {};
  const profile = await tokens.requireProfile({ profileUuid });
  if (profile.token_uuid !== row.token_uuid)
    throw rejected(`The token profile ${profile.name} and the key ${row.name} belong to different tokens.`);
  const current = row.token_profile_uuid;
  if (row.exportable && profile.uuid !== current)
    requirePermission(context, {
      resource: 'tokenProfiles',
      action: 'export',
      objects: current === null ? [] : [current],
      name: `key ${row.name} is exportable`,
    });
  return { token_profile_uuid: profile.uuid };
}

/** Returns the new owner. Rejects an owner who could do more with the key than the caller is permitted to grant. */
async function resolveOwner(
  { users, platform: { database } }: KeyEditParts,
  row: KeyRow,
  { ownerUuid: uuid, context }: { readonly ownerUuid: string | undefined; readonly context: RequestContext },
): Promise<Partial<KeyRow>> {
  if (uuid === undefined) return {};
  if (uuid === '') return { owner_uuid: null, owner_username: null };
  const user = isUuid(uuid) ? await users.findUser(database.executor, { uuid: uuid.toLowerCase() }) : undefined;
  if (!user) throw notFound('User', uuid);
  if (user.uuid !== row.owner_uuid)
    assertMayTransfer(
      context,
      { resource: 'keys', uuid: row.uuid, ownerUuid: row.owner_uuid },
      { ...user, permissions: await users.permissionsOf(database.executor, user.uuid) },
    );
  return { owner_uuid: user.uuid, owner_username: user.username };
}

export const renameItem = (
  { platform, audit }: Pick<KeyEditParts, 'platform' | 'audit'>,
  item: KeyItemRow,
  { request, context }: { readonly request: EditKeyItemDto; readonly context: RequestContext },
): Promise<void> =>
  platform.database.transaction(async (tx: Executor) => {
    await updateItem(tx, item.uuid, { name: request.name, updated_at: platform.clock.now() });
    const [key] = await keys.findMany(tx, [item.key_uuid]);
    await audit.append(tx, context, { objects: key ? [key] : [] });
  });
