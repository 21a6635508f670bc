import type {
  CertificateSearchRequestDto,
  MetadataAttribute,
  Resource,
  SearchFilterRequestDto,
} from '@signetry/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ObjectRights, ResourceRights } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { makeCertificate, makeRoot } from '../../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../testing/test-inventory.ts';

let test: TestInventory;
let profileUuid: string;
const uuids: Record<string, string> = {};

const metadata = (name: string, contentType: MetadataAttribute['contentType'], data: unknown): MetadataAttribute => ({
  version: 2,
  uuid: newUuid(),
  name,
  type: 'meta',
  contentType,
  content: [{ data }] as never, // Matches the content type.
  properties: { label: `Label of ${name}`, visible: true, global: false, overwrite: false },
});

beforeAll(async () => {
  test = await createTestInventory();
  const root = await makeRoot('List Root');
  uuids.root = await test.trust(root.der);
  for (const name of ['a', 'b', 'c'])
    uuids[name] = await test.upload(
      (await makeCertificate(`${name}.test`, { issuer: root, dnsNames: [`${name}.san.test`] })).der,
    );
  const profile = await test.addProfile('profile-a');
  profileUuid = profile.uuid;
  test.identify = () =>
    Promise.resolve([
      metadata('slot', 'integer', 7),
      metadata('seen', 'datetime', '2026-01-02T03:04:05Z'),
      metadata('seen', 'string', 'x'),
    ]);
  await test.inventory.update(uuids.a ?? '', { raProfileUuid: profile.uuid }, test.context);
  const { database } = test.platform;
  const group = newUuid();
  await database.query(
    `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, 'web', now(), now())`,
    [group],
  );
  await test.inventory.update(uuids.b ?? '', { groupUuids: [group] }, test.context);
  const owner = newUuid();
  test.usernames.set(owner, 'bob');
  await test.inventory.update(uuids.c ?? '', { ownerUuid: owner }, test.context);
  await database.query('UPDATE certificate SET archived = true WHERE uuid = $1', [uuids.c]);
});

const list = (request: Partial<CertificateSearchRequestDto> = {}) =>
  test.inventory.list({ itemsPerPage: 10, pageNumber: 1, ...request }, test.context);

const find = async (...filters: (Partial<SearchFilterRequestDto> & { fieldIdentifier: string })[]) => {
  const complete = filters.map(
    ({ fieldSource = 'property', condition = 'EQUALS', fieldIdentifier, value }): SearchFilterRequestDto => ({
      fieldSource,
      fieldIdentifier,
      condition,
      value,
    }),
  );
  const { certificates } = await list({ filters: complete, includeArchived: true });
  return certificates.map(({ commonName }) => commonName);
};

describe('the certificate list', () => {
  it('shows the newest certificates first, omits archived ones, and has an exact total', async () => {
    const page = await list();
    expect(page.certificates.map(({ uuid }) => uuid)).toEqual([uuids.b, uuids.a, uuids.root]);
    expect(page).toMatchObject({ itemsPerPage: 10, pageNumber: 1, totalPages: 1, totalItems: 3 });
  });

  it('includes archived certificates on request', async () => {
    expect((await list({ includeArchived: true })).totalItems).toBe(4);
  });

  it('shows each certificate on exactly one page, and the same totals on every page', async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map((pageNumber) => list({ itemsPerPage: 2, pageNumber, includeArchived: true })),
    );
    expect(pages.map(({ totalItems, totalPages }) => [totalItems, totalPages])).toEqual(pages.map(() => [4, 2]));
    expect(pages.flatMap(({ certificates }) => certificates.map(({ uuid }) => uuid))).toEqual([
      uuids.c,
      uuids.b,
      uuids.a,
      uuids.root,
    ]);
  });

  it('shows the RA profile, the groups and the owner', async () => {
    const { certificates } = await list({ includeArchived: true });
    const byName = new Map(certificates.map((each) => [each.commonName, each]));
    expect(byName.get('a.test')?.raProfile).toMatchObject({ uuid: profileUuid, name: 'profile-a', enabled: true });
    expect(byName.get('a.test')?.raProfile?.authorityInstanceUuid).toBeDefined();
    expect(byName.get('b.test')?.groups).toMatchObject([{ name: 'web' }]);
    expect(byName.get('c.test')).toMatchObject({ owner: 'bob', archived: true, groups: [] });
  });

  it.each([
    ['COMMON_NAME', 'STARTS_WITH', 'a.', ['a.test']],
    ['COMMON_NAME', 'MATCHES', '^[ab]\\.', ['b.test', 'a.test']],
    ['RA_PROFILE_NAME', 'EQUALS', ['profile-a'], ['a.test']],
    ['RA_PROFILE_NAME', 'EMPTY', undefined, ['c.test', 'b.test', 'List Root']],
    ['GROUP_NAME', 'EQUALS', ['web'], ['b.test']],
    ['GROUP_NAME', 'EMPTY', '', ['c.test', 'a.test', 'List Root']],
    ['OWNER', 'EQUALS', 'bob', ['c.test']],
    ['CERTIFICATE_STATE', 'EQUALS', ['issued'], ['c.test', 'b.test', 'a.test', 'List Root']],
    ['CERTIFICATE_VALIDATION_STATUS', 'NOT_EQUALS', ['valid'], []],
    ['SUBJECT_TYPE', 'EQUALS', ['rootCa'], ['List Root']],
    ['TRUSTED_CA', 'EQUALS', true, ['List Root']],
    ['TRUSTED_CA', 'EMPTY', undefined, ['c.test', 'b.test', 'a.test']],
    ['KEY_USAGE', 'EQUALS', ['keyCertSign'], ['List Root']],
    ['KEY_SIZE', 'LESSER', 3072, ['c.test', 'b.test', 'a.test', 'List Root']],
    ['KEY_SIZE', 'GREATER_OR_EQUAL', 3072, []],
    ['KEY_SIZE', 'EQUALS', [256], ['c.test', 'b.test', 'a.test', 'List Root']],
    ['ARCHIVED', 'EQUALS', 'true', ['c.test']],
    ['ISSUER_COMMON_NAME', 'EQUALS', 'List Root', ['c.test', 'b.test', 'a.test', 'List Root']],
    ['SUBJECT_ALTERNATIVE_NAMES', 'CONTAINS', 'b.san.test', ['b.test']],
    ['SIGNATURE_VALIDATION', 'EQUALS', ['valid'], ['c.test', 'b.test', 'a.test', 'List Root']],
    ['CRL_VALIDATION', 'EQUALS', ['valid'], []],
    ['NOT_AFTER', 'IN_NEXT', 'P2Y', ['c.test', 'b.test', 'a.test', 'List Root']],
    ['SUCCEEDING_CERTIFICATES', 'COUNT_GREATER_THAN', 0, []],
  ] as const)('filters by %s %s %s', async (fieldIdentifier, condition, value, expected) => {
    expect(await find({ fieldIdentifier, condition, value })).toEqual(expected);
  });

  it('filters by metadata, and compares each content type according to its own rules', async () => {
    const meta = (fieldIdentifier: string, condition: SearchFilterRequestDto['condition'], value: unknown) =>
      find({ fieldSource: 'meta', fieldIdentifier, condition, value });
    expect(await meta('slot|INTEGER', 'GREATER', 6)).toEqual(['a.test']);
    expect(await meta('slot|INTEGER', 'GREATER', 7)).toEqual([]);
    expect(await meta('seen|DATETIME', 'LESSER', '2026-01-02T03:04:06Z')).toEqual(['a.test']);
    expect(await meta('seen|STRING', 'EQUALS', 'x')).toEqual(['a.test']);
    expect(await meta('seen|STRING', 'EMPTY', undefined)).toEqual(['c.test', 'b.test', 'List Root']);
    expect(await meta('unknown|STRING', 'EQUALS', 'x')).toEqual([]);
  });

  it.each(['NO_SUCH_FIELD', 'uuid'])(
    'rejects the unknown field %s, naming it in the error',
    async (fieldIdentifier) => {
      await expect(find({ fieldIdentifier })).rejects.toMatchObject({
        code: 'invalid_fields',
        message: expect.stringContaining(fieldIdentifier),
      });
    },
  );

  it('offers its fields with the existing values', async () => {
    const groups = await test.inventory.searchFields(test.context);
    expect(groups.map(({ filterFieldSource }) => filterFieldSource)).toEqual(['meta', 'property']);
    const fields = new Map(
      groups.flatMap(({ searchFieldData = [] }) => searchFieldData.map((field) => [field.fieldIdentifier, field])),
    );
    expect(fields.get('RA_PROFILE_NAME')?.value).toEqual(['profile-a']);
    expect(fields.get('GROUP_NAME')?.value).toEqual(['web']);
    expect(fields.get('OWNER')?.value).toEqual(['bob']);
    expect(fields.get('KEY_SIZE')?.value).toEqual([256]);
    expect(fields.get('SIGNATURE_ALGORITHM')?.value).toEqual(['SHA256withECDSA']);
    expect(fields.get('CERTIFICATE_STATE')?.value).toContain('issued');
    expect(fields.get('CERTIFICATE_TYPE')).toBeUndefined();
    expect(fields.get('slot|INTEGER')).toMatchObject({
      type: 'number',
      fieldLabel: 'Label of slot',
      attributeContentType: 'integer',
    });
    expect(fields.get('seen|DATETIME')).toMatchObject({ type: 'date', fieldLabel: 'Label of seen (datetime)' });
  });

  it('offers objects by UUID and name for rules, and only settable fields for actions', async () => {
    const fieldsFor = async (use: 'rules' | 'settable') => {
      const groups = await test.inventory.searchFields(test.context, use);
      return groups.flatMap(({ searchFieldData = [] }) => searchFieldData);
    };
    const rules = await fieldsFor('rules');
    const named = (identifier: string) => rules.find(({ fieldIdentifier }) => fieldIdentifier === identifier);
    expect(named('RA_PROFILE_NAME')?.value).toEqual([{ uuid: profileUuid, name: 'profile-a' }]);
    expect(named('CERTIFICATE_TYPE')?.value).toContain('X.509');
    expect(named('slot|INTEGER')).toBeDefined();
    const settable = (await fieldsFor('settable')).map(({ fieldIdentifier }) => fieldIdentifier);
    expect(settable).toEqual(['GROUP_NAME', 'OWNER', 'RA_PROFILE_NAME']);
  });

  it('does not offer objects that the caller cannot list as values', async () => {
    const valuesFor = async (username: string, ...rights: readonly (readonly [Resource, ResourceRights])[]) => {
      const permissions = { allowAllResources: false, resources: new Map(rights) };
      const context = { ...test.context, actor: { ...test.context.actor, username, permissions } };
      const groups = await test.inventory.searchFields(context);
      const fields = groups.flatMap(({ searchFieldData = [] }) => searchFieldData);
      const valueOf = (name: string) => fields.find(({ fieldIdentifier }) => fieldIdentifier === name)?.value;
      const offered = ['RA_PROFILE_NAME', 'GROUP_NAME', 'OWNER', 'KEY_SIZE', 'SIGNATURE_ALGORITHM'].map(valueOf);
      return { offered, hasAttributes: fields.some(({ fieldIdentifier }) => fieldIdentifier === 'slot|INTEGER') };
    };
    const all = { allowAllActions: true, actions: new Set<never>() };
    const none = { offered: [[], [], [], [], []], hasAttributes: false };
    expect(await valuesFor('eve')).toEqual(none);
    const listing = ['certificates', all] as const;
    const foreign = { ...all, allowAllActions: false, objects: new Map([[newUuid(), right('members')]]) };
    expect(await valuesFor('eve', listing, ['raProfiles', foreign])).toEqual(none);
    const everyone = [listing, ['raProfiles', all]] as const;
    // Callers can list RA profiles only if they can also list authorities.
    const [raProfiles, groups, owners, sizes] = (await valuesFor('eve', ...everyone)).offered;
    expect([raProfiles, groups, owners, sizes]).toEqual([[], [], [], [256]]);
    expect((await valuesFor('bob', ...everyone)).offered[2]).toEqual(['bob']);
    expect((await valuesFor('eve', ...everyone, ['users', all])).offered[2]).toEqual(['bob']);
    expect((await valuesFor('eve', ...everyone, ['authorities', all])).offered[0]).toEqual(['profile-a']);
    const hidden = { ...all, objects: new Map([[profileUuid, right('list', false)]]) };
    expect((await valuesFor('eve', listing, ['authorities', all], ['raProfiles', hidden])).offered[0]).toEqual([]);
    expect((await valuesFor('eve', ['groups', all])).offered).toEqual([[], ['web'], [], [], []]);
  });
});

const right = (action: 'list' | 'members', isAllowed = true): ObjectRights => ({
  allowed: new Set(isAllowed ? [action] : []),
  denied: new Set(isAllowed ? [] : [action]),
});
