import {
  customAttributeOperations,
  type Action,
  type CustomAttributeCreateRequestDto,
  type RequestAttributeDto,
  type Resource,
} from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { coreContextFor, type ObjectRights, type RequestContext, type ResourceRights } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createAuditArea } from '../../audit/index.ts';
import { createAttributeEngine, type AttributeEngine } from '../engine.ts';
import { createCustomAttributeService, type CustomAttributeService } from './service.ts';

let platform: Platform;
let engine: AttributeEngine;
let service: CustomAttributeService;

beforeAll(async () => {
  platform = testPlatform(await testDatabase());
  engine = createAttributeEngine(platform);
  service = createCustomAttributeService(platform, {
    audit: createAuditArea(platform).trail,
    changed: engine.custom.forget,
  });
});

const by = (operation: keyof typeof customAttributeOperations): RequestContext =>
  coreContextFor(customAttributeOperations[operation]);

/** Returns the context of a user whose permissions are limited to single attributes. */
function person(rights: Record<string, Partial<Record<keyof ObjectRights, readonly Action[]>>> = {}): RequestContext {
  const context = coreContextFor(customAttributeOperations.createCustomAttribute);
  const objects = new Map(
    Object.entries(rights).map(([uuid, { allowed = [], denied = [] }]) => [
      uuid,
      { allowed: new Set(allowed), denied: new Set(denied) },
    ]),
  );
  const resources = new Map([['attributes', { allowAllActions: false, actions: new Set<Action>(), objects }] as const]);
  return {
    ...context,
    actor: { ...context.actor, type: 'user', permissions: { allowAllResources: false, resources } },
  };
}

/** Returns the context of a user who can use an attribute and see one credential. */
function credentialViewer(attributeUuid: string, credentialUuid: string): RequestContext {
  const context = person({ [attributeUuid]: { allowed: ['members'] } });
  const { permissions } = context.actor;
  const objects = new Map([[credentialUuid, { allowed: new Set<Action>(['detail']), denied: new Set<Action>() }]]);
  const credentials = ['credentials', { allowAllActions: false, actions: new Set<Action>(), objects }] as const;
  const resources = new Map<Resource, ResourceRights>([...permissions.resources, credentials]);
  return { ...context, actor: { ...context.actor, permissions: { ...permissions, resources } } };
}

const administrator = (): RequestContext => {
  const context = coreContextFor(customAttributeOperations.createCustomAttribute);
  return { ...context, actor: { ...context.actor, type: 'user' } };
};

let counter = 0;

/**
 * Defines an attribute. Tests use different resources where possible, because a required attribute applies to every
 * object of its resource.
 */
async function define(facts: Partial<CustomAttributeCreateRequestDto> & { readonly resources: Resource[] }) {
  counter += 1;
  const name = `attribute ${counter}`;
  const request = {
    name,
    label: name,
    contentType: 'string' as const,
    visible: true,
    required: false,
    readOnly: false,
    list: false,
    multiSelect: false,
    ...facts,
  };
  return { uuid: await service.create(request, by('createCustomAttribute')), name: request.name, request };
}

const sent = (
  { uuid, name }: { readonly uuid: string; readonly name: string },
  ...data: unknown[]
): RequestAttributeDto => ({
  uuid,
  name,
  contentType: 'string',
  content: data.map((each) => ({ data: each })),
});

const problems = (...texts: string[]) => ({
  code: 'rejected_by_rules',
  parameters: { problems: texts.map((text) => expect.stringContaining(text)) },
});

describe('custom attribute definitions', () => {
  it('are stored, updated except for name and content type, associated with resources, and listed by content type', async () => {
    const { uuid, name } = await define({ resources: ['groups'], contentType: 'integer', content: [{ data: 7 }] });
    expect(await service.detail(uuid)).toMatchObject({
      uuid,
      name,
      type: 'custom',
      contentType: 'integer',
      enabled: true,
      content: [{ data: 7 }],
      resources: ['groups'],
    });
    const update = {
      label: 'Cost centre',
      visible: true,
      required: false,
      readOnly: false,
      list: false,
      multiSelect: false,
    };
    const changed = await service.update(uuid, { ...update, description: 'Who pays' }, by('editCustomAttribute'));
    expect(changed).toMatchObject({ name, label: 'Cost centre', description: 'Who pays', resources: ['groups'] });
    expect(changed.content).toBeUndefined();
    await service.setResources(uuid, ['users', 'roles', 'users'], by('updateResources'));
    expect((await service.detail(uuid)).resources).toEqual(['users', 'roles']);
    expect((await service.list('integer')).map((each) => each.uuid)).toContain(uuid);
    expect((await service.list('date')).map((each) => each.uuid)).not.toContain(uuid);
    await service.remove(uuid, by('deleteCustomAttribute'));
    await expect(service.detail(uuid)).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('must have unique names, even if two definitions are created concurrently', async () => {
    const outcomes = await Promise.allSettled([
      define({ name: 'same', resources: [] }),
      define({ name: 'same', resources: [] }),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(define({ name: 'same', resources: [] })).rejects.toMatchObject({ code: 'already_exists' });
  });

  it.each([
    [
      'content of a different type',
      { contentType: 'integer', content: [{ data: 'seven' }] },
      'must contain an integer',
    ],
    [
      'multiple values although it is not a list',
      { content: [{ data: 'a' }, { data: 'b' }] },
      'has multiple values but is not a list',
    ],
    ['multiple selection although it is not a list', { multiSelect: true }, 'is not a list'],
    ['no content although it is read-only', { readOnly: true }, 'is read-only and must have content'],
    ['a duplicate choice', { list: true, content: [{ data: 'a' }, { data: 'a' }] }, 'has a duplicate choice'],
    ['content of a secret', { contentType: 'secret', content: [{ data: { secret: 'x' } }] }, 'is a secret'],
    ['content of a credential', { contentType: 'credential', content: [{ data: { uuid: 'x' } }] }, 'is a credential'],
    ['a resource without custom attributes', { resources: ['jobs'] }, 'cannot be used for jobs'],
  ] as const)('are rejected with %s', async (_case, facts, problem) => {
    await expect(
      define({ resources: [], ...(facts as Partial<CustomAttributeCreateRequestDto>) }),
    ).rejects.toMatchObject({
      code: 'invalid_fields',
      parameters: { problems: expect.arrayContaining([expect.stringContaining(problem)]) },
    });
  });

  it('are deleted with their values, and the number of affected objects is determined and recorded', async () => {
    const values = engine.customValuesOf('entities');
    const attribute = await define({ resources: ['entities'] });
    const uuids = [newUuid(), newUuid()];
    const accepted = await values.accept([sent(attribute, 'x')], administrator());
    await platform.database.transaction(async (tx) => {
      for (const uuid of uuids) await values.write(tx, uuid, accepted);
    });
    expect(await service.use(attribute.uuid)).toEqual({ objects: 2 });
    await service.removeMany([attribute.uuid, newUuid()], by('bulkDeleteCustomAttributes'));
    expect(await values.read(uuids[0] ?? '', administrator())).toEqual([]);
    const [record] = await platform.database.query<{ operation_data: unknown }>(
      'SELECT operation_data FROM audit_record WHERE resource_objects @> $1::jsonb ORDER BY id DESC LIMIT 1',
      [JSON.stringify([{ uuid: attribute.uuid }])],
    );
    expect(record?.operation_data).toEqual({ objectsWithValues: 2 });
  });
});

describe('custom attribute values', () => {
  it('are replaced as a whole, and unchanged if no list is sent', async () => {
    const values = engine.customValuesOf('tokens');
    const [first, second] = [await define({ resources: ['tokens'] }), await define({ resources: ['tokens'] })];
    const uuid = newUuid();
    const write = async (requested: RequestAttributeDto[] | undefined) => {
      const accepted = await values.accept(requested, administrator(), uuid);
      await platform.database.transaction((tx) => values.write(tx, uuid, accepted));
      return (await values.read(uuid, administrator())).map(({ name, content }) => [name, content?.[0]?.data]);
    };
    expect(await write([sent(first, 'a'), sent(second, 'b')])).toEqual([
      [first.name, 'a'],
      [second.name, 'b'],
    ]);
    expect(await write(undefined)).toHaveLength(2);
    expect(await write([sent(second, 'c')])).toEqual([[second.name, 'c']]);
    expect(await write([])).toEqual([]);
  });

  it('are validated: required, read-only, choices, number of values, content type, and unknown and disabled attributes', async () => {
    const values = engine.customValuesOf('locations');
    const resources: Resource[] = ['locations'];
    const needed = await define({ resources, required: true });
    const fixed = await define({ resources, readOnly: true, content: [{ data: 'always' }] });
    const choice = await define({ resources, list: true, content: [{ data: 'a' }, { data: 'b' }] });
    const off = await define({ resources });
    await service.setEnabledMany([off.uuid], false, by('bulkDisableCustomAttributes'));
    const accept = (...requested: RequestAttributeDto[]) => values.accept(requested, administrator());
    await expect(accept()).rejects.toMatchObject(problems(`${needed.name} is required`));
    await expect(values.accept(undefined, administrator())).rejects.toMatchObject(problems('is required'));
    const ok = sent(needed, 'x');
    await expect(accept(ok, sent(fixed, 'never'))).rejects.toMatchObject(problems('is read-only'));
    await expect(accept(ok, sent(choice, 'c'))).rejects.toMatchObject(problems('accepts only values from its choices'));
    await expect(accept(ok, sent(choice, 'a', 'b'))).rejects.toMatchObject(problems('accepts one value; 2 were sent'));
    await expect(accept(sent(needed, 7))).rejects.toMatchObject(problems('must contain text'));
    await expect(accept(ok, sent(off, 'x'))).rejects.toMatchObject(problems(`${off.name} is unknown`));
    await expect(accept(ok, ok)).rejects.toMatchObject(problems('was sent twice'));
    expect((await accept(ok, sent(fixed, 'always'), sent(choice, 'b'))).attributes).toHaveLength(3);
    // Objects that the platform itself creates need no custom attributes.
    expect((await values.accept(undefined, by('createCustomAttribute'))).attributes).toEqual([]);
  });

  it('can contain multiple choices if the attribute allows this', async () => {
    const values = engine.customValuesOf('scepProfiles');
    const content = [{ data: 'a' }, { data: 'b' }, { data: 'c' }];
    const choice = await define({ resources: ['scepProfiles'], list: true, multiSelect: true, content });
    const accepted = await values.accept([sent(choice, 'c', 'a')], administrator());
    expect(accepted.attributes[0]?.content).toEqual([{ data: 'c' }, { data: 'a' }]);
  });

  it('are visible and accepted only with permission for the attribute; all other values are unchanged', async () => {
    const values = engine.customValuesOf('discoveries');
    const open = await define({ resources: ['discoveries'] });
    const closed = await define({ resources: ['discoveries'], required: true });
    const member = person({ [open.uuid]: { allowed: ['members'] } });
    const uuid = newUuid();
    const all = await values.accept([sent(open, 'a'), sent(closed, 'b')], administrator());
    await platform.database.transaction((tx) => values.write(tx, uuid, all));
    expect((await values.read(uuid, member)).map(({ name }) => name)).toEqual([open.name]);
    expect(await values.read(uuid, person())).toEqual([]);
    expect((await service.forResource('discoveries', member)).map(({ name }) => name)).toEqual([open.name]);
    await expect(values.accept([sent(closed, 'c')], member)).rejects.toMatchObject(
      problems(`${closed.name} is unknown`),
    );
    const some = await values.accept([sent(open, 'c')], member, uuid);
    await platform.database.transaction((tx) => values.write(tx, uuid, some));
    const after = await values.read(uuid, administrator());
    expect(after.map(({ content }) => content?.[0]?.data)).toEqual(['c', 'b']);
  });

  it('are masked if they are secret, and are kept if they are sent back masked', async () => {
    const values = engine.customValuesOf('complianceProfiles');
    const secret = await define({ resources: ['complianceProfiles'], contentType: 'secret' });
    const uuid = newUuid();
    const write = async (data: unknown) => {
      const value = { ...sent(secret, data), contentType: 'secret' as const };
      const accepted = await values.accept([value], administrator(), uuid);
      await platform.database.transaction((tx) => values.write(tx, uuid, accepted));
    };
    await write({ secret: 'swordfish' });
    expect(JSON.stringify(await values.read(uuid, administrator()))).not.toContain('swordfish');
    await write({});
    expect((await values.readForCopy(uuid))[0]?.content).toEqual([{ data: { secret: 'swordfish' } }]);
    const rows = await platform.database.query<{ item: unknown }>(
      'SELECT item FROM attribute_value WHERE object_uuid = $1',
      [uuid],
    );
    expect(JSON.stringify(rows)).not.toContain('swordfish');
  });

  it('that refer to credentials require permission to see those credentials, and store only displayable data', async () => {
    const [seen, hidden, disabled] = [newUuid(), newUuid(), newUuid()];
    const known = [seen, hidden, disabled].map((uuid) => ({ uuid, name: `of ${uuid}`, enabled: uuid !== disabled }));
    const own = createAttributeEngine(platform);
    const held: string[] = [];
    own.registerCredentialSource({
      find: async (uuids) => known.filter(({ uuid }) => uuids.includes(uuid)),
      expand: async () => expect.unreachable('nothing is sent to a connector'),
      hold: async (_tx, uuids) => {
        held.push(...uuids);
        return uuids;
      },
    });
    const values = own.customValuesOf('tokenProfiles');
    const attribute = await define({ resources: ['tokenProfiles'], contentType: 'credential' });
    const credentialAttribute = (uuid: string, more: object = {}): RequestAttributeDto => ({
      ...sent(attribute, { uuid, name: 'whatever', ...more }),
      contentType: 'credential',
    });
    const member = credentialViewer(attribute.uuid, seen);
    await expect(values.accept([credentialAttribute(hidden)], member)).rejects.toMatchObject(
      problems('not visible to you'),
    );
    await expect(values.accept([credentialAttribute(newUuid())], member)).rejects.toMatchObject(
      problems('not visible to you'),
    );
    await expect(values.accept([credentialAttribute(disabled)], administrator())).rejects.toMatchObject(
      problems('is disabled'),
    );
    const uuid = newUuid();
    const accepted = await values.accept(
      [credentialAttribute(seen, { attributes: [{ secret: 'swordfish' }] })],
      member,
    );
    await platform.database.transaction((tx) => values.write(tx, uuid, accepted));
    expect(held).toEqual([seen]);
    const blind = person({ [attribute.uuid]: { allowed: ['members'] } });
    expect((await values.accept([credentialAttribute(seen)], blind, uuid)).attributes).toHaveLength(1);
    await expect(values.accept([credentialAttribute(seen)], blind)).rejects.toMatchObject(
      problems('not visible to you'),
    );
    expect((await values.read(uuid, administrator()))[0]?.content).toEqual([
      { reference: `of ${seen}`, data: { uuid: seen, name: `of ${seen}` } },
    ]);
  });

  it("for future objects are stored separately from an object's own values, and may be incomplete", async () => {
    const own = engine.customValuesOf('cmpProfiles');
    const later = engine.customValuesOf('cmpProfiles', 'keys');
    await define({ resources: ['keys'], required: true });
    const forKeys = await define({ resources: ['keys'] });
    const uuid = newUuid();
    const accepted = await later.accept([sent(forKeys, 'k')], administrator());
    await platform.database.transaction((tx) => later.write(tx, uuid, accepted));
    expect(await own.read(uuid, administrator())).toEqual([]);
    expect((await later.readForCopy(uuid)).map(({ name }) => name)).toEqual([forKeys.name]);
  });
});
