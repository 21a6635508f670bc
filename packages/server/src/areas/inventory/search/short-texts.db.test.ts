// Goal: a search that depends only on short texts is performed in a small inventory, and rejected with advice in a
// large one.
import type { SearchFilterRequestDto } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { beforeAll, describe, expect, it } from 'vitest';
import { coreContext } from '../../../kernel/actor.ts';
import { readFilters } from '../../../kernel/filter/read-filters.ts';
import type { Database } from '../../../platform/database/database.ts';
import { visibleCertificates } from '../../certificates/access.ts';
import { insertRows } from '../../certificates/testing/certificate-rows.ts';
import { findPage } from './find-page.ts';
import { createCertificateFields } from './search-fields.ts';
import { completeSort } from './sort-fields.ts';
import { createRememberedTotals } from './store-totals.ts';
import { readSearchText } from './text.ts';

const context = coreContext('test');
const { lookup } = createCertificateFields([])(context);
let small: Database;
let large: Database;

beforeAll(async () => {
  [small, large] = await Promise.all([testDatabase(), testDatabase()]);
  const rows = [{ common_name: 'ab.example', serial_number: 'abcdef' }, { common_name: 'other.example' }];
  await Promise.all([insertRows(small, rows), insertRows(large, rows)]);
  await large.query(
    `INSERT INTO certificate_count (dimension, value, archived, certificates) VALUES ('certificateType', 'X509', false, 30000)
     ON CONFLICT (dimension, value, archived) DO UPDATE SET certificates = 30000`,
  );
});

const filter = (
  fieldIdentifier: string,
  value: string | string[],
  condition: SearchFilterRequestDto['condition'] = 'CONTAINS',
): SearchFilterRequestDto => ({ fieldSource: 'property', fieldIdentifier, condition, value });

const issued = filter('CERTIFICATE_STATE', ['issued'], 'EQUALS');

async function search(database: Database, asked: { text?: string; filters?: SearchFilterRequestDto[] }) {
  const text = readSearchText(asked.text);
  const query = {
    conditions: readFilters(asked.filters ?? [], { lookup, now: new Date() }),
    visible: visibleCertificates(context, 'list'),
    includeArchived: false,
    sort: completeSort([]),
    ...(text ? { text: { words: text.words.map(({ forms }) => forms), named: [] } } : {}),
  };
  const page = { offset: 0, limit: 10, totals: createRememberedTotals() };
  return (await findPage(database.executor, query, page)).places.length;
}

describe('a search for short texts', () => {
  it.each([
    ['text', { text: 'ab' }],
    ['text', { text: 'a.b' }],
    ['text', { text: 'ab e' }],
    ['COMMON_NAME', { filters: [filter('COMMON_NAME', 'ab')] }],
    ['COMMON_NAME', { filters: [filter('COMMON_NAME', 'ab', 'ENDS_WITH')] }],
    ['SUBJECT_ALTERNATIVE_NAMES', { filters: [filter('SUBJECT_ALTERNATIVE_NAMES', 'ab')] }],
    ['SUBJECTDN', { filters: [filter('SUBJECTDN', 'ab')] }],
    ['SERIAL_NUMBER', { filters: [filter('SERIAL_NUMBER', 'abc')] }],
    ['COMMON_NAME', { text: 'ex', filters: [filter('COMMON_NAME', 'ab')] }],
  ] as const)('is rejected in a large inventory, with an error that names %s, for the text %j', async (name, asked) => {
    await expect(search(large, asked as Parameters<typeof search>[1])).rejects.toThrow(
      new RegExp(`${name}: .* is too short .* more than 30,000 certificates; enter at least .*, or add another filter`),
    );
    await expect(search(small, asked as Parameters<typeof search>[1])).resolves.toBeTypeOf('number');
  });

  it.each([
    { text: 'abc' },
    { text: 'ab.' },
    { text: 'ab example' },
    { text: 'ab', filters: [issued] },
    { filters: [filter('COMMON_NAME', 'ab'), issued] },
    { filters: [filter('COMMON_NAME', 'ab', 'STARTS_WITH')] },
    { filters: [filter('COMMON_NAME', 'ab', 'NOT_CONTAINS')] },
    { filters: [filter('SERIAL_NUMBER', 'abcd')] },
    { filters: [filter('SERIAL_NUMBER', 'ab', 'EQUALS')] },
    {},
  ])('is performed if a second condition narrows it: %j', async (asked) => {
    await expect(search(large, asked)).resolves.toBeTypeOf('number');
  });
});
