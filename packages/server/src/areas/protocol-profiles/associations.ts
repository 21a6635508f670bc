// What certificates of a profile belong to: an owner and groups. Both may be removed later and are then ignored.
import type {
  ProtocolCertificateAssociationsDto,
  ProtocolCertificateAssociationsRequestDto,
  RequestAttributeDto,
  ResponseAttributeDto,
} from '@signetry/contract';
import { notFound } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import { findGroups } from '../groups/index.ts';
import type { UserReference } from '../identity/index.ts';
import type { ProtocolProfileRow } from './protocol.ts';

/** Users, as far as protocols need them; the area of identity has this member. */
export interface Users {
  findUser(executor: Executor, by: { readonly uuid: string }): Promise<UserReference | undefined>;
}

export interface Association extends OwnerAndGroups {
  /** Of the certificates to come, with their secrets: never to be shown or logged. */
  readonly customAttributes: readonly RequestAttributeDto[];
}

export interface OwnerAndGroups {
  /** Empty: certificates have no owner, not even the system user of the protocol. */
  readonly owner: Pick<UserReference, 'uuid' | 'username'> | null;
  readonly groupUuids: readonly string[];
}

type AssociationColumns = Pick<ProtocolProfileRow, 'owner_uuid' | 'group_uuids'>;

export type Associations = ReturnType<typeof createAssociations>;

export function createAssociations(executor: Executor, areas: { readonly users: Users }) {
  const { users } = areas;

  return {
    /** Columns of what is requested. An owner or a group that is not there is refused (404). */
    async accept(requested: ProtocolCertificateAssociationsRequestDto = {}): Promise<AssociationColumns> {
      const ownerUuid = requested.ownerUuid?.toLowerCase();
      if (ownerUuid !== undefined && !(await users.findUser(executor, { uuid: ownerUuid })))
        throw notFound('User', ownerUuid);
      const groupUuids = [...new Set((requested.groupUuids ?? []).map((uuid) => uuid.toLowerCase()))];
      const existing = await existingGroups(groupUuids);
      const missing = groupUuids.find((uuid) => !existing.includes(uuid));
      if (missing !== undefined) throw notFound('Group', missing);
      return { owner_uuid: ownerUuid ?? null, group_uuids: groupUuids };
    },
    /** Owner and groups that are still there. */
    async read({ owner_uuid, group_uuids }: AssociationColumns): Promise<OwnerAndGroups> {
      const owner = owner_uuid === null ? undefined : await users.findUser(executor, { uuid: owner_uuid });
      return {
        owner: owner ? { uuid: owner.uuid, username: owner.username } : null,
        groupUuids: await existingGroups(group_uuids),
      };
    },
  };

  async function existingGroups(uuids: readonly string[]): Promise<string[]> {
    return uuids.length === 0 ? [] : (await findGroups(executor, uuids)).map(({ uuid }) => uuid);
  }
}

/** Undefined where certificates belong to nobody. */
export const presentAssociation = (
  { owner, groupUuids }: OwnerAndGroups,
  customAttributes: ResponseAttributeDto[],
): ProtocolCertificateAssociationsDto | undefined =>
  owner === null && groupUuids.length === 0 && customAttributes.length === 0
    ? undefined
    : { ownerUuid: owner?.uuid, groupUuids: [...groupUuids], customAttributes };
