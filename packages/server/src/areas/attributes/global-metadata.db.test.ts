import { globalMetadataOperations, type MetadataAttribute } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { coreContextFor } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { createAuditArea } from '../audit/index.ts';
import { createAttributeEngine, type AttributeEngine } from './engine.ts';
import { createGlobalMetadataService, type GlobalMetadataService } from './global-metadata.ts';

let platform: Platform;
let engine: AttributeEngine;
let service: GlobalMetadataService;

beforeAll(async () => {
  platform = testPlatform(await testDatabase());
  engine = createAttributeEngine(platform);
  engine.registerConnectorNames((uuids) => Promise.resolve(new Map(uuids.map((uuid) => [uuid, 'Connector']))));
  service = createGlobalMetadataService(platform, { audit: createAuditArea(platform).trail });
});

const by = (operation: keyof typeof globalMetadataOperations) => coreContextFor(globalMetadataOperations[operation]);

const metadataItem = (name: string, global: boolean, facts: Partial<MetadataAttribute> = {}): MetadataAttribute => ({
  version: 2,
  uuid: newUuid(),
  name,
  type: 'meta',
  contentType: 'string',
  content: [{ data: `value of ${name}` }],
  properties: { label: `Label of ${name}`, visible: true, global, overwrite: false },
  ...facts,
});

/** Stores connector metadata about a new object; returns the metadata that is displayed for it. */
async function reportMetadata(connectorUuid: string, ...metadata: MetadataAttribute[]) {
  const object = { resource: 'certificates' as const, uuid: newUuid() };
  await platform.database.transaction((tx) => engine.appendMetadata(tx, [{ object, connectorUuid, metadata }]));
  return (await engine.readMetadata(object)).flatMap(({ items }) => items);
}

describe('global metadata', () => {
  it('can be created by administrators, and global metadata from connectors is shown under its label', async () => {
    const request = { name: 'location', contentType: 'string' as const, label: 'Where it is', visible: true };
    const uuid = await service.create(request, by('createGlobalMetadata'));
    expect(await service.detail(uuid)).toMatchObject({ uuid, type: 'meta', label: 'Where it is', enabled: true });
    for (const connector of [newUuid(), newUuid()])
      expect(await reportMetadata(connector, metadataItem('location', true))).toMatchObject([
        { uuid, label: 'Where it is' },
      ]);
    // Non-global connector metadata has its own definition, even under the same name.
    expect(await reportMetadata(newUuid(), metadataItem('location', false))).toMatchObject([
      { label: 'Label of location' },
    ]);
    // A value of a different content type is dropped.
    expect(
      await reportMetadata(
        newUuid(),
        metadataItem('location', true, { contentType: 'integer', content: [{ data: 7 }] }),
      ),
    ).toEqual([]);
    await expect(service.create(request, by('createGlobalMetadata'))).rejects.toMatchObject({ code: 'already_exists' });
  });

  it("can be promoted from a connector, keeps an administrator's changes, and reverts to the connector's definition when it is deleted", async () => {
    const [connectorUuid, own] = [newUuid(), metadataItem('rack', false)];
    await reportMetadata(connectorUuid, own);
    const [candidate] = await service.candidates(connectorUuid);
    expect(candidate).toMatchObject({ name: 'rack', connectorUuid });
    const promoted = await service.promote(
      { uuid: candidate?.uuid ?? '', connectorUuid },
      by('promoteConnectorMetadata'),
    );
    expect(promoted).toMatchObject({ name: 'rack', label: 'Label of rack' });
    expect(await service.candidates(connectorUuid)).toEqual([]);
    await service.update(
      promoted.uuid,
      { label: 'Rack', visible: true, description: 'In the hall' },
      by('editGlobalMetadata'),
    );
    expect(await reportMetadata(connectorUuid, own)).toMatchObject([{ label: 'Rack' }]);
    expect(await reportMetadata(newUuid(), metadataItem('rack', true))).toMatchObject([{ label: 'Rack' }]);
    const other = await reportMetadata(connectorUuid, own).then(() => service.detail(promoted.uuid));
    expect(other).toMatchObject({ label: 'Rack', description: 'In the hall' });
    await service.remove(promoted.uuid, by('deleteGlobalMetadata'));
    await expect(service.detail(promoted.uuid)).rejects.toMatchObject({ code: 'object_not_found' });
    expect(await reportMetadata(connectorUuid, own)).toMatchObject([{ name: 'rack' }]);
  });

  it('cannot be promoted twice under one name, or from an unknown identifier', async () => {
    const [one, two] = [newUuid(), newUuid()];
    await reportMetadata(one, metadataItem('slot', false));
    await reportMetadata(two, metadataItem('slot', false));
    const promote = async (connectorUuid: string) => {
      const [candidate] = await service.candidates(connectorUuid);
      return service.promote({ uuid: candidate?.uuid ?? newUuid(), connectorUuid }, by('promoteConnectorMetadata'));
    };
    await promote(one);
    await expect(promote(two)).rejects.toMatchObject({ code: 'already_exists' });
    await expect(promote(newUuid())).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('is deleted if it has no values; otherwise, it only stops being global', async () => {
    const make = (name: string) =>
      service.create({ name, contentType: 'string', label: name, visible: true }, by('createGlobalMetadata'));
    const [empty, used] = [await make('empty'), await make('used')];
    const connectorUuid = newUuid();
    await reportMetadata(connectorUuid, metadataItem('used', true));
    await service.removeMany([empty, used, newUuid()], by('bulkDeleteGlobalMetadata'));
    const rows = await platform.database.query<{ uuid: string; is_global: boolean }>(
      'SELECT uuid, is_global FROM attribute_definition WHERE uuid = ANY($1::uuid[])',
      [[empty, used]],
    );
    expect(rows).toEqual([{ uuid: used, is_global: false }]);
    expect(await reportMetadata(connectorUuid, metadataItem('used', true))).toMatchObject([{ name: 'used' }]);
  });
});
