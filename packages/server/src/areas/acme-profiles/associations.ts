// What certificates of a profile belong to: an owner and groups. Both may be removed later; who is gone counts no more.
import type { ProtocolCertificateAssociationsRequestDto } from '@signetry/contract';
import type { AttributeEngine } from '../attributes/index.ts';
import { findGroups } from '../groups/index.ts';
import type { UserReference } from '../identity/index.ts';
import { notFound } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AcmeProfileRow } from './tables.ts';

/** Users, as far as ACME needs them; the area of identity has this member. */
export interface Users {
  findUser(executor: Executor, by: { readonly uuid: string }): Promise<UserReference | undefined>;
}

export interface Association {
  readonly ownerUuid: string | undefined;
  readonly ownerUsername: string | undefined;
  readonly groupUuids: readonly string[];
}

export type Associations = ReturnType<typeof createAssociations>;

export function createAssociations(
  executor: Executor,
  areas: { readonly attributes: AttributeEngine; readonly users: Users },
) {
  const { attributes, users } = areas;

  return {
    /** Columns of what is requested. An owner or a group that is not there is refused (404). */
    async accept(
      requested: ProtocolCertificateAssociationsRequestDto = {},
    ): Promise<Pick<AcmeProfileRow, 'owner_uuid' | 'group_uuids'>> {
      attributes.refuseCustomAttributes(requested.customAttributes);
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
    async read({ owner_uuid, group_uuids }: Pick<AcmeProfileRow, 'owner_uuid' | 'group_uuids'>): Promise<Association> {
      const owner = owner_uuid === null ? undefined : await users.findUser(executor, { uuid: owner_uuid });
      return {
        ownerUuid: owner?.uuid,
        ownerUsername: owner?.username,
        groupUuids: await existingGroups(group_uuids),
      };
    },
  };

  async function existingGroups(uuids: readonly string[]): Promise<string[]> {
    return uuids.length === 0 ? [] : (await findGroups(executor, uuids)).map(({ uuid }) => uuid);
  }
}
