// Owner and groups assigned to certificates issued under a profile. The owner and the groups can be removed later and
// are then ignored.
import type {
  ProtocolCertificateAssociationsDto,
  ProtocolCertificateAssociationsRequestDto,
  RequestAttributeDto,
  ResponseAttributeDto,
} from '@signetry/contract';
import type { PermissionSet, RequestContext } from '../../kernel/actor.ts';
import { requireFound, notFound } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import { findGroups } from '../groups/index.ts';
import { assertMayTransfer, type UserReference } from '../identity/index.ts';
import type { ProtocolProfileRow } from './protocol.ts';

/** User functions that protocols require. The identity area implements them. */
export interface Users {
  findUser(executor: Executor, by: { readonly uuid: string }): Promise<UserReference | undefined>;
  /** Returns the permissions that a user's roles currently grant. */
  permissionsOf(executor: Executor, userUuid: string): Promise<PermissionSet>;
}

export interface Association extends OwnerAndGroups {
  /** Custom attributes of future certificates, which may include secrets: never return or log them. */
  readonly customAttributes: readonly RequestAttributeDto[];
}

export interface OwnerAndGroups {
  /** If null, certificates have no owner, not even the protocol's system user. */
  readonly owner: Pick<UserReference, 'uuid' | 'username'> | null;
  readonly groupUuids: readonly string[];
}

type AssociationColumns = Pick<ProtocolProfileRow, 'owner_uuid' | 'group_uuids'>;

export type Associations = ReturnType<typeof createAssociations>;

export function createAssociations(executor: Executor, areas: { readonly users: Users }) {
  const { users } = areas;

  return {
    /**
     * Validates the request and returns the columns to store. Rejects an owner or a group that does not exist (404),
     * and an owner who would gain permissions on future certificates that the caller cannot grant.
     */
    async accept(
      requested: ProtocolCertificateAssociationsRequestDto = {},
      { context, kept }: { readonly context: RequestContext; readonly kept?: AssociationColumns },
    ): Promise<AssociationColumns> {
      const ownerUuid = requested.ownerUuid?.toLowerCase();
      if (ownerUuid !== undefined && ownerUuid !== kept?.owner_uuid) await assertMayOwn(ownerUuid, context);
      const groupUuids = [...new Set((requested.groupUuids ?? []).map((uuid) => uuid.toLowerCase()))];
      const existing = await existingGroups(groupUuids);
      const missing = groupUuids.find((uuid) => !existing.includes(uuid));
      if (missing !== undefined) throw notFound('Group', missing);
      return { owner_uuid: ownerUuid ?? null, group_uuids: groupUuids };
    },
    /** Returns the owner and groups that still exist. */
    async read({ owner_uuid, group_uuids }: AssociationColumns): Promise<OwnerAndGroups> {
      const owner = owner_uuid === null ? undefined : await users.findUser(executor, { uuid: owner_uuid });
      return {
        owner: owner ? { uuid: owner.uuid, username: owner.username } : null,
        groupUuids: await existingGroups(group_uuids),
      };
    },
  };

  async function assertMayOwn(uuid: string, context: RequestContext): Promise<void> {
    const user = requireFound(await users.findUser(executor, { uuid }), 'User', uuid);
    const owner = { ...user, permissions: await users.permissionsOf(executor, uuid) };
    assertMayTransfer(context, { resource: 'certificates', ownerUuid: null }, owner);
  }

  async function existingGroups(uuids: readonly string[]): Promise<string[]> {
    return uuids.length === 0 ? [] : (await findGroups(executor, uuids)).map(({ uuid }) => uuid);
  }
}

/** Returns undefined if no owner, groups or custom attributes are assigned to certificates. */
export const presentAssociation = (
  { owner, groupUuids }: OwnerAndGroups,
  customAttributes: ResponseAttributeDto[],
): ProtocolCertificateAssociationsDto | undefined =>
  owner === null && groupUuids.length === 0 && customAttributes.length === 0
    ? undefined
    : { ownerUuid: owner?.uuid, groupUuids: [...groupUuids], customAttributes };
