import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ObjectFilter } from '../../kernel/actor.ts';
import { readSearch } from '../../kernel/filter/read-filters.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { KeyFilter } from './access.ts';
import { createKeyCounters } from './counters.ts';
import { keyFields } from './search-fields.ts';
import { mergeCounts, countUnmerged, findCountMismatches } from './store-counts.ts';
import { findPage } from './store-list.ts';

const ALL: ObjectFilter = { kind: 'all', except: new Set() };
const only = (...uuids: string[]): ObjectFilter => ({ kind: 'only', uuids: new Set(uuids) });
const everything: KeyFilter = { tokens: ALL, ownerUuid: null, groups: only(), deniedGroups: [] };

const OWNERS = [newUuid(), newUuid()];
const GROUP = newUuid();
const STATES = ['active', 'deactivated', 'compromised', 'destroyed'];
const ALGORITHMS = ['RSA', 'ECDSA', 'ML-DSA'];

let database: Database;
let tokens: string[];

beforeAll(async () => {
  database = await testDatabase();
  await database.query(`INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, 'g', now(), now())`, [
    GROUP,
  ]);
});

beforeEach(async () => {
  await database.query('DELETE FROM key');
  await database.query('DELETE FROM token_profile');
  await database.query('DELETE FROM token');
  tokens = [await newToken('first'), await newToken('second')];
});

async function newToken(name: string): Promise<string> {
  const uuid = newUuid();
  await database.query(
    `INSERT INTO token (uuid, name, connector_name, connector_token_uuid, kind, status, removing, created_at, updated_at)
     VALUES ($1, $2, 'c', 't', 'SOFT', 'Activated', false, now(), now())`,
    [uuid, name],
  );
  return uuid;
}

let places = 0;

/** Creates a key pair. */
async function newKey({ token, owner, algorithm = 'ECDSA' }: { token?: string; owner?: number; algorithm?: string }) {
  const uuid = newUuid();
  places += 1;
  await database.query(
    `INSERT INTO key (uuid, name, token_uuid, owner_uuid, owner_username, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, now(), now())`,
    [uuid, uuid, token ?? null, owner === undefined ? null : OWNERS[owner], owner === undefined ? null : `o${owner}`],
  );
  await database.query(
    `INSERT INTO key_item (uuid, key_uuid, name, type, algorithm, format, length, usages, enabled, state, created_at, updated_at)
     SELECT md5($1::text || type)::uuid, $1::uuid, 'half ' || $3::int, type, $2, 'Custom', 256, place, true, 'active',
       now() + ($3::int % 3) * interval '1 second', now()
     FROM unnest(ARRAY['Public', 'Private']) WITH ORDINALITY AS halves (type, place)`,
    [uuid, algorithm, places],
  );
  return uuid;
}

const expectExact = async () => expect(await findCountMismatches(database.executor)).toEqual([]);

const list = (conditions: readonly [string, string, unknown?][], visible = everything, few?: number) => {
  const filters = conditions.map(([fieldIdentifier, condition, value]) => ({
    fieldSource: 'property' as const,
    fieldIdentifier,
    condition: condition as 'EQUALS',
    ...(value === undefined ? {} : { value: value as string }),
  }));
  const request = { filters, itemsPerPage: 5, pageNumber: 1 };
  const search = readSearch(request, { lookup: keyFields.lookup, now: new Date() });
  return findPage(database.executor, { ...search, visible, ...(few === undefined ? {} : { few }) });
};

type Change = (key: string, choice: number) => readonly [text: string, values: readonly unknown[]];
const changes: readonly Change[] = [
  (key, choice) => ['UPDATE key_item SET state = $2 WHERE key_uuid = $1', [key, STATES[choice % 4]]],
  (key, choice) => [`UPDATE key_item SET usages = $2 WHERE key_uuid = $1 AND type = 'Private'`, [key, choice]],
  (key, choice) => ['UPDATE key_item SET name = $2 WHERE key_uuid = $1', [key, `name ${choice}`]],
  (key, choice) => ['UPDATE key SET owner_username = $2 WHERE uuid = $1', [key, choice % 2 ? 'o9' : null]],
  (key, choice) => ['UPDATE key SET token_uuid = $2 WHERE uuid = $1', [key, tokens[choice % 2]]],
  (key) => [`DELETE FROM key_item WHERE key_uuid = $1 AND type = 'Public'`, [key]],
  (key) => ['DELETE FROM key WHERE uuid = $1', [key]],
];

describe('key counters', () => {
  it('match the items, regardless of the order of changes and aggregations', async () => {
    const step = fc.record({
      key: fc.nat(5),
      change: fc.nat(changes.length - 1),
      choice: fc.nat(7),
      sums: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const keys: string[] = [];
        for (const [index, algorithm] of [...ALGORITHMS, ...ALGORITHMS].entries())
          keys.push(
            await newKey({ algorithm, owner: index % 2, ...(index > 2 ? { token: tokens[index % 2] ?? '' } : {}) }),
          );
        for (const { key, change, choice, sums } of steps) {
          const [text, values] = changes[change]?.(keys[key] ?? '', choice) ?? ['SELECT', []];
          await database.query(text, values);
          if (sums) await mergeCounts(database.executor);
        }
        await expectExact();
      }),
      { numRuns: 15 },
    );
    await mergeCounts(database.executor);
    await expectExact();
    expect(await countUnmerged(database.executor)).toBe(0);
  });

  it('reflect the removal of a token whose keys remain', async () => {
    await newKey({ token: tokens[0] ?? '' });
    await database.query('DELETE FROM token WHERE uuid = $1', [tokens[0]]);
    await expectExact();
    expect((await list([['CK_TOKEN_INSTANCE', 'EMPTY']])).totalItems).toBe(2);
  });

  it.each(['the item', 'the key'])(
    'include simultaneous changes to a key and to one of its items (%s first)',
    async (first) => {
      const key = await newKey({ token: tokens[0] ?? '' });
      const deeds = [
        [`UPDATE key_item SET state = 'compromised' WHERE key_uuid = $1`, [key]],
        ['UPDATE key SET token_uuid = $2 WHERE uuid = $1', [key, tokens[1]]],
      ] as const;
      const [now, later] = first === 'the item' ? deeds : deeds.toReversed();
      const [one, other] = [await database.connect(), await database.connect()];
      await one.query('BEGIN');
      await one.query(now?.[0] ?? '', [...(now?.[1] ?? [])]);
      const waiting = other.query(later?.[0] ?? '', [...(later?.[1] ?? [])]);
      await one.query('SELECT pg_sleep(0.1)');
      await one.query('COMMIT');
      await waiting;
      one.release();
      other.release();
      await expectExact();
      expect(
        (
          await list([
            ['CKI_STATE', 'EQUALS', ['compromised']],
            ['CK_TOKEN_INSTANCE', 'EQUALS', ['second']],
          ])
        ).totalItems,
      ).toBe(2);
    },
  );

  it('are correct after concurrent aggregations and key changes', async () => {
    const work = Array.from({ length: 20 }, async (_, index) => {
      await newKey({ token: tokens[index % 2] ?? '' });
      await mergeCounts(database.executor);
    });
    await Promise.all(work);
    await expectExact();
    expect((await list([])).totalItems).toBe(40);
  });

  it('are checked, and repaired if they are wrong', async () => {
    const { derivedData } = createKeyCounters(testPlatform(database));
    await newKey({ token: tokens[0] ?? '' });
    await mergeCounts(database.executor);
    expect(await derivedData.findWrong()).toEqual([]);
    await database.query(`UPDATE key_item_count SET items = items + 7 WHERE type = 'Private'`);
    const wrong = { what: expect.stringContaining('Private'), kept: '8', right: '1' };
    expect(await derivedData.findWrong()).toEqual([wrong]);
    expect(await derivedData.repair()).toEqual([wrong]);
    expect(await derivedData.findWrong()).toEqual([]);
  });
});

describe('key lists', () => {
  const searches: readonly (readonly [string, string, unknown?][])[] = [
    [],
    [['CKI_STATE', 'EQUALS', ['compromised']]],
    [['CKI_STATE', 'NOT_EQUALS', ['compromised']]],
    [['CKI_CRYPTOGRAPHIC_ALGORITHM', 'EQUALS', ['RSA', 'ECDSA']]],
    [['CKI_USAGE', 'EQUALS', ['sign']]],
    [['CK_OWNER', 'EQUALS', ['o1']], ['CKI_TYPE', 'EQUALS', ['Private']]], // prettier-ignore
    [['CK_OWNER', 'EMPTY']],
    [['CK_TOKEN_INSTANCE', 'EQUALS', ['first']]],
    [['CKI_NAME', 'CONTAINS', 'half']],
    [['CK_GROUP', 'EQUALS', ['g']]],
  ];

  it('return the same page and total with every query strategy', async () => {
    const keys: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const token = tokens[index % 3];
      keys.push(
        await newKey({ algorithm: ALGORITHMS[index % 3] ?? '', owner: index % 2, ...(token ? { token } : {}) }),
      );
    }
    await database.query(`UPDATE key_item SET state = 'compromised' WHERE key_uuid = ANY ($1)`, [keys.slice(0, 2)]);
    await database.query('UPDATE key SET owner_uuid = NULL, owner_username = NULL WHERE uuid = $1', [keys[5]]);
    for (const key of [keys[2], keys[7]])
      await database.query(
        `INSERT INTO group_membership (object_resource, object_uuid, group_uuid) VALUES ('keys', $1, $2)`,
        [key, GROUP],
      );
    const some: KeyFilter = { ...everything, tokens: only(tokens[0] ?? '') };
    const callers: readonly KeyFilter[] = [
      everything,
      some,
      { ...some, ownerUuid: OWNERS[1] ?? '' },
      { ...some, ownerUuid: OWNERS[0] ?? '', groups: only(GROUP) },
      { ...everything, tokens: { kind: 'all', except: new Set([tokens[0] ?? '']) } },
      { ...everything, tokens: only() },
    ];
    for (const visible of callers)
      for (const conditions of searches) {
        const [collected, walked] = [await list(conditions, visible), await list(conditions, visible, 0)];
        expect(walked).toEqual(collected);
        expect(collected.items.length).toBe(Math.min(5, collected.totalItems));
      }
    expect((await list([])).totalItems).toBe(24);
    expect((await list([], some)).totalItems).toBe(8);
    expect((await list([['CKI_STATE', 'EQUALS', ['compromised']]])).totalItems).toBe(4);
    expect((await list([['CK_OWNER', 'EMPTY']])).totalItems).toBe(2);
  });
});
