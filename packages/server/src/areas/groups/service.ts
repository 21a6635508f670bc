// Use cases of groups. Every change and its audit record are one transaction.
import type { GroupDto, GroupRequestDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { found } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { refusingTaken } from '../../platform/objects/taken-names.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuseCustomAttributes } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { presentGroup } from './present.ts';
import { groups, removeWithMemberships } from './store.ts';
import type { GroupRow } from './tables.ts';

export type GroupService = ReturnType<typeof createGroupService>;

export function createGroupService({ clock, database }: Platform, { audit }: { readonly audit: AuditTrail }) {
  const { executor } = database;

  const list = async (): Promise<GroupDto[]> => (await groups.findAll(executor)).map(presentGroup);

  const detail = async (uuid: string): Promise<GroupDto> => presentGroup(await groups.require(executor, uuid));

  async function create(request: GroupRequestDto, context: RequestContext): Promise<string> {
    const now = clock.now();
    const row = { uuid: newUuid(), ...fieldsOf(request), created_at: now, updated_at: now };
    await refusingTaken(groups, row.name, () => audit.change(context, (tx) => groups.insert(tx, row)));
    return row.uuid;
  }

  async function update(uuid: string, request: GroupRequestDto, context: RequestContext): Promise<GroupDto> {
    const changes = { ...fieldsOf(request), updated_at: clock.now() };
    const [row] = await refusingTaken(groups, changes.name, () =>
      audit.change(context, (tx) => groups.updateMany(tx, [uuid], changes)),
    );
    return presentGroup(found(row, groups.what, uuid));
  }

  async function remove(uuid: string, context: RequestContext): Promise<void> {
    const [removed] = await removeMany([uuid], context);
    found(removed, groups.what, uuid);
  }

  /** Unknown groups are skipped, so that a repeated call ends in the same state. Returns those that were there. */
  const removeMany = (uuids: readonly string[], context: RequestContext): Promise<readonly GroupRow[]> =>
    audit.change(context, (tx) => removeWithMemberships(tx, uuids));

  return { list, detail, create, update, remove, removeMany };
}

function fieldsOf({ name, description, email, customAttributes }: GroupRequestDto) {
  refuseCustomAttributes(customAttributes);
  return { name, description: description || null, email: email || null };
}
