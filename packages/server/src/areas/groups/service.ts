// Use cases of groups. Every change and its audit record are one transaction.
import type { GroupDto, GroupRequestDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { isUniqueViolation } from '../../platform/database/database-errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { presentGroup } from './present.ts';
import * as store from './store.ts';

export type GroupService = ReturnType<typeof createGroupService>;

export function createGroupService(platform: Platform, areas: { readonly audit: AuditTrail }) {
  const { database, clock } = platform;
  const { audit } = areas;

  async function list(): Promise<GroupDto[]> {
    return (await store.findAll(database.executor)).map(presentGroup);
  }

  async function detail(uuid: string): Promise<GroupDto> {
    const row = await store.findOne(database.executor, uuid);
    if (!row) throw notFound('Group', uuid);
    return presentGroup(row);
  }

  async function create(request: GroupRequestDto, context: RequestContext): Promise<string> {
    const uuid = newUuid();
    const now = clock.now();
    await refusingTakenName(request.name, () =>
      database.transaction(async (tx) => {
        await store.insert(tx, { uuid, ...fieldsOf(request), created_at: now, updated_at: now });
        await audit.append(tx, context, { objects: [{ uuid, name: request.name }] });
      }),
    );
    return uuid;
  }

  async function update(uuid: string, request: GroupRequestDto, context: RequestContext): Promise<GroupDto> {
    await refusingTakenName(request.name, () =>
      database.transaction(async (tx) => {
        const found = await store.update(tx, { uuid, ...fieldsOf(request), updated_at: clock.now() });
        if (!found) throw notFound('Group', uuid);
        await audit.append(tx, context, { objects: [{ uuid, name: request.name }] });
      }),
    );
    return detail(uuid);
  }

  async function remove(uuid: string, context: RequestContext): Promise<void> {
    const removed = await removeMany([uuid], context);
    if (removed === 0) throw notFound('Group', uuid);
  }

  /** Unknown groups are skipped, so that a repeated call ends in the same state. */
  async function removeMany(uuids: readonly string[], context: RequestContext): Promise<number> {
    if (uuids.length === 0) return 0;
    return database.transaction(async (tx) => {
      const rows = await store.remove(tx, uuids);
      if (rows.length > 0) await audit.append(tx, context, { objects: rows.map(({ uuid, name }) => ({ uuid, name })) });
      return rows.length;
    });
  }

  return { list, detail, create, update, remove, removeMany };
}

const fieldsOf = (request: GroupRequestDto) => ({
  name: request.name,
  description: request.description || null,
  email: request.email || null,
});

/** The unique key decides, not a look before: two callers may choose the same name at once. */
async function refusingTakenName<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'object_group_name_key'))
      throw new AppError('already_exists', { what: 'Group', name }, { cause: error });
    throw error;
  }
}
