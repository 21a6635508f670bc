import type { CertificateSearch, CertificateSort, CertificateSortField } from '@signetry/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import { createTextIndexes } from './store-text-index.ts';
import type { CertificateRow } from '../../certificates/tables.ts';
import { insertRows, type RowFacts } from '../../certificates/testing/certificate-rows.ts';
import { createTestInventory, type TestInventory } from '../testing/test-inventory.ts';

let test: TestInventory;
let database: Database;

const day = (number: number) => new Date(Date.UTC(2026, 0, number));

const search = (request: Partial<CertificateSearch> = {}) =>
  test.inventory.search({ itemsPerPage: 50, pageNumber: 1, ...request }, test.context);

const found = async (request: Partial<CertificateSearch> = {}): Promise<string[]> =>
  (await search(request)).certificates.map(({ commonName }) => commonName);

const withText = async (text: string) => (await found({ text })).toSorted();

describe('free text', () => {
  const FINGERPRINT = `00${'ab'.repeat(31)}`;
  const uuid = newUuid();
  const rows: RowFacts[] = [
    {
      common_name: 'shop.example.com',
      names: { dNSName: ['shop.example.com', 'WWW.Shop.Example.com'], iPAddress: ['10.1.2.3'] },
    },
    { common_name: 'pay.example.com', subject_dn: 'CN=pay.example.com, O=Žluťoučký Kůň, C=CZ' },
    { common_name: 'Wayne, Inc.', subject_dn: String.raw`CN=Wayne\, Inc., O=Wayne` },
    { common_name: '100%_sure', names: { rfc822Name: [String.raw`a\b"c@example.org`] } },
    { common_name: 'numbered', serial_number: '1f', fingerprint: FINGERPRINT, uuid },
    { common_name: 'also numbered', serial_number: '1f' },
    { common_name: 'long number', serial_number: 'abcdef0123456789abcdef' },
    { common_name: 'about abcdef0123456789abcdef' },
    { common_name: 'evidence', state: 'failed', fingerprint: 'cd'.repeat(32) },
    { common_name: '', subject_dn: '', names: { uniformResourceIdentifier: ['spiffe://cluster/ns/prod'] } },
    { common_name: 'international', names: { dNSName: ['xn--mnchen-3ya.example'] } },
    { common_name: 'archived.example.com', archived: true },
  ];

  beforeAll(async () => {
    test = await createTestInventory();
    ({ database } = test.platform);
    await insertRows(database, rows);
  });

  describe.each(['without an index', 'with an index'])('%s', (way) => {
    beforeAll(async () => {
      if (way === 'with an index') expect(await createTextIndexes(database, new AbortController().signal)).toBe('made');
    });

    it.each([
      ['example', ['pay.example.com', 'shop.example.com', '100%_sure', 'international']],
      ['SHOP', ['shop.example.com']],
      ['www.shop', ['shop.example.com']],
      ['10.1.2', ['shop.example.com']],
      ['žluťoučký', ['pay.example.com']],
      ['KŮŇ', ['pay.example.com']],
      ['o=žluť c=cz', ['pay.example.com']],
      ['example pay', ['pay.example.com']],
      ['example pay nothing', []],
      ['Wayne, inc', ['Wayne, Inc.']],
      ['100%', ['100%_sure']],
      ['0%_s', ['100%_sure']],
      ['h_p', []],
      [String.raw`a\b"c`, ['100%_sure']],
      ['spiffe://cluster', ['']],
      ['München.exa', ['international']],
      ['XN--MNCHEN-3ya', ['international']],
      ['dNSName', []],
      ['evidence', ['evidence']],
      ['archived', []],
    ])('finds %s in names', async (text, expected) => {
      expect(await withText(text)).toEqual(expected.toSorted());
    });

    it.each([
      ['1f', ['also numbered', 'numbered']],
      ['00:1F', ['also numbered', 'numbered']],
      ['0x1f', ['also numbered', 'numbered']],
      ['1f also', ['also numbered']],
      ['1f nothing', []],
      [FINGERPRINT, ['numbered']],
      [FINGERPRINT.toUpperCase().match(/../g)?.join(':') ?? '', ['numbered']],
      [FINGERPRINT.match(/../g)?.join(' ') ?? '', ['numbered']],
      ['cd'.repeat(32), ['evidence']],
      [uuid, ['numbered']],
      [uuid.toUpperCase(), ['numbered']],
      // A certificate's number is not mistaken for part of another certificate's name.
      ['abcdef0123456789abcdef', ['long number']],
      ['abcdef01', ['about abcdef0123456789abcdef']],
      ['f'.repeat(64), []],
    ])('finds the exact match for %s', async (text, expected) => {
      expect(await withText(text)).toEqual(expected);
    });

    it('returns the purposes that the extended key usage names', async () => {
      const usages = ['1.3.6.1.5.5.7.3.2', '1.2.3', '1.3.6.1.5.5.7.3.1'];
      await database.query(`UPDATE certificate SET extended_key_usage = $1 WHERE common_name = 'numbered'`, [usages]);
      const { certificates } = await search({ text: 'numbered' });
      expect(certificates.map(({ commonName, purposes }) => [commonName, purposes]).toSorted()).toEqual([
        ['also numbered', undefined],
        ['numbered', ['server', 'client']],
      ]);
    });

    it('can be combined with filters and the archive', async () => {
      const filters: CertificateSearch['filters'] = [
        { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', condition: 'STARTS_WITH', value: 'a' },
      ];
      expect(await found({ text: 'example', filters, includeArchived: true })).toEqual(['archived.example.com']);
      expect(await found({ text: 'number', filters })).toEqual(['also numbered']);
    });

    it('reflects changed names and deleted certificates', async () => {
      const [row] = await insertRows(database, [{ common_name: 'before.test' }]);
      await database.query(
        `UPDATE certificate SET common_name = 'after.test', subject_dn = 'CN=after.test' WHERE uuid = $1`,
        [row?.uuid],
      );
      expect([await withText('before.test'), await withText('after.test')]).toEqual([[], ['after.test']]);
      await database.query('DELETE FROM certificate WHERE uuid = $1', [row?.uuid]);
      expect(await database.query('SELECT FROM certificate_text WHERE certificate_uuid = $1', [row?.uuid])).toEqual([]);
      expect(await withText('after.test')).toEqual([]);
    });
  });

  it('finds everything if it contains no word', async () => {
    expect(await found({ text: '  ' })).toHaveLength(11);
  });

  it('returns the first SAN for certificates without a common name, and only for these', async () => {
    const { certificates } = await search({ text: 'spiffe' });
    expect(certificates.map(({ alternativeName }) => alternativeName)).toEqual(['spiffe://cluster/ns/prod']);
    expect((await search({ text: 'shop' })).certificates[0]?.alternativeName).toBeUndefined();
  });

  it('is rejected if no stored text can contain it', async () => {
    await expect(search({ text: 'a\0' })).rejects.toMatchObject({ code: 'invalid_fields' });
    await expect(search({ pageNumber: 0 })).rejects.toMatchObject({ code: 'invalid_fields' });
  });
});

describe('sorting', () => {
  let rows: CertificateRow[];

  beforeAll(async () => {
    test = await createTestInventory();
    ({ database } = test.platform);
    const profiles = [await test.addProfile('zulu'), await test.addProfile('Alpha'), undefined];
    rows = await insertRows(
      database,
      Array.from({ length: 40 }, (_, index): RowFacts => {
        const issued = index % 4 !== 3;
        return {
          common_name: index % 13 === 0 ? '' : `${index % 2 === 0 ? 'Host' : 'host'}-${(index * 7) % 10}`,
          state: issued ? 'issued' : 'requested',
          validation_status: index % 3 === 0 ? 'valid' : 'expiring',
          serial_number: issued ? ((index * 37) % 300).toString(16) : null,
          fingerprint: issued ? index.toString(16).padStart(64, '0') : null,
          not_before: issued ? day(index % 5) : null,
          not_after: issued ? day((index * 11) % 9) : null,
          issuer_common_name: issued ? `CA ${index % 2}` : null,
          key_size: [256, 2048, 4096][index % 3] ?? 0,
          ra_profile_uuid: profiles[index % 3]?.uuid ?? null,
          archived: index % 10 === 9,
        };
      }),
    );
  });

  /** Returns the value by which a row is sorted, or null if it is absent. */
  const valueOf = (row: CertificateRow, field: CertificateSortField): string | number | null => {
    switch (field) {
      case 'commonName':
        return row.common_name.toLowerCase() || null;
      case 'notAfter':
        return row.not_after?.getTime() ?? null;
      case 'notBefore':
        return row.not_before?.getTime() ?? null;
      case 'createdAt':
        return row.uuid;
      case 'state':
        return row.state;
      case 'validationStatus':
        return row.validation_status;
      case 'issuerCommonName':
        return row.issuer_common_name?.toLowerCase() ?? null;
      case 'raProfile':
        return row.ra_profile_uuid === null ? null : rows.indexOf(row) % 3 === 0 ? 'zulu' : 'alpha';
      case 'keySize':
        return row.key_size;
      case 'serialNumber':
        return row.serial_number === null ? null : Number.parseInt(row.serial_number, 16);
    }
  };

  const compare = (a: CertificateRow, b: CertificateRow, { field, direction }: CertificateSort): number => {
    const [left, right] = [valueOf(a, field), valueOf(b, field)];
    if (left === right) return 0;
    if (left === null || right === null) return left === null ? 1 : -1;
    return (left < right ? -1 : 1) * (direction === 'asc' ? 1 : -1);
  };

  /** Sorts by the fields, then by UUID in the direction of the first field. */
  const expected = (sort: readonly CertificateSort[], includeArchived: boolean): string[] => {
    const last: CertificateSort = { field: 'createdAt', direction: sort[0]?.direction ?? 'desc' };
    return rows
      .filter((row) => includeArchived || !row.archived)
      .toSorted((a, b) => [...sort, last].reduce((order, each) => order || compare(a, b, each), 0))
      .map(({ uuid }) => uuid);
  };

  const fields: CertificateSortField[] = [
    'commonName', 'notAfter', 'notBefore', 'createdAt', 'state', 'validationStatus', 'issuerCommonName', 'raProfile', 'keySize', 'serialNumber',
  ]; // prettier-ignore

  it.each(fields.flatMap((field) => (['asc', 'desc'] as const).map((direction) => [field, direction] as const)))(
    'by %s %s shows each certificate on exactly one page, and those without a value last',
    async (field, direction) => {
      for (const includeArchived of [false, true]) {
        const all = expected([{ field, direction }], includeArchived);
        const shown: string[] = [];
        for (let pageNumber = 1; pageNumber <= Math.ceil(all.length / 7) + 1; pageNumber += 1) {
          const page = await search({ sort: [{ field, direction }], includeArchived, itemsPerPage: 7, pageNumber });
          expect(page).toMatchObject({ totalItems: all.length, totalIsExact: true });
          shown.push(...page.certificates.map(({ uuid }) => uuid));
        }
        expect(shown).toEqual(all);
      }
    },
  );

  it.each<[string, CertificateSort[]]>([
    ['nothing', []],
    [
      'two fields',
      [
        { field: 'state', direction: 'desc' },
        { field: 'commonName', direction: 'asc' },
      ],
    ],
    [
      'expiry, then descending name',
      [
        { field: 'notAfter', direction: 'asc' },
        { field: 'commonName', direction: 'desc' },
      ],
    ],
    [
      'the same field twice',
      [
        { field: 'keySize', direction: 'asc' },
        { field: 'keySize', direction: 'desc' },
      ],
    ],
    [
      'creation time before other fields',
      [
        { field: 'createdAt', direction: 'asc' },
        { field: 'state', direction: 'desc' },
      ],
    ],
  ])('by %s', async (_, sort) => {
    expect((await search({ sort })).certificates.map(({ uuid }) => uuid)).toEqual(expected(sort, false));
  });

  it('can be combined with free text', async () => {
    const sort: CertificateSort[] = [{ field: 'notAfter', direction: 'desc' }];
    const byText = await search({ text: 'host-7', sort });
    const wanted = rows.filter(({ common_name }) => common_name.toLowerCase() === 'host-7').map(({ uuid }) => uuid);
    expect(byText.certificates.map(({ uuid }) => uuid)).toEqual(
      expected(sort, false).filter((uuid) => wanted.includes(uuid)),
    );
  });

  it('returns the same data as the list, together with the creation time and the protocol', async () => {
    const [row] = await insertRows(database, [{ common_name: 'shown', protocol: 'acme', created_at: day(3) }]);
    const { certificates } = await search({ text: 'shown' });
    const [listed] = (await test.inventory.list({ itemsPerPage: 1, pageNumber: 1 }, test.context)).certificates;
    expect(certificates).toEqual([{ ...listed, createdAt: day(3).toISOString(), protocol: 'acme' }]);
    await database.query('DELETE FROM certificate WHERE uuid = $1', [row?.uuid]);
  });

  /** Returns all pages by cursor; `between` runs after each page. */
  async function walk(request: Partial<CertificateSearch>, between = () => Promise.resolve()): Promise<string[]> {
    const shown: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await search({ itemsPerPage: 7, ...request, ...(cursor ? { cursor } : {}) });
      shown.push(...page.certificates.map(({ uuid }) => uuid));
      cursor = page.nextCursor;
      await between();
    } while (cursor !== undefined);
    return shown;
  }

  it.each(fields.flatMap((field) => (['asc', 'desc'] as const).map((direction) => [field, direction] as const)))(
    'by %s %s continues after the last returned row, despite insertions and deletions in the meantime',
    async (field, direction) => {
      const all = expected([{ field, direction }], false);
      const added: string[] = [];
      const shown = await walk({ sort: [{ field, direction }] }, async () => {
        // Rows before, among and after the others, and one that is deleted again.
        const made = await insertRows(database, [
          { common_name: '!', not_after: day(1), key_size: 1, serial_number: '1' },
          { common_name: 'host-3', not_after: day(40), state: 'requested', issuer_common_name: null },
          { common_name: '~', not_after: null, key_size: 9_999, serial_number: 'f'.repeat(40) },
        ]);
        added.push(...made.map(({ uuid }) => uuid));
        await database.query('DELETE FROM certificate WHERE uuid = $1', [added.shift()]);
      });
      await database.query('DELETE FROM certificate WHERE uuid = ANY($1)', [added]);
      expect(shown.filter((uuid) => all.includes(uuid))).toEqual(all);
      expect(new Set(shown).size).toBe(shown.length);
    },
  );

  it('by cursor keeps the initial totals, and returns the page number', async () => {
    const first = await search({ itemsPerPage: 5, sort: [{ field: 'keySize', direction: 'desc' }] });
    const request = { sort: [{ field: 'keySize', direction: 'desc' }], cursor: first.nextCursor ?? '' } as const;
    const second = await search({ ...request, sort: [...request.sort], itemsPerPage: 5 });
    const { totalItems, totalPages } = first;
    expect(second).toMatchObject({ pageNumber: 2, itemsPerPage: 5, totalItems, totalPages, totalIsExact: true });
    const last = await search({ ...request, sort: [...request.sort], itemsPerPage: 1_000 });
    expect(last.nextCursor).toBeUndefined();
    expect(first.certificates.length + last.certificates.length).toBe(totalItems);
  });

  it('by cursor can be combined with free text and the archive', async () => {
    const request = {
      text: 'host',
      includeArchived: true,
      sort: [{ field: 'commonName' as const, direction: 'desc' as const }],
    };
    const all = (await search({ ...request, itemsPerPage: 1_000 })).certificates.map(({ uuid }) => uuid);
    expect(all.length).toBeGreaterThan(14);
    expect(await walk(request)).toEqual(all);
  });

  it('accepts a cursor only for the same search and user, and only without a page number', async () => {
    const { nextCursor: cursor = '' } = await search({ itemsPerPage: 5 });
    const problem = (request: Partial<CertificateSearch>) => search({ itemsPerPage: 5, cursor, ...request });
    const another = { message: expect.stringContaining('belongs to a different search;') };
    await expect(problem({ sort: [{ field: 'notAfter', direction: 'asc' }] })).rejects.toMatchObject(another);
    await expect(problem({ text: 'host' })).rejects.toMatchObject(another);
    await expect(problem({ includeArchived: true })).rejects.toMatchObject(another);
    await expect(problem({ cursor: `${cursor.slice(0, -2)}AA` })).rejects.toMatchObject({
      message: expect.stringContaining('must be a complete cursor issued by this platform;'),
    });
    await expect(problem({ pageNumber: 2 })).rejects.toMatchObject({ message: expect.stringContaining('pageNumber') });
    const other = { ...test.context, actor: { ...test.context.actor, userUuid: newUuid() } };
    await expect(test.inventory.search({ itemsPerPage: 5, pageNumber: 1, cursor }, other)).rejects.toMatchObject(
      another,
    );
  });
});
