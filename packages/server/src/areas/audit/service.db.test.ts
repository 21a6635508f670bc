import { inflateRawSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FilterConditionOperator, SearchFilterRequestDto } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { coreContext, type RequestContext } from '../../kernel/actor.ts';
import { createExternalAuditSink } from './external-sink.ts';
import { createAuditKey } from './store-key.ts';
import { purgeAuditLog } from './purge-audit-log.ts';
import { createAuditSealer } from './sealer.ts';
import { createAuditService } from './service.ts';
import { createAuditTrail } from './trail.ts';

const database = await testDatabase();
const platform = testPlatform(database);
const trail = createAuditTrail(platform);
const key = createAuditKey(platform);
const outside = createExternalAuditSink(platform, { endIntervalMs: 0 });
const sealer = createAuditSealer(platform, { key, outside, endIntervalMs: 0 });
const service = createAuditService(platform, { trail, sealer, key });

const groups: RequestContext = {
  ...coreContext('r1'),
  audit: { module: 'core', resource: 'groups', operation: 'create' },
};
const audit = (operation: 'export' | 'delete'): RequestContext => ({
  ...groups,
  audit: { module: 'core', resource: 'auditLogs', operation },
});

const filter = (
  fieldIdentifier: string,
  condition: FilterConditionOperator,
  value?: unknown,
): SearchFilterRequestDto => ({ fieldSource: 'property', fieldIdentifier, condition, value });
const page = (filters: SearchFilterRequestDto[] = [], itemsPerPage = 10, pageNumber = 1) =>
  service.list({ filters, itemsPerPage, pageNumber });

const U1 = '11111111-0000-4000-8000-000000000001';

beforeEach(async () => {
  await database.query('TRUNCATE audit_record, audit_unsealed, audit_chain, audit_seal, audit_purge RESTART IDENTITY');
  // The table was truncated, so the sealer must forget its position.
  sealer.remembered.forEach((_end, node) => (sealer.remembered as Map<string, unknown>).delete(node));
  const entries = [
    { objects: [{ uuid: U1, name: 'web' }] },
    {
      objects: [{ name: 'mail' }, { name: 'web' }],
      affiliated: { resource: 'roles' as const, objects: [{ name: 'admin' }] },
    },
    { result: 'failure' as const, message: 'no such thing' },
  ];
  await database.transaction((tx) =>
    trail.insertMany(
      tx,
      entries.map((entry) => trail.record(groups, entry)),
    ),
  );
});

describe('the audit log', () => {
  it('is listed in descending order of IDs, page by page', async () => {
    const first = await page([], 2);
    expect(first).toMatchObject({ itemsPerPage: 2, pageNumber: 1, totalItems: 3, totalPages: 2 });
    expect(first.items.map(({ id }) => id)).toEqual([3, 2]);
    expect((await page([], 2, 2)).items.map(({ id }) => id)).toEqual([1]);
    expect(await page([], 2, 9)).toMatchObject({ totalItems: 3, items: [] });
    expect(first.items[1]).toMatchObject({
      version: '1.1',
      module: 'core',
      actor: { type: 'core', authMethod: 'none', name: 'signetry' },
      resource: { type: 'groups', objects: [{ name: 'mail' }, { name: 'web' }] },
      affiliatedResource: { type: 'roles', objects: [{ name: 'admin' }] },
      operation: 'create',
      operationResult: 'success',
    });
    expect(first.items[0]).toMatchObject({ operationResult: 'failure', message: 'no such thing' });
  });

  it.each([
    ['AUDIT_LOG_RESOURCE_UUID', 'EQUALS', U1, [1]],
    ['AUDIT_LOG_RESOURCE_NAME', 'EQUALS', 'web', [2, 1]],
    ['AUDIT_LOG_RESOURCE_NAME', 'NOT_EQUALS', 'mail', [3, 1]],
    ['AUDIT_LOG_RESOURCE_NAME', 'EMPTY', undefined, [3]],
    ['AUDIT_LOG_AFFILIATED_RESOURCE', 'EQUALS', ['roles', 'users'], [2]],
    ['AUDIT_LOG_AFFILIATED_RESOURCE_NAME', 'EQUALS', 'admin', [2]],
    ['AUDIT_LOG_OPERATION_RESULT', 'EQUALS', 'failure', [3]],
    ['AUDIT_LOG_MESSAGE', 'MATCHES', '^no (such|more)', [3]],
    ['AUDIT_LOG_TIMESTAMP', 'IN_PAST', 'PT1H', [3, 2, 1]],
    ['AUDIT_LOG_SOURCE_PATH', 'NOT_EMPTY', undefined, []],
    ['AUDIT_LOG_MODULE', 'EQUALS', 'noSuchModule', []],
  ] as const)('can be searched by %s %s', async (field, condition, value, ids) => {
    expect((await page([filter(field, condition, value)])).items.map(({ id }) => id)).toEqual(ids);
  });

  it('rejects unknown fields, invalid values and invalid pages', async () => {
    await expect(page([filter('NO_FIELD', 'EQUALS', 'x')])).rejects.toMatchObject({
      code: 'invalid_fields',
      message: expect.stringContaining('NO_FIELD'),
    });
    await expect(page([filter('AUDIT_LOG_TIMESTAMP', 'EQUALS', 'yesterday')])).rejects.toMatchObject({
      code: 'invalid_fields',
    });
    await expect(page([], 1001)).rejects.toMatchObject({ code: 'invalid_fields' });
  });

  it('offers its search fields sorted by label, with enumeration codes', () => {
    const [group] = service.searchFields();
    expect(group?.filterFieldSource).toBe('property');
    expect(group?.searchFieldData).toHaveLength(16);
    const labels = group?.searchFieldData?.map(({ fieldLabel }) => fieldLabel) ?? [];
    expect(labels).toEqual([...labels].sort((a, b) => a.localeCompare(b, 'en')));
    expect(group?.searchFieldData).toContainEqual({
      fieldIdentifier: 'AUDIT_LOG_OPERATION_RESULT',
      fieldLabel: 'Operation result',
      type: 'list',
      conditions: ['EQUALS', 'NOT_EQUALS', 'EMPTY', 'NOT_EMPTY'],
      platformEnum: 'OperationResult',
      value: ['success', 'failure'],
      multiValue: true,
    });
  });
});

describe('the audit log export', () => {
  it('is an archive with one CSV file that contains the matching records, and is itself recorded', async () => {
    const result = await service.exportArchive([filter('AUDIT_LOG_RESOURCE_NAME', 'EQUALS', 'web')], audit('export'));
    expect(result?.fileName).toMatch(/^audit-logs_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.zip$/);
    const bytes = Buffer.concat(await (result?.file.toArray() ?? []));
    const nameLength = bytes.readUInt16LE(26);
    expect(bytes.subarray(30, 30 + nameLength).toString()).toBe(result?.fileName.replace('.zip', '.csv'));
    const lines = inflateRawSync(bytes.subarray(30 + nameLength))
      .toString()
      .split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(
      /^2,1\.1,.*,core,create,success,groups,\[\{mail;\};\{web;\}\],roles,\[\{admin;\}\],core,none,,signetry,,,,,$/,
    );
    expect(lines[2]).toMatch(/^1,1\.1,/);
    expect((await page()).items[0]).toMatchObject({
      operation: 'export',
      resource: { type: 'auditLogs' },
      operationData: { file: result?.fileName },
    });
  });

  it('has no body if nothing matches', async () => {
    expect(
      await service.exportArchive([filter('AUDIT_LOG_MESSAGE', 'EQUALS', 'nothing')], audit('export')),
    ).toBeUndefined();
  });

  it('reads the records page by page', async () => {
    const records = Array.from({ length: 2500 }, () => trail.record(groups, {}));
    await database.transaction((tx) => trail.insertMany(tx, records));
    const result = await service.exportArchive([], audit('export'));
    const bytes = Buffer.concat(await (result?.file.toArray() ?? []));
    const ids = inflateRawSync(bytes.subarray(30 + bytes.readUInt16LE(26)))
      .toString()
      .split('\r\n')
      .slice(1, -1)
      .map((line) => Number(line.split(',')[0]));
    expect(ids).toEqual(Array.from({ length: 2503 }, (_, index) => 2503 - index));
  });
});

describe('an audit log purge', () => {
  it('removes matching records, is recorded, and keeps the trail intact', async () => {
    expect(await service.purge([filter('AUDIT_LOG_RESOURCE_NAME', 'EQUALS', 'web')], audit('delete'))).toBe(2);
    const { items } = await page();
    expect(items).toHaveLength(2);
    expect(items[0]).toMatchObject({
      operation: 'delete',
      resource: { type: 'auditLogs' },
      operationData: { records: 2, firstId: 1, lastId: 2 },
    });
    await sealer.seal();
    expect(await service.verify()).toMatchObject({ intact: true, rows: 2, sealed: 4, purged: 2 });
  });

  it('without a filter removes everything except the record of the purge, including unsealed records', async () => {
    expect(await service.purge([], audit('delete'))).toBe(3);
    expect((await page()).items.map(({ operation }) => operation)).toEqual(['delete']);
    expect(await service.purge([], audit('delete'))).toBe(1);
    await sealer.seal();
    expect(await service.verify()).toMatchObject({ intact: true, rows: 1, purged: 4 });
  });

  it('keeps records that are not yet sealed', async () => {
    const idle = { ...sealer, seal: async () => 0 };
    const request = { conditions: [], context: audit('delete'), description: {} };
    expect(await purgeAuditLog({ platform, trail, sealer: idle, key }, request)).toBe(0);
    expect((await page()).totalItems).toBe(4);
  });

  it('does not hide later manual deletions', async () => {
    await service.purge([filter('AUDIT_LOG_RESOURCE_NAME', 'EQUALS', 'web')], audit('delete'));
    await database.query('DELETE FROM audit_record WHERE id = 3');
    expect(await service.verify()).toMatchObject({ intact: false, purged: 2, badRows: 1, firstBad: { id: 3 } });
  });

  it('cannot be hidden by removing its marker', async () => {
    await service.purge([], audit('delete'));
    await database.query('DELETE FROM audit_purge');
    expect(await service.verify()).toMatchObject({ intact: false, badRows: 3 });
  });

  it('is rejected as a whole if an expression is invalid', async () => {
    await expect(service.purge([filter('AUDIT_LOG_MESSAGE', 'MATCHES', '(')], audit('delete'))).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
    expect((await page()).totalItems).toBe(3);
  });
});
