import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import { insertRows, type RowFacts } from '../../certificates/testing/certificate-rows.ts';
import { createLineage } from './lineage.ts';

let database: Database;
let uuids: ReadonlyMap<string, string>;
const everything = coreContext('test');
const owner = newUuid();

const year = (from: number) => ({
  not_before: new Date(Date.UTC(from, 0, 1)),
  not_after: new Date(Date.UTC(from + 1, 0, 1)),
});
const shop = { names: { dNSName: ['shop.example'] }, subject_dn_normalized: 'cn=shop.example' };

const rows: readonly RowFacts[] = [
  { ...shop, common_name: 'first', ...year(2023), public_key_fingerprint: 'aa' },
  { ...shop, common_name: 'second', ...year(2024), owner_uuid: owner, public_key_fingerprint: 'aa' },
  { ...shop, common_name: 'third', ...year(2025), owner_uuid: owner },
  { ...shop, common_name: 'failed', ...year(2025), state: 'failed' },
  { ...shop, names: { dNSName: ['shop.example', 'www.example'] }, common_name: 'with one name more', ...year(2026) },
  { ...shop, common_name: 'requested', not_before: null, not_after: null, state: 'requested' },
  { ...shop, names: { dNSName: ['shop.test'] }, common_name: 'other', ...year(2025) },
];

beforeAll(async () => {
  database = await testDatabase();
  uuids = new Map((await insertRows(database, rows)).map(({ common_name, uuid }) => [common_name, uuid]));
  const relations = [
    ['second', 'first', 'renewal'],
    ['with one name more', 'third', 'replacement'],
    ['requested', 'third', 'pending'],
  ] as const;
  for (const [successor, predecessor, type] of relations)
    await database.query(
      `INSERT INTO certificate_relation (successor_uuid, predecessor_uuid, relation_type, created_at)
       VALUES ($1, $2, $3, now())`,
      [uuids.get(successor), uuids.get(predecessor), type],
    );
  for (const [event, at, by] of [
    ['Issue Certificate', 2, 'core'],
    ['Request Certificate', 1, 'alice'],
  ] as const)
    await database.query(
      `INSERT INTO certificate_history (uuid, certificate_uuid, event, status, message, created_at, created_by)
       VALUES ($1, $2, $3, 'SUCCESS', '', to_timestamp($4), $5)`,
      [newUuid(), uuids.get('second'), event, at, by],
    );
});

const lineageOf = (name: string, { context = everything, limit = 10 } = {}) =>
  createLineage(testPlatform(database), { limit })(uuids.get(name) ?? newUuid(), context);
const namesIn = ({ certificates }: Awaited<ReturnType<typeof lineageOf>>) =>
  certificates.map(({ commonName }) => commonName);

describe("a certificate's lineage", () => {
  it('contains certificates with the same names and those linked by renewals, newest first', async () => {
    expect(namesIn(await lineageOf('third'))).toEqual(['requested', 'with one name more', 'third', 'second', 'first']);
    expect(namesIn(await lineageOf('with one name more'))).toEqual(['requested', 'with one name more', 'third']);
    expect(namesIn(await lineageOf('other'))).toEqual(['other']);
  });

  it('shows which certificate succeeded which, whether the key was kept, and who requested the renewal', async () => {
    const { certificates } = await lineageOf('third');
    const of = (name: string) => certificates.find(({ commonName }) => commonName === name);
    expect(of('second')).toMatchObject({
      keyFingerprint: 'aa',
      predecessors: [{ uuid: uuids.get('first'), relationType: 'renewal' }],
      origin: { event: 'Request Certificate', username: 'alice' },
    });
    expect(of('first')).toMatchObject({ keyFingerprint: 'aa', predecessors: [] });
    expect(of('first')).not.toHaveProperty('origin');
    expect(of('requested')?.predecessors).toEqual([{ uuid: uuids.get('third'), relationType: 'pending' }]);
  });

  it('omits certificates that the caller cannot see', async () => {
    const actor = { ...everything.actor, type: 'user' as const, userUuid: owner };
    const permissions = { allowAllResources: false, resources: new Map() };
    const limited: RequestContext = { ...everything, actor: { ...actor, permissions } };
    const lineage = await lineageOf('third', { context: limited });
    expect(namesIn(lineage)).toEqual(['third', 'second']);
    expect(lineage.certificates[1]?.predecessors).toEqual([]);
  });

  it('is truncated if it is too long, and indicates this', async () => {
    const { certificates, hasMore } = await lineageOf('third', { limit: 2 });
    expect([certificates.length, hasMore]).toEqual([2, true]);
    expect((await lineageOf('third', { limit: 5 })).hasMore).toBe(false);
  });

  it('is not found for an unknown certificate', async () => {
    await expect(lineageOf('unknown')).rejects.toMatchObject({ code: 'object_not_found' });
  });
});
