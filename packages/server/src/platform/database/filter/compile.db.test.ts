// Compares the SQL compiler with the in-memory evaluator, using random rows and random conditions.
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FilterConditionOperator } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { satisfiesAll } from '../../../kernel/filter/evaluate.ts';
import type { FieldValue } from '../../../kernel/filter/field.ts';
import { readFilters } from '../../../kernel/filter/read-filters.ts';
import type { Database } from '../database.ts';
import { compileFilters, type SqlCondition } from './compile.ts';
import { bits, column, exists, members, reference, related, type SqlReading } from './reading.ts';
import { readValues } from './read-values.ts';
import { runSearch } from './run-search.ts';
import type { SqlField } from './sql-fields.ts';

/** A row of the sample table with its related values. */
interface Sample {
  readonly name: string | null;
  readonly size: number | null;
  readonly active: boolean | null;
  readonly day: string | null;
  readonly clock: string | null;
  readonly moment: Date | null;
  readonly profile: string | null;
  readonly groups: readonly string[];
  readonly usage: readonly string[];
  readonly objects: readonly { readonly name: string | null }[] | null;
  readonly key: boolean;
}

const USAGE = { sign: 1, verify: 2, wrap: 16 };
const PROFILES = ['p%', 'q_', 'r'];
const NOW = new Date('2026-06-15T10:00:00.000Z');

const all: readonly FilterConditionOperator[] = ['EQUALS', 'NOT_EQUALS', 'EMPTY', 'NOT_EMPTY'];
const text: readonly FilterConditionOperator[] = [
  ...all,
  'CONTAINS',
  'NOT_CONTAINS',
  'STARTS_WITH',
  'ENDS_WITH',
  'MATCHES',
  'NOT_MATCHES',
];
const ordered: readonly FilterConditionOperator[] = [
  ...all,
  'GREATER',
  'GREATER_OR_EQUAL',
  'LESSER',
  'LESSER_OR_EQUAL',
];
const timed: readonly FilterConditionOperator[] = [...ordered, 'IN_NEXT', 'IN_PAST'];
const counted: readonly FilterConditionOperator[] = [
  'COUNT_EQUAL',
  'COUNT_NOT_EQUAL',
  'COUNT_GREATER_THAN',
  'COUNT_LESS_THAN',
];

interface SampleField extends SqlField {
  readonly of: (row: Sample) => FieldValue;
  /** Wire values that a filter can contain. */
  readonly values: fc.Arbitrary<unknown>;
}

const field = (
  identifier: string,
  facts: Pick<SqlField, 'type' | 'valueType' | 'conditions'> & {
    readonly reading: SqlReading;
    readonly many?: boolean;
    readonly of: (row: Sample) => FieldValue;
    readonly values: fc.Arbitrary<unknown>;
  },
): SampleField => ({ source: 'property', identifier, label: identifier, many: false, ...facts });

// Few letters, so that conditions match; includes characters with a special meaning in LIKE, regular expressions or
// SQL.
const letters = fc.string({ unit: fc.constantFrom('a', 'B', '%', '_', '\\', "'", 'é', '😀'), maxLength: 4 });
const days = fc.constantFrom('2026-06-14', '2026-06-15', '2026-06-16', '2024-02-29');
const clocks = fc.constantFrom('00:00:00', '09:30:00', '23:59:59');
const moments = fc.constantFrom(
  '2026-06-15T10:00:00.000Z',
  '2026-06-15T09:59:59.999Z',
  '2026-06-16T10:00:00.000Z',
  '2026-05-15T10:00:00.000Z',
);
const sizes = fc.constantFrom(0, 1, 2, 2.5, -3, 2 ** 40);
const usages = fc.constantFrom(...Object.keys(USAGE));

const fields: readonly SampleField[] = [
  field('NAME', { type: 'string', valueType: 'text', conditions: text, reading: column('s.name'), of: (row) => row.name, values: letters }),
  field('SIZE', { type: 'number', valueType: 'number', conditions: ordered, reading: column('s.size'), of: (row) => row.size, values: sizes }),
  field('ACTIVE', { type: 'boolean', valueType: 'boolean', conditions: all, reading: column('s.active'), of: (row) => row.active, values: fc.boolean() }),
  field('DAY', { type: 'date', valueType: 'date', conditions: timed, reading: column('s.day'), of: (row) => row.day, values: days }),
  field('CLOCK', { type: 'date', valueType: 'time', conditions: ordered, reading: column('s.clock'), of: (row) => row.clock, values: clocks }),
  field('MOMENT', { type: 'datetime', valueType: 'datetime', conditions: timed, reading: column('s.moment'), of: (row) => row.moment, values: moments }),
  field('PROFILE', { type: 'list', valueType: 'text', conditions: text, reading: reference({ column: 's.profile_id', table: 'sample_profile', key: 'id' }), of: (row) => row.profile, values: fc.constantFrom(...PROFILES, 'none') }),
  field('GROUPS', { type: 'list', valueType: 'text', many: true, conditions: [...text, ...counted], reading: related({ from: sql`sample_group g`, where: sql`g.sample_id = s.id`, value: 'g.name' }), of: (row) => row.groups, values: letters }),
  field('USAGE', { type: 'list', valueType: 'text', many: true, conditions: [...all, ...counted], reading: bits('s.usage', USAGE), of: (row) => row.usage, values: fc.oneof(usages, fc.constantFrom('unknown', 'constructor')) }),
  field('OBJECTS', { type: 'string', valueType: 'text', many: true, conditions: [...text, ...counted], reading: members('s.objects', 'name'), of: (row) => (row.objects ?? []).flatMap(({ name }) => name ?? []), values: letters }),
  field('KEY', { type: 'boolean', valueType: 'boolean', conditions: all, reading: exists({ from: sql`sample_key k`, where: sql`k.sample_id = s.id` }), of: (row) => row.key, values: fc.boolean() }),
]; // prettier-ignore

const lookup = (_source: string, identifier: string) => fields.find((candidate) => candidate.identifier === identifier);

const sampleRow: fc.Arbitrary<Sample> = fc.record({
  name: fc.option(letters),
  size: fc.option(sizes),
  active: fc.option(fc.boolean()),
  day: fc.option(days),
  clock: fc.option(clocks),
  moment: fc.option(moments.map((moment) => new Date(moment))),
  profile: fc.option(fc.constantFrom(...PROFILES)),
  groups: fc.array(letters, { maxLength: 3 }),
  usage: fc.uniqueArray(usages),
  objects: fc.option(fc.array(fc.record({ name: fc.option(letters) }), { maxLength: 3 })),
  key: fc.boolean(),
});

/** Literal letters, classes and alternatives mean the same in PostgreSQL and JavaScript. */
const patterns = fc.constantFrom('a', '^a', 'B$', '^$', 'a|B', '[aB]{2}', '^[^a]+$', String.raw`\\`, '%');
const durations = fc.constantFrom('P1D', 'PT1S', 'P1M', 'PT24H', 'P1Y2M3DT4H5M6S');

const filter = fc.constantFrom(...fields).chain((chosen) =>
  fc.constantFrom(...chosen.conditions).chain((condition) =>
    valueFor(chosen, condition).map((value) => ({
      fieldSource: 'property' as const,
      fieldIdentifier: chosen.identifier,
      condition,
      value,
    })),
  ),
);

function valueFor(chosen: SampleField, condition: FilterConditionOperator): fc.Arbitrary<unknown> {
  if (condition.startsWith('COUNT_')) return fc.nat({ max: 3 });
  if (condition.startsWith('IN_')) return durations;
  if (condition.endsWith('MATCHES')) return patterns;
  if (all.includes(condition) || condition.endsWith('CONTAINS'))
    return fc.oneof(chosen.values, fc.array(chosen.values, { minLength: 1, maxLength: 3 }));
  return chosen.values;
}

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
  await database.query(`
    CREATE TABLE sample_profile (id int PRIMARY KEY, name text NOT NULL);
    CREATE TABLE sample (id int PRIMARY KEY, name text, size numeric, active boolean, day date, clock time, moment timestamptz,
      profile_id int, usage int, objects jsonb);
    CREATE TABLE sample_group (sample_id int, name text NOT NULL);
    CREATE TABLE sample_key (sample_id int)`);
  for (const [id, name] of PROFILES.entries())
    await database.query('INSERT INTO sample_profile VALUES ($1, $2)', [id, name]);
});

async function store(rows: readonly Sample[]): Promise<void> {
  await database.query('TRUNCATE sample, sample_group, sample_key');
  const values = rows.map((row, id) => ({
    ...row,
    id,
    profile_id: row.profile === null ? null : PROFILES.indexOf(row.profile),
    // Null and zero both mean empty.
    usage:
      row.usage.length === 0 && id % 2 === 0
        ? null
        : row.usage.reduce((mask, code) => mask | USAGE[code as keyof typeof USAGE], 0), // The codes come from USAGE.
  }));
  const json = JSON.stringify(values);
  await database.query(
    `INSERT INTO sample SELECT id, name, size, active, day, clock, moment, profile_id, usage, nullif(objects, 'null'::jsonb)
     FROM jsonb_to_recordset($1::jsonb) AS s(id int, name text, size numeric, active boolean, day date, clock time, moment timestamptz, profile_id int, usage int, objects jsonb)`,
    [json],
  );
  await database.query(
    `INSERT INTO sample_group SELECT (r ->> 'id')::int, g FROM jsonb_array_elements($1::jsonb) r, jsonb_array_elements_text(r -> 'groups') g`,
    [json],
  );
  await database.query(
    `INSERT INTO sample_key SELECT (r ->> 'id')::int FROM jsonb_array_elements($1::jsonb) r WHERE (r ->> 'key')::boolean`,
    [json],
  );
}

const sampleSource = {
  from: sql`sample AS s`,
  key: sql`('00000000-0000-7000-8000-' || lpad(s.id::text, 12, '0'))::uuid`,
};

const keyOf = (id: number): string => `00000000-0000-7000-8000-${String(id).padStart(12, '0')}`;

const find = async (conditions: readonly SqlCondition[]): Promise<number[]> => {
  const found = await runSearch({ database, conditions, patternTimeoutMs: 200 }, (executor) =>
    sql<{ id: number }>`SELECT s.id FROM sample AS s WHERE ${compileFilters(conditions)} ORDER BY s.id`.execute(
      executor,
    ),
  );
  return found.rows.map(({ id }) => id);
};

describe('the filter compiler', () => {
  it('finds the rows that the evaluator accepts, and the evaluator also accepts the same rows based on their stored values', async () => {
    const runs = fc.asyncProperty(
      fc.array(sampleRow, { minLength: 20, maxLength: 40 }),
      fc.array(fc.array(filter, { minLength: 1, maxLength: 2 }), { minLength: 60, maxLength: 60 }),
      async (rows, requests) => {
        await store(rows);
        const values = await readValues(database.executor, sampleSource, {
          fields,
          uuids: rows.map((_, id) => keyOf(id)),
        });
        for (const request of requests) {
          const conditions = readFilters(request, { lookup, now: NOW });
          const expected = rows.flatMap(
            (row, id) =>
              satisfiesAll(conditions, {
                read: (chosen) => (chosen as SampleField).of(row),
                matches: (pattern, value) => new RegExp(pattern, 'u').test(value),
              })
                ? [id]
                : [], // Every field here is a SampleField.
          );
          expect({ request, found: await find(conditions) }).toEqual({ request, found: expected });
          const byValues = rows.flatMap((_, id) =>
            satisfiesAll(conditions, {
              read: (chosen) => values.get(keyOf(id))?.get(chosen) ?? null,
              matches: (pattern, value) => new RegExp(pattern, 'u').test(value),
            })
              ? [id]
              : [],
          );
          expect({ request, byValues }).toEqual({ request, byValues: expected });
        }
      },
    );
    await fc.assert(runs, { numRuns: 20 });
  });

  it('treats hostile texts as values, not as SQL', async () => {
    await store([]);
    for (const value of ["'; DROP TABLE sample; --", '$1', '\\', "\\' OR true --"]) {
      for (const condition of ['EQUALS', 'CONTAINS'] as const) {
        const conditions = readFilters([{ fieldSource: 'property', fieldIdentifier: 'NAME', condition, value }], {
          lookup,
          now: NOW,
        });
        expect(await find(conditions)).toEqual([]);
      }
    }
    expect(await database.query('SELECT count(*) AS n FROM sample')).toEqual([{ n: 0 }]);
  });

  const matching = (value: string) =>
    readFilters([{ fieldSource: 'property', fieldIdentifier: 'NAME', condition: 'MATCHES', value }], {
      lookup,
      now: NOW,
    });

  it('rejects a regular expression that PostgreSQL does not support', async () => {
    await database.query(`TRUNCATE sample; INSERT INTO sample (id, name) VALUES (1, 'a')`);
    for (const pattern of ['(', 'a{3,1}', '[[:nothing:]]'])
      await expect(find(matching(pattern))).rejects.toMatchObject({
        code: 'rejected_by_rules',
        message: expect.stringContaining('NAME: the value is not a regular expression'),
      });
  });

  const SLOW = String.raw`^(x*)(x*)(x*)(x*)\4\3\2\1xx$`;

  it("aborts a regular expression that takes too long, without changing the connection's settings", async () => {
    await database.query(`TRUNCATE sample; INSERT INTO sample (id, name) VALUES (1, repeat('x', 601))`);
    await expect(find(matching(SLOW))).rejects.toMatchObject({
      code: 'rejected_by_rules',
      message: expect.stringContaining('took longer than 0.2 s'),
    });
    expect(await database.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '20s' }]);
  });

  it('keeps connections free for other work while slow regular expressions run', async () => {
    await database.query(`TRUNCATE sample; INSERT INTO sample (id, name) VALUES (1, repeat('x', 601))`);
    const slow = Array.from({ length: 30 }, () => find(matching(SLOW)).catch((error: Error) => error));
    const started = performance.now();
    await database.query('SELECT 1');
    expect(performance.now() - started).toBeLessThan(150);
    // All of them were rejected.
    const codes = (await Promise.all(slow)).map((outcome) => (outcome as { code?: string }).code);
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(8);
    expect(codes.filter((code) => code === 'rejected_by_rules')).toHaveLength(22);
  });
});
