import type { BaseAttributeDto, DataAttribute, MetadataAttribute, RequestAttributeDto } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { createAttributeEngine, type AttributeEngine } from './index.ts';

let platform: Platform;
let engine: AttributeEngine;

beforeAll(async () => {
  platform = testPlatform(await testDatabase());
  engine = createAttributeEngine(platform);
  engine.registerConnectorNames((uuids) => Promise.resolve(new Map(uuids.map((uuid) => [uuid, 'Connector']))));
});

const data = (name: string, facts: Partial<DataAttribute> = {}): DataAttribute => ({
  version: 2,
  uuid: newUuid(),
  name,
  type: 'data',
  contentType: 'string',
  properties: {
    label: `Label ${name}`,
    visible: true,
    required: false,
    readOnly: false,
    list: false,
    multiSelect: false,
  },
  ...facts,
});

const sent = (
  name: string,
  content: RequestAttributeDto['content'],
  contentType: RequestAttributeDto['contentType'] = 'string',
) => ({
  uuid: newUuid(),
  name,
  contentType,
  content,
});

const meta = (
  name: string,
  content: MetadataAttribute['content'],
  facts: Partial<MetadataAttribute> = {},
): MetadataAttribute => ({
  version: 2,
  uuid: '6b1d7f26-2f3a-4f62-9d0c-0a9b1c2d3e4f',
  name,
  type: 'meta',
  contentType: 'string',
  content,
  properties: { label: name, visible: true, global: false, overwrite: false },
  ...facts,
});

const authority = () => ({ resource: 'authorities' as const, uuid: newUuid() });
const rowsOf = (uuid: string) =>
  platform.database.query<{ item: unknown; value_text: string | null; value_number: number | null }>(
    'SELECT v.item, v.value_text, v.value_number FROM attribute_value v JOIN attribute_definition d ON d.uuid = v.definition_uuid WHERE v.object_uuid = $1 ORDER BY d.name',
    [uuid],
  );

async function write(
  definitions: BaseAttributeDto[],
  requested: RequestAttributeDto[],
  scope = { connectorUuid: newUuid() },
) {
  const object = authority();
  const attributes = await engine.validate({ connectorUuid: scope.connectorUuid, definitions, requested });
  await platform.database.transaction((tx) => engine.replaceValues(tx, { object, scope, attributes }));
  return { object, scope, attributes };
}

describe('definitions inside a group', () => {
  const group = (content: BaseAttributeDto[]): BaseAttributeDto => ({
    version: 2,
    uuid: newUuid(),
    name: 'group',
    type: 'group',
    content,
    attributeCallback: { callbackContext: '/x', callbackMethod: 'GET', mappings: [] },
  });
  const required = { label: 'x', visible: true, required: true, readOnly: false, list: false, multiSelect: false };

  it('are known before the callback is called, but are not required', async () => {
    const definitions = [group([data('inside', { contentType: 'integer', properties: required })])];
    await write(definitions, []);
    const { attributes } = await write(definitions, [sent('inside', [{ data: 7 }], 'integer')]);
    expect(attributes).toMatchObject([{ name: 'inside', contentType: 'integer' }]);
    const wrong = [sent('inside', [{ data: 'x' }], 'integer')];
    await expect(write(definitions, wrong)).rejects.toThrow('must contain an integer');
  });

  it('are overridden by a definition outside the group, and are rejected if they are malformed', async () => {
    const outside = data('same', { contentType: 'boolean' });
    const definitions = [group([data('same', { contentType: 'integer' })]), outside];
    const inside = [sent('same', [{ data: 7 }], 'boolean')];
    await expect(write(definitions, inside)).rejects.toThrow('must contain true or false');
    await expect(write([group([data('bad', { uuid: 'nonsense' })])], [])).rejects.toMatchObject({
      code: 'invalid_fields',
    });
  });
});

describe('values', () => {
  it('are masked for users, returned in full to connectors, and encrypted in the database', async () => {
    const several = { ...data('b').properties, list: true, multiSelect: true };
    const definitions = [data('b', { properties: several }), data('a', { contentType: 'secret' })];
    const requested = [
      sent('b', [{ reference: 'one', data: '1' }, { data: '2' }]),
      sent('a', [{ data: { secret: 'canary-71' } }], 'secret'),
    ];
    const { object, scope } = await write(definitions, requested);

    const shown = await engine.read(object, scope);
    expect(shown.map(({ name, label, type, content }) => ({ name, label, type, content }))).toEqual([
      { name: 'a', label: 'Label a', type: 'data', content: [{ data: {} }] },
      { name: 'b', label: 'Label b', type: 'data', content: [{ reference: 'one', data: '1' }, { data: '2' }] },
    ]);
    const forConnector = await engine.readForConnector(object, scope);
    expect(forConnector.find(({ name }) => name === 'a')?.content).toEqual([{ data: { secret: 'canary-71' } }]);
    const rows = await platform.database.query<{ row: string }>(
      'SELECT v::text AS row FROM attribute_value v WHERE object_uuid = $1',
      [object.uuid],
    );
    const clear = rows.map(({ row }) => row).join();
    for (const form of [
      'canary-71',
      Buffer.from('canary-71').toString('hex'),
      Buffer.from('canary-71').toString('base64'),
    ]) {
      expect(clear).not.toContain(form);
    }
  });

  it('can be decrypted only for the object that they were written for if they are secret', async () => {
    const { object, scope } = await write(
      [data('pin', { contentType: 'secret' })],
      [sent('pin', [{ data: { secret: '1' } }], 'secret')],
    );
    const other = authority();
    await platform.database.query('UPDATE attribute_value SET object_uuid = $2 WHERE object_uuid = $1', [
      object.uuid,
      other.uuid,
    ]);
    await expect(engine.readForConnector(other, scope)).rejects.toThrow(
      'The sealed value was modified or has a different purpose.',
    );
    expect((await engine.read(other, scope))[0]?.content).toEqual([{ data: {} }]);
  });

  it('are replaced as a whole within one scope, without affecting other scopes', async () => {
    const definitions = [data('x'), data('y')];
    const { object, scope } = await write(definitions, [sent('x', [{ data: 'old' }]), sent('y', [{ data: 'old' }])]);
    const issue = { ...scope, operation: 'issue' as const };
    const attributes = await engine.validate({ ...scope, definitions, requested: [sent('x', [{ data: 'new' }])] });
    await platform.database.transaction((tx) => engine.replaceValues(tx, { object, scope: issue, attributes }));
    await platform.database.transaction((tx) => engine.replaceValues(tx, { object, scope, attributes }));
    expect((await engine.read(object, scope)).map(({ name, content }) => [name, content])).toEqual([
      ['x', [{ data: 'new' }]],
    ]);
    await platform.database.transaction((tx) => engine.replaceValues(tx, { object, scope, attributes: [] }));
    expect(await engine.read(object, scope)).toEqual([]);
    expect(await engine.read(object, issue)).toHaveLength(1);
  });

  it('keep a stored secret if an update leaves it empty', async () => {
    const definitions = [data('pin', { contentType: 'secret' })];
    const { object, scope } = await write(definitions, [sent('pin', [{ data: { secret: '1234' } }], 'secret')]);
    const kept = await engine.withKeptSecrets({ object, scope }, [sent('pin', [{ data: {} }], 'secret')]);
    expect(kept[0]?.content).toEqual([{ data: { secret: '1234' } }]);
    const unknown = await engine.withKeptSecrets({ object: authority(), scope }, [
      sent('pin', [{ data: {} }], 'secret'),
    ]);
    await expect(engine.validate({ ...scope, definitions, requested: unknown })).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
  });

  it('have a text form or a numeric form for search filters', async () => {
    const definitions = [
      data('n', { contentType: 'integer' }),
      data('d', { contentType: 'datetime' }),
      data('t'),
      data('s', { contentType: 'secret' }),
    ];
    const { object } = await write(definitions, [
      sent('n', [{ data: 42 }], 'integer'),
      sent('d', [{ data: '2024-05-01T12:00:00+02:00' }], 'datetime'),
      sent('t', [{ data: 'ä'.repeat(5_000) }]),
      sent('s', [{ reference: 'known as', data: { secret: 'hidden' } }], 'secret'),
    ]);
    const rows = await rowsOf(object.uuid);
    expect(
      rows.map(({ value_text: text, value_number: number }) => [text?.slice(0, 24), text?.length, number]),
    ).toEqual([
      ['2024-05-01T10:00:00.000Z', 24, null],
      ['42', 2, 42],
      ['known as', 8, null],
      ['ä'.repeat(24), 500, null],
    ]);
  });

  it('are removed with their object', async () => {
    const { object } = await write([data('x')], [sent('x', [{ data: '1' }])]);
    await platform.database.transaction((tx) => engine.removeObjects(tx, 'authorities', [object.uuid]));
    expect(await rowsOf(object.uuid)).toEqual([]);
  });
});

describe('definitions', () => {
  it('cannot change their content type', async () => {
    const connectorUuid = newUuid();
    const definition = data('x');
    await engine.validate({ connectorUuid, definitions: [definition], requested: [] });
    const changed = { ...definition, contentType: 'integer' as const };
    await expect(engine.validate({ connectorUuid, definitions: [changed], requested: [] })).rejects.toMatchObject({
      code: 'invalid_fields',
    });
  });

  it('are stored for later requests that refer to them but do not include them', async () => {
    const connectorUuid = newUuid();
    await engine.learnDefinitions(connectorUuid, [data('child')]);
    const accepted = await engine.validate({
      connectorUuid,
      definitions: [],
      requested: [sent('child', [{ data: '1' }])],
    });
    expect(accepted).toHaveLength(1);
    await expect(
      engine.validate({ connectorUuid: newUuid(), definitions: [], requested: [sent('child', [{ data: '1' }])] }),
    ).rejects.toMatchObject({
      parameters: { problems: ['Attribute child is unknown.'] },
    });
  });

  it('are updated when the connector changes their label', async () => {
    const definition = data('x');
    const { object, scope } = await write([definition], [sent('x', [{ data: '1' }])]);
    const renamed = { ...definition, properties: { ...definition.properties, label: 'Renamed' } };
    await engine.learnDefinitions(scope.connectorUuid, [renamed]);
    expect((await engine.read(object, scope))[0]?.label).toBe('Renamed');
  });

  it('can be stored by two concurrent requests', async () => {
    const connectorUuid = newUuid();
    const definitions = Array.from({ length: 20 }, (_unused, index) => data(`f${index}`));
    const both = [definitions, [...definitions].reverse()].map((list) => engine.learnDefinitions(connectorUuid, list));
    await expect(Promise.all(both)).resolves.toHaveLength(2);
  });

  it('and data values are removed together with their connector; metadata is kept without the connector', async () => {
    const { object, scope } = await write([data('x')], [sent('x', [{ data: '1' }])]);
    await platform.database.transaction(async (tx) => {
      await engine.appendMetadata(tx, [
        { object, connectorUuid: scope.connectorUuid, metadata: [meta('m', [{ data: 'fact' }])] },
      ]);
      await engine.removeConnector(tx, scope.connectorUuid);
    });
    expect(await engine.read(object, scope)).toEqual([]);
    const [group, ...others] = await engine.readMetadata(object);
    expect(others).toEqual([]);
    expect(group?.connectorUuid).toBeUndefined();
    expect(group?.items[0]?.content).toEqual([{ data: 'fact' }]);
  });
});

describe('metadata', () => {
  const append = (
    object: ReturnType<typeof authority>,
    connectorUuid: string,
    metadata: MetadataAttribute[],
    source?: { resource: 'discoveries'; uuid: string; name: string },
  ) => platform.database.transaction((tx) => engine.appendMetadata(tx, [{ object, connectorUuid, source, metadata }]));

  it('is appended, without duplicates if it is from the same source', async () => {
    const [object, connectorUuid] = [authority(), newUuid()];
    await append(object, connectorUuid, [meta('m', [{ data: 'a' }, { data: 'a' }])]);
    await append(object, connectorUuid, [meta('m', [{ data: 'a' }, { data: 'b' }])]);
    const [group] = await engine.readMetadata(object);
    expect(group).toMatchObject({ connectorUuid, connectorName: 'Connector' });
    expect(group?.items.map(({ content }) => content)).toEqual([[{ data: 'a' }, { data: 'b' }]]);
  });

  it('is overwritten if its definition specifies this', async () => {
    const [object, connectorUuid] = [authority(), newUuid()];
    const overwrite = { properties: { label: 'm', visible: true, global: false, overwrite: true } };
    await append(object, connectorUuid, [meta('m', [{ data: 'a' }], overwrite)]);
    await append(object, connectorUuid, [meta('m', [{ data: 'b' }], overwrite)]);
    expect((await engine.readMetadata(object))[0]?.items[0]?.content).toEqual([{ data: 'b' }]);
  });

  it('lists every source of an item, separate from metadata without a source', async () => {
    const [object, connectorUuid] = [authority(), newUuid()];
    const sources = ['first', 'second'].map((name) => ({ resource: 'discoveries' as const, uuid: newUuid(), name }));
    for (const source of sources) await append(object, connectorUuid, [meta('m', [{ data: 'a' }])], source);
    await append(object, connectorUuid, [meta('m', [{ data: 'own' }])]);
    const groups = await engine.readMetadata(object);
    expect(groups).toHaveLength(2);
    const found = groups.find(({ sourceObjectType }) => sourceObjectType === 'discoveries');
    expect(found?.items[0]).toMatchObject({
      content: [{ data: 'a' }],
      sourceObjects: sources.map(({ uuid, name }) => ({ uuid, name })),
    });
  });

  it('is sent back to its connector with its definition', async () => {
    const [object, connectorUuid] = [authority(), newUuid()];
    await append(object, connectorUuid, [meta('m', [{ data: 'a' }])]);
    expect(await engine.readMetadataForConnector(object, connectorUuid)).toEqual([meta('m', [{ data: 'a' }])]);
    expect(await engine.readMetadataForConnector(object, newUuid())).toEqual([]);
  });

  it('is dropped if it is malformed, without rolling back the change that it is part of', async () => {
    const [object, connectorUuid] = [authority(), newUuid()];
    await append(object, connectorUuid, [meta('m', [{ data: 'a' }])]);
    const metadata = [
      meta('m', [{ data: 1 }], { contentType: 'integer' }),
      meta('n', [{ data: 'x\0' }]),
      meta('o', [{ data: 'ok' }]),
      meta('p', [{ data: 'x' }], { uuid: 'broken' }),
    ];
    await append(object, connectorUuid, metadata);
    const items = (await engine.readMetadata(object)).flatMap((group) => group.items);
    expect(items.map(({ name, content }) => [name, content])).toEqual([
      ['m', [{ data: 'a' }]],
      ['o', [{ data: 'ok' }]],
    ]);
  });
});
