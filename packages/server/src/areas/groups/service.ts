// Group use cases. Every change is written in one transaction with its audit record.
import type { GroupDto, GroupRequestDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { rejectTakenName } from '../../platform/objects/unique-names.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { presentGroup } from './present.ts';
import { groups, removeWithMemberships } from './store.ts';
import type { GroupRow } from './tables.ts';

export type GroupService = ReturnType<typeof createGroupService>;

interface Areas {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
}

export function createGroupService({ clock, database }: Platform, { audit, attributes }: Areas) {
  const { executor } = database;
  const values = attributes.customValuesOf('groups');

  const list = async (): Promise<GroupDto[]> => (await groups.findAll(executor)).map(presentGroup);

  const require = (uuid: string): Promise<GroupRow> => groups.require(executor, uuid);

  const detail = async (uuid: string, context: RequestContext): Promise<GroupDto> => ({
    ...presentGroup(await require(uuid)),
    customAttributes: await values.read(uuid, context),
  });

  async function create(request: GroupRequestDto, context: RequestContext): Promise<string> {
    const accepted = await values.accept(request.customAttributes, context);
    const now = clock.now();
    const row = { uuid: newUuid(), ...fieldsOf(request), created_at: now, updated_at: now };
    await rejectTakenName(groups, row.name, () =>
      audit.change(context, async (tx) => {
        await values.write(tx, row.uuid, accepted);
        return groups.insert(tx, row);
      }),
    );
    return row.uuid;
  }

  async function update(uuid: string, request: GroupRequestDto, context: RequestContext): Promise<GroupDto> {
    const accepted = await values.accept(request.customAttributes, context, uuid);
    const changes = { ...fieldsOf(request), updated_at: clock.now() };
    await rejectTakenName(groups, changes.name, () =>
      audit.change(context, async (tx) => {
        const [row] = await groups.updateMany(tx, [uuid], changes);
        await values.write(tx, uuid, accepted);
        return [requireFound(row, groups.what, uuid)];
      }),
    );
    return detail(uuid, context);
  }

  async function remove(uuid: string, context: RequestContext): Promise<void> {
    const [removed] = await removeMany([uuid], context);
    requireFound(removed, groups.what, uuid);
  }

  /** Unknown groups are skipped, so that the operation is idempotent. Returns the groups that were removed. */
  const removeMany = (uuids: readonly string[], context: RequestContext): Promise<readonly GroupRow[]> =>
    audit.change(context, async (tx) => {
      await attributes.removeObjects(tx, 'groups', uuids);
      return removeWithMemberships(tx, uuids);
    });

  return { list, require, detail, create, update, remove, removeMany };
}

const fieldsOf = ({ name, description, email }: GroupRequestDto) => ({
  name,
  description: description || null,
  email: email || null,
});
