import { oidOperations, type CustomOidEntryRequestDto, type SearchFilterRequestDto } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform } from '@signetry/testkit/services';
import { beforeEach, describe, expect, it } from 'vitest';
import { coreContextFor, type RequestContext } from '../../kernel/actor.ts';
import type { Database } from '../../platform/database/database.ts';
import { createAuditArea } from '../audit/index.ts';
import { createOidsArea, type Oids } from './index.ts';
import { createOidService, type OidService } from './service.ts';

const ARC = '1.3.6.1.4.1.99999';
const costCentre: CustomOidEntryRequestDto = {
  oid: `${ARC}.1`,
  displayName: 'Cost centre',
  category: 'rdnAttributeType',
  additionalProperties: { code: 'CostCentre', altCodes: ['CC'] },
};

describe('object identifiers', () => {
  let database: Database;
  let service: OidService;
  let renamed: string[][];

  beforeEach(async () => {
    database = await testDatabase();
    const platform = testPlatform(database);
    renamed = [];
    service = createOidService(platform, {
      audit: createAuditArea(platform).trail,
      onCodesChanged: async (_tx, oids) => void renamed.push([...oids]),
      onChanged: () => undefined,
    });
  });

  const context = (operation: keyof typeof oidOperations): RequestContext => coreContextFor(oidOperations[operation]);
  const create = (entry: Partial<CustomOidEntryRequestDto> = {}) =>
    service.create({ ...costCentre, ...entry }, context('createCustomOidEntry'));
  const edit = (entry: Partial<CustomOidEntryRequestDto>) =>
    service.update(costCentre.oid, { ...costCentre, ...entry }, context('editCustomOidEntry'));
  const rejectionOf = (entry: Partial<CustomOidEntryRequestDto>) =>
    create(entry).then(
      () => 'accepted',
      (error: Error) => error.message,
    );

  it('are stored as created, can be edited and deleted, and each change creates one audit record', async () => {
    expect(await create()).toEqual({ ...costCentre, description: undefined });
    const description = 'Department that pays.';
    expect(await edit({ description })).toEqual({ ...costCentre, description });
    await service.remove(costCentre.oid, context('deleteCustomOidEntry'));
    await expect(service.detail(costCentre.oid)).rejects.toMatchObject({ code: 'object_not_found' });
    const records = await database.query<{ operation: string; resource_objects: unknown }>(
      'SELECT operation, resource_objects FROM audit_record ORDER BY id',
    );
    expect(records.map(({ operation }) => operation)).toEqual(['create', 'update', 'delete']);
    expect(records[0]?.resource_objects).toEqual([{ name: costCentre.oid }]);
  });

  it('have only one entry each, and no entry if their names are built in', async () => {
    await create();
    expect(await rejectionOf({ additionalProperties: { code: 'OTHER' } })).toBe(
      `oid: ${ARC}.1 already has an entry: Cost centre`,
    );
    expect(await rejectionOf({ oid: '2.5.4.3', additionalProperties: { code: 'NAME' } })).toContain('Common Name');
    expect(await rejectionOf({ oid: '1.3.6.1.5.5.7.3.1', category: 'extendedKeyUsage' })).toContain(
      'TLS Web Server Authentication',
    );
  });

  it('can be built-in ones if the API leaves their names to administrators', async () => {
    const oid = '2.5.4.97';
    const additionalProperties = { code: 'ORGANIZATIONIDENTIFIER', altCodes: ['ORGID'] };
    expect(await create({ oid, additionalProperties })).toMatchObject({ oid, additionalProperties });
  });

  it.each([
    ['a second arc that is too large', '1.40.1'],
    ['more digits than an encoding supports', `2.${'9'.repeat(400)}`],
  ])('are rejected with %s', async (_what, oid) => {
    expect(await rejectionOf({ oid })).toContain('is not an object identifier:');
  });

  it.each([
    ['of a different entry', { code: 'costcentre' }, 'is already a code of Cost centre'],
    ['that is an alternative code of a different entry', { code: 'CC' }, 'is already a code of Cost centre'],
    ['that is built in', { code: 'cn' }, 'is a built-in code of Common Name'],
    ['that is a built-in alternative code', { code: 'X', altCodes: ['SURNAME'] }, 'is a built-in code of Surname'],
    ['that differs only in case', { code: 'TEAM', altCodes: ['Team'] }, 'is listed more than once;'],
  ])('cannot have a code %s', async (_which, additionalProperties, problem) => {
    await create();
    expect(await rejectionOf({ oid: `${ARC}.2`, additionalProperties })).toContain(problem);
  });

  it('have a code if and only if they are attribute types of distinguished names', async () => {
    expect(await rejectionOf({ additionalProperties: undefined })).toContain('additionalProperties.code: is required');
    expect(await rejectionOf({ category: 'generic' })).toContain(
      'only attribute types of distinguished names (category rdnAttributeType) can have codes',
    );
    expect(await create({ category: 'generic', additionalProperties: undefined })).not.toHaveProperty(
      'additionalProperties.code',
    );
  });

  it('allow only one of two simultaneous callers to use a code', async () => {
    const outcomes = await Promise.allSettled([create(), create({ oid: `${ARC}.2` })]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('report the types whose names must be rewritten, and no others', async () => {
    await create();
    await edit({ displayName: 'Cost center', additionalProperties: { code: 'CostCentre', altCodes: ['KST'] } });
    await edit({ additionalProperties: { code: 'CC' } });
    await create({ oid: `${ARC}.2`, category: 'generic', additionalProperties: undefined });
    await service.removeMany([`${ARC}.1`, `${ARC}.2`, `${ARC}.3`], context('bulkDeleteCustomOidEntry'));
    expect(renamed).toEqual([[`${ARC}.1`], [`${ARC}.1`], [`${ARC}.1`]]);
  });

  it('are listed page by page, in descending order, and can be searched by all fields', async () => {
    await create();
    const usage = { category: 'extendedKeyUsage', additionalProperties: undefined } as const;
    await create({ ...usage, oid: `${ARC}.2`, displayName: 'Badge printing' });
    await create({ ...usage, oid: `${ARC}.3`, displayName: 'Door opening' });
    const list = async (filters: SearchFilterRequestDto[], page = {}) => {
      const { oidEntries, ...totals } = await service.list({ itemsPerPage: 2, pageNumber: 1, filters, ...page });
      return { ...totals, oids: oidEntries.map(({ oid }) => oid.slice(ARC.length)) };
    };
    const by = (fieldIdentifier: string, condition: 'EQUALS' | 'CONTAINS' | 'EMPTY', value?: string) =>
      list([{ fieldSource: 'property', fieldIdentifier, condition, value }]).then(({ oids }) => oids);
    expect(await list([])).toEqual({
      itemsPerPage: 2,
      pageNumber: 1,
      totalItems: 3,
      totalPages: 2,
      oids: ['.3', '.2'],
    });
    expect((await list([], { pageNumber: 2 })).oids).toEqual(['.1']);
    expect(await by('OID_ENTRY_OID', 'EQUALS', `${ARC}.2`)).toEqual(['.2']);
    expect(await by('OID_ENTRY_DISPLAY_NAME', 'CONTAINS', 'opening')).toEqual(['.3']);
    expect(await by('OID_ENTRY_CATEGORY', 'EQUALS', 'rdnAttributeType')).toEqual(['.1']);
    expect(await by('OID_ENTRY_CODE', 'EMPTY')).toEqual(['.3', '.2']);
    await expect(by('OID_ENTRY_NAME', 'EMPTY')).rejects.toMatchObject({ code: 'invalid_fields' });
  });

  it('have filter fields', () => {
    const [properties, ...others] = service.searchFields();
    expect(others).toEqual([]);
    expect(properties?.searchFieldData?.map(({ fieldLabel }) => fieldLabel)).toEqual([
      'Category',
      'Code',
      'Display Name',
      'OID',
    ]);
  });
});

describe('names of object identifiers', () => {
  const areaOf = (database: Database): { area: Oids; service: OidService; pass: (ms: number) => void } => {
    const clock = createFakeClock();
    const platform = testPlatform(database, { clock });
    const { trail: audit } = createAuditArea(platform);
    const area = createOidsArea(platform, { audit });
    const service = createOidService(platform, {
      audit,
      onCodesChanged: async () => undefined,
      onChanged: () => undefined,
    });
    return { area, service, pass: (ms) => clock.advance(ms) };
  };
  const context = coreContextFor(oidOperations.createCustomOidEntry);

  it('consist of the built-in names and the names of the entries', async () => {
    const { area, service, pass } = areaOf(await testDatabase());
    const before = await area.names();
    expect(before.keyUsage('1.3.6.1.5.5.7.3.1')).toBe('TLS Web Server Authentication');
    expect(before.keyUsage('1.3.6.1.5.5.7.3.4')).toBe('Email Protection');
    expect(before.keyUsage(`${ARC}.5`)).toBe(`${ARC}.5`);
    await service.create(costCentre, context);
    await service.create({ oid: `${ARC}.5`, displayName: 'Badge printing', category: 'extendedKeyUsage' }, context);
    pass(5_000);
    const { codes, keyUsage } = await area.names();
    expect(keyUsage(`${ARC}.5`)).toBe('Badge printing');
    expect(codes.byOid.get(`${ARC}.1`)).toBe('CostCentre');
    expect(['COSTCENTRE', 'CC'].map((code) => codes.byCode.get(code))).toEqual([`${ARC}.1`, `${ARC}.1`]);
  });

  it('are updated within 5 s on nodes that did not change them', async () => {
    const database = await testDatabase();
    const [here, there] = [areaOf(database), areaOf(database)];
    await there.area.names();
    await here.service.create(costCentre, context);
    there.pass(5_000);
    expect((await there.area.names()).codes.byOid.size).toBe(1);
  });
});
