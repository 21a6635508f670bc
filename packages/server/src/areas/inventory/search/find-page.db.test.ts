// Pages and totals of random filters over random certificates, with each query strategy, compared with the in-memory
// evaluator.
import type { CertificateSort, CertificateSortField } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { coreContext } from '../../../kernel/actor.ts';
import { satisfiesAll } from '../../../kernel/filter/evaluate.ts';
import type { FieldValue, FilterField } from '../../../kernel/filter/field.ts';
import { readFilters } from '../../../kernel/filter/read-filters.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { SqlField } from '../../../platform/database/filter/sql-fields.ts';
import { visibleCertificates } from '../../certificates/access.ts';
import { insertRows, type RowFacts } from '../../certificates/testing/certificate-rows.ts';
import { continuePage, FEW, findPage } from './find-page.ts';
import type { SortedSelection } from './store-order.ts';
import { createRememberedTotals } from './store-totals.ts';
import { createCertificateFields } from './search-fields.ts';
import { completeSort, keyAt, type SortPosition } from './sort-fields.ts';
import { createTextIndexes } from './store-text-index.ts';

const ROWS = 150;
const PAGE = 7;
const NOW = new Date('2026-06-15T10:00:00.000Z');
const context = coreContext('test');

let database: Database;
const certificates: Record<string, FieldValue>[] = [];
const fields = createCertificateFields([])(context);

/** Fields read from the row itself; names of other objects and relations have separate tests. */
const ownFields = fields.fields.filter(({ reading }) => reading.kind === 'column');

beforeAll(async () => {
  database = await testDatabase();
  await insertRows(database, fc.sample(rowFacts, { numRuns: ROWS, seed: 7 }));
  expect(await createTextIndexes(database, new AbortController().signal)).toBe('made');
  const columns = ownFields.map(({ identifier, reading }) => {
    if (reading.kind !== 'column') throw new Error(`${identifier} is not read from a column`);
    return sql`${reading.value} AS ${sql.id(identifier)}`;
  });
  const { rows } = await sql<Record<string, FieldValue>>`
    SELECT c.uuid, ${sql.join(columns)} FROM certificate c ORDER BY c.uuid DESC`.execute(database.executor);
  certificates.push(...rows);
});

// A small alphabet, so that conditions match. It includes characters that LIKE, SQL, JSON and lowercasing treat
// specially.
const words = fc
  .array(fc.constantFrom('web', 'Web', 'WEB', 'api-1', 'pay', '%', '_', '\\', 'é', 'É', '"', '.', 'dNS', 'Name'), {
    minLength: 0,
    maxLength: 4,
  })
  .map((parts) => parts.join(''));
const days = fc.integer({ min: -40, max: 40 }).map((day) => new Date(NOW.getTime() + day * 86_400_000));

const rowFacts: fc.Arbitrary<RowFacts> = fc
  .record({
    common_name: words,
    issuer_common_name: fc.option(words),
    serial_number: fc.option(fc.constantFrom('1f', 'ab', 'abc', '10')),
    subject_dn: words,
    names: fc.record({
      dNSName: fc.array(
        words.filter((word) => word !== ''),
        { maxLength: 2 },
      ),
    }),
    state: fc.constantFrom('issued' as const, 'revoked' as const, 'requested' as const),
    revocation_awaits_approval: fc.boolean(),
    validation_status: fc.constantFrom('valid' as const, 'expired' as const, 'invalid' as const),
    key_size: fc.constantFrom(256, 2048, 4096),
    public_key_algorithm: fc.constantFrom('RSA', 'ECDSA'),
    signature_algorithm: fc.option(fc.constantFrom('SHA256withRSA', 'SHA1withRSA')),
    subject_type: fc.option(fc.constantFrom('endEntity' as const, 'rootCa' as const)),
    trusted_ca: fc.option(fc.boolean()),
    protocol: fc.option(fc.constantFrom('acme' as const, 'cmp' as const)),
    owner_username: fc.option(fc.constantFrom('alice', 'Bob')),
    not_before: fc.option(days),
    not_after: fc.option(days),
    archived: fc.boolean(),
  })
  .map((facts) => ({ ...facts, uuid: newUuid() }));

const values: Readonly<Record<SqlField['type'], fc.Arbitrary<unknown>>> = {
  string: fc.oneof(words, fc.constantFrom('1f', 'abc')),
  list: fc.constantFrom('issued', 'pending_approval', 'valid', 'RSA', 'SHA1withRSA', 'endEntity', 'acme', 'alice', '2048', 'none', ''), // prettier-ignore
  number: fc.constantFrom(256, 2048),
  boolean: fc.boolean(),
  date: days.map((day) => day.toISOString().slice(0, 10)),
  datetime: days.map((day) => day.toISOString()),
};

const filter = fc.constantFrom(...ownFields).chain((field) =>
  fc.constantFrom(...field.conditions.filter((condition) => !condition.endsWith('MATCHES'))).chain((condition) =>
    fc.record({
      fieldSource: fc.constant('property' as const),
      fieldIdentifier: fc.constant(field.identifier),
      condition: fc.constant(condition),
      value: valueOf(field, condition),
    }),
  ),
);

function valueOf(field: SqlField, condition: string): fc.Arbitrary<unknown> {
  if (condition.startsWith('IN_')) return fc.constantFrom('P10D', 'P1M', 'PT6H');
  if (field.type === 'list') {
    const listed = field.valueType === 'number' ? fc.constantFrom('256', '4096') : values.list;
    return fc.array(listed, { minLength: 1, maxLength: 2 });
  }
  return values[field.type];
}

const sortFields: readonly CertificateSortField[] = [
  'commonName', 'notAfter', 'notBefore', 'createdAt', 'state', 'validationStatus', 'issuerCommonName', 'keySize', 'serialNumber',
]; // prettier-ignore
const sorts: fc.Arbitrary<CertificateSort[]> = fc.array(
  fc.record({ field: fc.constantFrom(...sortFields), direction: fc.constantFrom('asc' as const, 'desc' as const) }),
  { maxLength: 2 },
);

const read =
  (row: Record<string, FieldValue>) =>
  ({ identifier }: FilterField): FieldValue =>
    row[identifier] ?? null;

/** Returns all pages from the beginning; each continues after the last certificate of the previous one. */
async function walk(
  query: SortedSelection,
  known: { readonly few: number; readonly total: number },
): Promise<string[]> {
  const walked: string[] = [];
  let after: SortPosition | undefined;
  do {
    const places = await continuePage(database.executor, query, { offset: 0, limit: PAGE, after, ...known });
    walked.push(...places.map(keyAt));
    after = places.at(-1);
  } while (after && walked.length <= ROWS);
  return walked;
}

describe('a page of certificates', () => {
  it('and the total match the evaluator, with every query strategy', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(filter, { maxLength: 3 }),
        sorts,
        fc.boolean(),
        fc.constantFrom(0, 3, FEW),
        async (filters, sort, includeArchived, few) => {
          const conditions = readFilters(filters, { lookup: fields.lookup, now: NOW });
          const accepted = certificates.filter(
            (row) =>
              (includeArchived || row['ARCHIVED'] === false) &&
              satisfiesAll(conditions, { read: read(row), matches: () => false }),
          );
          const query = {
            conditions,
            includeArchived,
            visible: visibleCertificates(context, 'list'),
            sort: completeSort(sort),
          };
          const totals = createRememberedTotals();
          const found: string[] = [];
          for (let offset = 0; offset < ROWS + PAGE; offset += PAGE) {
            const page = await findPage(database.executor, query, { offset, limit: PAGE, few, totals });
            expect(page.total ?? (await totals.count(database.executor, query))).toBe(accepted.length);
            found.push(...page.places.map(keyAt));
            if (page.places.length < PAGE) break;
          }
          expect(await walk(query, { few, total: accepted.length })).toEqual(found);
          const uuids = accepted.map(({ uuid }) => uuid);
          expect(found.toSorted()).toEqual(uuids.toSorted());
          if (sort.length === 0) expect(found).toEqual(uuids);
        },
      ),
      { numRuns: 250 },
    );
  }, 60_000);

  it.each(['SUBJECT_TYPE', 'SIGNATURE_ALGORITHM', 'CERTIFICATE_PROTOCOL'])(
    'treats a missing %s as no value, even in a comparison with the empty string',
    async (fieldIdentifier) => {
      const absent = certificates.filter((row) => row['ARCHIVED'] === false && row[fieldIdentifier] === null);
      expect(absent.length).toBeGreaterThan(0);
      for (const few of [0, FEW]) {
        const filters = [
          { fieldSource: 'property' as const, fieldIdentifier, condition: 'EQUALS' as const, value: [''] },
        ];
        const query = {
          conditions: readFilters(filters, { lookup: fields.lookup, now: NOW }),
          includeArchived: false,
          visible: visibleCertificates(context, 'list'),
          sort: completeSort([]),
        };
        const totals = createRememberedTotals();
        const page = await findPage(database.executor, query, { offset: 0, limit: PAGE, few, totals });
        expect([page.places, page.total ?? (await totals.count(database.executor, query))]).toEqual([[], 0]);
      }
    },
  );

  it('has the same order with every query strategy', async () => {
    await fc.assert(
      fc.asyncProperty(sorts, fc.nat(ROWS), async (sort, offset) => {
        const query = {
          conditions: [],
          includeArchived: true,
          visible: visibleCertificates(context, 'list'),
          sort: completeSort(sort),
        };
        const pageOf = async (few: number) =>
          (await findPage(database.executor, query, { offset, limit: PAGE, few, totals: createRememberedTotals() }))
            .places;
        expect(await pageOf(0)).toEqual(await pageOf(FEW));
      }),
      { numRuns: 60 },
    );
  }, 30_000);
});
