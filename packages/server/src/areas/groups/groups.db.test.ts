import { groupOperations } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { coreContextFor, type RequestContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { createAttributeEngine } from '../attributes/index.ts';
import { createAuditArea } from '../audit/index.ts';
import { createGroupService, type GroupService } from './service.ts';
import { findMemberships, replaceMemberships } from './store.ts';

describe('the group service', () => {
  let database: Database;
  let service: GroupService;

  beforeAll(async () => {
    database = await testDatabase();
    const platform = testPlatform(database);
    service = createGroupService(platform, {
      audit: createAuditArea(platform).trail,
      attributes: createAttributeEngine(platform),
    });
  });

  const context = (operation: keyof typeof groupOperations): RequestContext =>
    coreContextFor(groupOperations[operation]);
  const create = (name: string) => service.create({ name }, context('createGroup'));
  const detail = (uuid: string) => service.detail(uuid, context('getGroup'));
  const audited = async (uuid: string) => {
    const rows = await database.query<{ operation: string }>(
      'SELECT operation FROM audit_record WHERE resource_objects @> $1::jsonb ORDER BY id',
      [JSON.stringify([{ uuid }])],
    );
    return rows.map(({ operation }) => operation);
  };

  it('creates, updates and deletes groups, with one audit record per change', async () => {
    const uuid = await create('operations');
    await service.update(uuid, { name: 'operations', description: 'on call', email: '' }, context('editGroup'));
    expect(await detail(uuid)).toEqual({
      uuid,
      name: 'operations',
      description: 'on call',
      email: undefined,
      customAttributes: [],
    });
    await service.remove(uuid, context('deleteGroup'));
    await expect(detail(uuid)).rejects.toMatchObject({ code: 'object_not_found' });
    expect(await audited(uuid)).toEqual(['create', 'update', 'delete']);
  });

  it('rejects a name that is already in use on creation and on update, and changes nothing', async () => {
    const first = await create('taken');
    const second = await create('free');
    await expect(create('taken')).rejects.toMatchObject({ code: 'already_exists' });
    await expect(service.update(second, { name: 'taken' }, context('editGroup'))).rejects.toMatchObject({
      code: 'already_exists',
    });
    expect((await detail(second)).name).toBe('free');
    expect(await audited(first)).toEqual(['create']);
  });

  it('accepts a name from only one of two concurrent callers', async () => {
    const outcomes = await Promise.allSettled([create('race'), create('race')]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('skips unknown groups in a bulk deletion, but rejects the deletion of a single unknown group', async () => {
    const uuid = await create('bulk');
    expect(await service.removeMany([uuid, newUuid()], context('bulkDeleteGroup'))).toMatchObject([{ uuid }]);
    await expect(service.remove(uuid, context('deleteGroup'))).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it("deletes memberships together with their group, and replaces an object's memberships as a whole", async () => {
    const [a, b] = [await create('member a'), await create('member b')];
    const member = { resource: 'certificates', uuid: newUuid() } as const;
    await replaceMemberships(database.executor, member, [a, b]);
    await service.remove(a, context('deleteGroup'));
    const left = await findMemberships(database.executor, 'certificates', [member.uuid]);
    expect(left.map(({ uuid }) => uuid)).toEqual([b]);
    await replaceMemberships(database.executor, member, []);
    expect(await findMemberships(database.executor, 'certificates', [member.uuid])).toEqual([]);
  });

  it('lists groups by name', async () => {
    const names = (await service.list()).map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
  });
});
