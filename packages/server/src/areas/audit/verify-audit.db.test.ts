// Sealing and verification, with faults planted by hand.
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock, testDatabase, testPlatform } from '@signetry/testkit';
import { coreContext } from '../../kernel/actor.ts';
import { createSealer, newSealingKey } from '../../platform/crypto/sealing.ts';
import { createAuditKey } from './store-key.ts';
import { endMac, GENESIS, placeAfter, sealValue, type ChainPlace } from './chain.ts';
import { endText, readEndText, type SentEnd } from './chain-end.ts';
import { createAuditOutside } from './outside.ts';
import * as store from './store-chain.ts';
import { createAuditSealer, type AuditSealer } from './sealer.ts';
import { createAuditTrail } from './trail.ts';
import { verifyAudit } from './verify-audit.ts';

const database = await testDatabase();
const clock = createFakeClock();
const secret = newSealingKey();
const NODE_A = '00000000-0000-7000-8000-00000000000a';
const NODE_B = '00000000-0000-7000-8000-00000000000b';
const context = { ...coreContext('r1'), audit: { module: 'core', resource: 'groups', operation: 'update' } as const };

interface Node {
  readonly write: (count: number) => Promise<void>;
  readonly sealer: AuditSealer;
  /** How often it counted tampering. */
  readonly metric: () => Promise<number>;
}

function node(nodeId: string): Node {
  const platform = testPlatform(database, { nodeId, clock, sealer: createSealer([secret]) });
  const trail = createAuditTrail(platform);
  const write = async (count: number) => {
    const records = Array.from({ length: count }, (_, index) =>
      trail.record(context, { objects: [{ name: `o${index}` }], data: { index, ratio: 0.1 } }),
    );
    await database.transaction((tx) => trail.insertMany(tx, records));
  };
  const outside = createAuditOutside(platform, { endIntervalMs: 0 });
  const sealer = createAuditSealer(platform, { key: createAuditKey(platform), outside, endIntervalMs: 0 });
  const metric = async () => (await platform.metrics.auditTampering.get()).values[0]?.value ?? 0;
  return { write, sealer, metric };
}

let a: Node;
let b: Node;

const auditKey = () => createAuditKey({ database, sealer: createSealer([secret]) })();

/** As a process sees it that did not write the chain, or with what one remembers. */
async function verify(remembered: ReadonlyMap<string, ChainPlace> = new Map(), ends: readonly SentEnd[] = []) {
  const key = await auditKey();
  return verifyAudit(database.executor, { key, now: clock.now(), remembered, ends });
}

/** What database rights alone allow: removes the seals after a number with their records, and sets the end back. */
async function cut(nodeId: string, keep: number): Promise<void> {
  await database.query(
    `DELETE FROM audit_record WHERE id IN (SELECT unnest(audit_ids) FROM audit_seal WHERE node_id = $1 AND seal_number > $2)`,
    [nodeId, keep],
  );
  await database.query('DELETE FROM audit_seal WHERE node_id = $1 AND seal_number > $2', [nodeId, keep]);
  await database.query(
    `UPDATE audit_chain c SET seal_number = s.seal_number, next_sequence = s.first_sequence + cardinality(s.audit_ids),
       chain_value = s.chain_value FROM audit_seal s WHERE s.node_id = c.node_id AND s.seal_number = $2 AND c.node_id = $1`,
    [nodeId, keep],
  );
}

const idAt = async (offset: number): Promise<number> => {
  const [row] = await database.query<{ id: number }>('SELECT id FROM audit_record ORDER BY id OFFSET $1 LIMIT 1', [
    offset,
  ]);
  if (!row) throw new Error('there are fewer records');
  return row.id;
};

beforeEach(async () => {
  await database.query(
    'TRUNCATE audit_record, audit_unsealed, audit_chain, audit_seal, audit_purge, audit_key RESTART IDENTITY',
  );
  a = node(NODE_A);
  b = node(NODE_B);
});

describe('sealing', () => {
  it('numbers the records of each node without gaps, in batches', async () => {
    await a.write(2500);
    await b.write(3);
    expect(await a.sealer.seal()).toBe(2500);
    expect(await b.sealer.seal()).toBe(3);
    expect(await a.sealer.seal()).toBe(0);
    expect(
      await database.query(
        'SELECT node_id, seal_number, first_sequence, cardinality(audit_ids) AS records, length(row_hashes) AS bytes FROM audit_seal ORDER BY 1, 2',
      ),
    ).toEqual([
      { node_id: NODE_A, seal_number: 1, first_sequence: 1, records: 1000, bytes: 32_000 },
      { node_id: NODE_A, seal_number: 2, first_sequence: 1001, records: 1000, bytes: 32_000 },
      { node_id: NODE_A, seal_number: 3, first_sequence: 2001, records: 500, bytes: 16_000 },
      { node_id: NODE_B, seal_number: 1, first_sequence: 1, records: 3, bytes: 96 },
    ]);
    expect(await verify()).toMatchObject({
      intact: true,
      rows: 2503,
      sealed: 2503,
      purged: 0,
      unsealedOlderThanLimit: 0,
      gaps: [],
      brokenLinks: 0,
      badRows: 0,
    });
  });

  it('does not see records before their change is committed', async () => {
    await a.write(1);
    await database.transaction(async (tx) => {
      const trail = createAuditTrail(testPlatform(database, { nodeId: NODE_A }));
      await trail.append(tx, context, {});
      expect(await a.sealer.seal()).toBe(1);
    });
    expect(await a.sealer.seal()).toBe(1);
    expect(await verify()).toMatchObject({ intact: true, sealed: 2 });
  });

  it('continues a chain in one way only, however many seal at once', async () => {
    const twin = node(NODE_A);
    for (let round = 0; round < 10; round += 1) {
      await a.write(150);
      const sealed = await Promise.all([a.sealer.seal(), twin.sealer.seal(), b.sealer.seal({ everything: true })]);
      expect(sealed.reduce((sum, count) => sum + count)).toBe(150);
    }
    expect(await verify()).toMatchObject({ intact: true, sealed: 1500, brokenLinks: 0 });
  });

  it('lets the second of two sealers of one chain continue where the first ended', async () => {
    await a.write(1);
    await a.sealer.seal();
    await a.write(20);
    const twin = node(NODE_A);
    const isWaiting = async () =>
      (
        await database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
      ).length > 0;
    let second: Promise<number> | undefined;
    await database.transaction(async (tx) => {
      const end = await store.lockChain(tx, NODE_A, GENESIS);
      const rows = await store.takeUnsealed(tx, { nodeId: NODE_A, limit: 5 });
      second = twin.sealer.seal();
      while (!(await isWaiting()));
      const seal = {
        node_id: NODE_A,
        seal_number: end.seal_number + 1,
        first_sequence: end.next_sequence,
        audit_ids: rows.map(({ id }) => id),
        row_hashes: Buffer.concat(rows.map(({ hash }) => hash ?? GENESIS)),
        previous_value: end.chain_value,
        sealed_at: clock.now(),
      };
      const key = await auditKey();
      const valued = { ...seal, chain_value: sealValue(key, seal) };
      await store.insertSeal(tx, valued, { mac: endMac(key, { node: NODE_A, place: placeAfter(valued) }) });
    });
    expect(await second).toBe(15);
    expect(await verify()).toMatchObject({ intact: true, sealed: 21, brokenLinks: 0 });
  });

  it('seals what a dead node left, in the chain of that node', async () => {
    await b.write(5);
    expect(await a.sealer.seal()).toBe(0);
    await database.query(`UPDATE audit_unsealed SET queued_at = queued_at - interval '11 seconds'`);
    expect(await a.sealer.seal()).toBe(5);
    expect(await database.query('SELECT node_id FROM audit_seal')).toEqual([{ node_id: NODE_B }]);
    expect(await verify()).toMatchObject({ intact: true });
  });

  it('stays verifiable when the sealing key is rotated', async () => {
    await a.write(1);
    await a.sealer.seal();
    const rotated = createSealer([newSealingKey(), secret]);
    const key = await createAuditKey({ database, sealer: rotated })();
    expect(await verifyAudit(database.executor, { key, now: clock.now(), remembered: new Map() })).toMatchObject({
      intact: true,
    });
  });

  it('is verified while records are written, without a false alarm', async () => {
    const stop = new AbortController();
    const writer = (async () => {
      while (!stop.signal.aborted) {
        await a.write(50);
        await b.write(5);
        await Promise.all([a.sealer.seal(), b.sealer.seal()]);
      }
    })();
    try {
      for (let round = 0; round < 15; round += 1)
        expect(await verify(a.sealer.remembered)).toMatchObject({ intact: true });
    } finally {
      stop.abort();
      await writer;
    }
  });
});

describe('verification', () => {
  beforeEach(async () => {
    for (let round = 0; round < 3; round += 1) {
      await a.write(10);
      await a.sealer.seal();
    }
    await b.write(10);
    await b.sealer.seal();
  });

  it.each([
    ['a text', `message = 'forged'`],
    ['an instant by a microsecond', `"timestamp" = "timestamp" + interval '1 microsecond'`],
    ['the actor', `actor_name = NULL`],
    ['an object', `resource_objects = '[{"name": "other"}]'`],
    ['the data', `operation_data = operation_data || '{"index": 99}'`],
    ['the node', `node_id = '${NODE_B}'`],
  ])('names a record of which %s was altered', async (_what, change) => {
    const id = await idAt(12);
    await database.query(`UPDATE audit_record SET ${change} WHERE id = $1`, [id]);
    expect(await verify()).toMatchObject({
      intact: false,
      badRows: 1,
      brokenLinks: 0,
      gapCount: 0,
      firstBad: { id, node: NODE_A, sequence: 13, problem: 'the record was altered' },
    });
  });

  it('names the first of several removed records and the gaps they leave', async () => {
    const [first, second] = [await idAt(4), await idAt(5)];
    await database.query('DELETE FROM audit_record WHERE id IN ($1, $2, $3)', [first, second, await idAt(20)]);
    expect(await verify()).toMatchObject({
      intact: false,
      badRows: 3,
      gapCount: 2,
      gaps: [
        { node: NODE_A, from: 5, to: 6 },
        { node: NODE_A, from: 21, to: 21 },
      ],
      firstBad: { id: first, sequence: 5, problem: 'the record was removed, and no purge accounts for it' },
    });
  });

  it('detects records that changed places', async () => {
    const [first, second] = [await idAt(3), await idAt(7)];
    await database.query(
      `UPDATE audit_record AS r SET "timestamp" = o."timestamp", operation_data = o.operation_data, resource_objects = o.resource_objects
      FROM audit_record o WHERE (r.id, o.id) IN (($1, $2), ($2, $1))`,
      [first, second],
    );
    expect(await verify()).toMatchObject({
      intact: false,
      badRows: 2,
      firstBad: { id: first, problem: 'the record was altered' },
    });
  });

  it('detects a record that was removed and written again under another id', async () => {
    const id = await idAt(8);
    const columns =
      'node_id, "timestamp", logged_at, version, module, operation, operation_result, resource, resource_objects, actor_type, actor_auth_method';
    await database.query(`INSERT INTO audit_record (${columns}) SELECT ${columns} FROM audit_record WHERE id = $1`, [
      id,
    ]);
    await database.query('DELETE FROM audit_record WHERE id = $1', [id]);
    expect(await verify()).toMatchObject({
      intact: false,
      badRows: 2,
      firstBad: { id, problem: 'the record was removed, and no purge accounts for it' },
    });
  });

  it('detects a record that was slipped in', async () => {
    await database.query(
      `INSERT INTO audit_record (node_id, "timestamp", module, operation, operation_result, resource, actor_type, actor_auth_method)
      VALUES ($1, now(), 'core', 'create', 'success', 'groups', 'core', 'none')`,
      [NODE_A],
    );
    const id = await idAt(40);
    expect(await verify()).toMatchObject({
      intact: false,
      rows: 41,
      badRows: 1,
      firstBad: { id, node: NODE_A, problem: 'no seal knows the record' },
    });
  });

  it('detects a record that was taken out of the queue, and one that vanished before it was sealed', async () => {
    await a.write(2);
    const [kept, gone] = [await idAt(40), await idAt(41)];
    await database.query('DELETE FROM audit_unsealed WHERE audit_id = $1', [kept]);
    await database.query('DELETE FROM audit_record WHERE id = $1', [gone]);
    await a.sealer.seal();
    expect(await verify()).toMatchObject({
      intact: false,
      badRows: 2,
      firstBad: { id: kept, problem: 'no seal knows the record' },
    });
  });

  it('detects a seal that was altered, even together with its record', async () => {
    const id = await idAt(0);
    await database.query(`UPDATE audit_record SET message = 'forged' WHERE id = $1`, [id]);
    await database.query(
      `UPDATE audit_seal SET row_hashes = overlay(row_hashes PLACING sha256('forged') FROM 1) WHERE node_id = $1 AND seal_number = 1`,
      [NODE_A],
    );
    expect(await verify()).toMatchObject({ intact: false, brokenLinks: 1 });
  });

  it('detects a seal that is missing in the middle, with its records or without', async () => {
    await database.query('DELETE FROM audit_seal WHERE node_id = $1 AND seal_number = 2', [NODE_A]);
    expect(await verify()).toMatchObject({
      intact: false,
      brokenLinks: 1,
      gaps: [{ node: NODE_A, from: 11, to: 20 }],
      badRows: 10,
      firstBad: { problem: 'no seal knows the record' },
    });
    await database.query(
      'DELETE FROM audit_record WHERE id IN (SELECT id FROM audit_record ORDER BY id OFFSET 10 LIMIT 10)',
    );
    expect(await verify()).toMatchObject({
      intact: false,
      brokenLinks: 1,
      badRows: 0,
      firstBad: { problem: 'a seal is missing', node: NODE_A },
    });
  });

  it('detects seals that changed places', async () => {
    await database.query(
      `UPDATE audit_seal SET seal_number = CASE seal_number WHEN 1 THEN 102 ELSE 101 END WHERE node_id = $1 AND seal_number IN (1, 2)`,
      [NODE_A],
    );
    await database.query('UPDATE audit_seal SET seal_number = seal_number - 100 WHERE seal_number > 100');
    expect((await verify()).brokenLinks).toBeGreaterThan(1);
  });

  it('detects that the last seal was removed, with its records', async () => {
    await database.query(
      'DELETE FROM audit_record WHERE id IN (SELECT unnest(audit_ids) FROM audit_seal WHERE node_id = $1 AND seal_number = 3)',
      [NODE_A],
    );
    await database.query('DELETE FROM audit_seal WHERE node_id = $1 AND seal_number = 3', [NODE_A]);
    expect(await verify()).toMatchObject({
      intact: false,
      brokenLinks: 1,
      gaps: [{ node: NODE_A, from: 21, to: 30 }],
      firstBad: { problem: 'the end of the chain was altered or the chain was cut' },
    });
  });

  it('detects a chain that was cut together with its end, in a process that remembers it', async () => {
    await database.query(
      'DELETE FROM audit_record WHERE id IN (SELECT unnest(audit_ids) FROM audit_seal WHERE node_id = $1 AND seal_number = 3)',
      [NODE_A],
    );
    await database.query('DELETE FROM audit_seal WHERE node_id = $1 AND seal_number = 3', [NODE_A]);
    await database.query(
      `UPDATE audit_chain c SET seal_number = 2, next_sequence = 21, chain_value = s.chain_value
      FROM audit_seal s WHERE s.node_id = c.node_id AND s.seal_number = 2 AND c.node_id = $1`,
      [NODE_A],
    );
    expect(await verify(a.sealer.remembered)).toMatchObject({
      intact: false,
      brokenLinks: 1,
      firstBad: { problem: 'the end of the chain was altered or the chain was cut' },
    });
  });

  it('detects a chain that was cut together with its end, also in a process that remembers nothing', async () => {
    await cut(NODE_A, 2);
    expect(await verify()).toMatchObject({
      intact: false,
      brokenLinks: 1,
      firstBad: { node: NODE_A, problem: 'the end of the chain was altered or the chain was cut' },
    });
  });

  it('detects that the MAC of the end was removed', async () => {
    await database.query('UPDATE audit_chain SET end_mac = NULL, end_seal_number = NULL WHERE node_id = $1', [NODE_A]);
    expect(await verify()).toMatchObject({ intact: false, brokenLinks: 1 });
  });

  it('detects that the end of a chain was altered', async () => {
    await database.query(`UPDATE audit_chain SET chain_value = sha256('x') WHERE node_id = $1`, [NODE_B]);
    expect(await verify()).toMatchObject({
      intact: false,
      brokenLinks: 1,
      firstBad: { node: NODE_B, problem: 'the end of the chain was altered or the chain was cut' },
    });
  });

  it('detects a chain without its end, seals past an end, and a chain that is gone', async () => {
    const saved = await database.query<{ node_id: string }>('SELECT * FROM audit_chain WHERE node_id = $1', [NODE_A]);
    await database.query('DELETE FROM audit_chain WHERE node_id = $1', [NODE_A]);
    expect(await verify()).toMatchObject({ intact: false, brokenLinks: 1 });
    expect(saved).toHaveLength(1);
    await database.query('DELETE FROM audit_seal WHERE node_id = $1', [NODE_A]);
    await database.query('DELETE FROM audit_record WHERE node_id = $1', [NODE_A]);
    expect(await verify(a.sealer.remembered)).toMatchObject({ intact: false, brokenLinks: 1, badRows: 0 });
    await database.query('UPDATE audit_seal SET seal_number = 2 WHERE node_id = $1', [NODE_B]);
    expect(await verify()).toMatchObject({ intact: false });
  });

  it('reports records that wait too long for their seal', async () => {
    await a.write(3);
    expect(await verify()).toMatchObject({ intact: true, unsealedOlderThanLimit: 0 });
    await database.query(`UPDATE audit_unsealed SET queued_at = queued_at - interval '30 seconds'`);
    expect(await verify()).toMatchObject({
      intact: false,
      unsealedOlderThanLimit: 3,
      firstBad: { problem: 'the record should have been sealed by now' },
    });
  });

  it('does not accept a purge marker that was written by hand', async () => {
    const id = await idAt(2);
    await database.query('DELETE FROM audit_record WHERE id = $1', [id]);
    await database.query(`INSERT INTO audit_purge (uuid, part, purged_at, first_ids, last_ids, record_count, mac)
      VALUES (gen_random_uuid(), 0, now(), ARRAY[1::bigint], ARRAY[1000::bigint], 1, sha256('x'))`);
    expect(await verify()).toMatchObject({ intact: false, purged: 0, badRows: 1, firstBad: { id } });
  });
});

describe('a chain that was tampered with', () => {
  const tamperings = () =>
    database.query<{ message: string; data: object }>(
      `SELECT message, operation_data AS data FROM audit_record WHERE resource = 'auditLogs' AND operation_result = 'failure' ORDER BY id`,
    );
  const restarted = () => node(NODE_A);

  beforeEach(async () => {
    for (let round = 0; round < 5; round += 1) {
      await a.write(2);
      await a.sealer.seal();
    }
  });

  it('is recorded by the process that wrote it, told as an event, and stays visible for good', async () => {
    await database.query('DELETE FROM event_outbox');
    await cut(NODE_A, 3);
    await a.write(1);
    await a.sealer.seal();
    expect(await tamperings()).toMatchObject([{ data: { node: NODE_A, foundSeal: 3, rememberedSeal: 5 } }]);
    expect(await database.query('SELECT event, payload FROM event_outbox')).toMatchObject([
      { event: 'audit_tampered', payload: { node: NODE_A, foundSeal: 3, rememberedSeal: 5 } },
    ]);
    expect(await a.metric()).toBe(1);
    for (let round = 0; round < 3; round += 1) {
      await a.write(1);
      await a.sealer.seal();
    }
    expect(await tamperings()).toHaveLength(1);
    for (const memory of [a.sealer.remembered, new Map<string, ChainPlace>()])
      expect(await verify(memory)).toMatchObject({
        intact: false,
        gaps: [{ node: NODE_A, from: 7, to: 10 }],
        firstBad: { node: NODE_A, problem: 'a seal is missing' },
      });
  });

  it('is recorded after a restart, and stays visible for good', async () => {
    await cut(NODE_A, 3);
    const later = restarted();
    for (let round = 0; round < 3; round += 1) {
      await later.write(1);
      await later.sealer.seal();
    }
    expect(await tamperings()).toMatchObject([{ data: { foundSeal: 3 } }]);
    expect(await verify()).toMatchObject({ intact: false, firstBad: { problem: 'a seal is missing' } });
  });

  it.each([
    ['the row of its end is gone', `DELETE FROM audit_chain`],
    ['its end says an earlier seal', `UPDATE audit_chain SET seal_number = 1, next_sequence = 3`],
    ['its newest seal is gone', `DELETE FROM audit_seal WHERE seal_number = 5`],
    ['its newest seal has another value', `UPDATE audit_seal SET chain_value = sha256('x') WHERE seal_number = 5`],
    ['the MAC of its end is gone', `UPDATE audit_chain SET end_mac = NULL, end_seal_number = NULL`],
    ['nothing of it is left', `TRUNCATE audit_chain, audit_seal, audit_record`],
  ])('is continued and recorded when %s', async (_what, change) => {
    await database.query(change);
    await a.write(1);
    expect(await a.sealer.seal()).toBe(1);
    await a.write(1);
    expect(await a.sealer.seal()).toBe(2);
    expect(await tamperings()).toHaveLength(1);
    expect(await verify()).toMatchObject({ intact: false });
  });

  it('is recorded when the end that it had earlier is put back with its MAC', async () => {
    const [early] = await database.query<{ end_mac: Uint8Array }>('SELECT * FROM audit_chain WHERE node_id = $1', [
      NODE_A,
    ]);
    const kept = await endOf(a);
    await a.write(1);
    await a.sealer.seal();
    const newest = await endOf(a);
    await cut(NODE_A, 5);
    await database.query('UPDATE audit_chain SET end_seal_number = 5, end_mac = $2 WHERE node_id = $1', [
      NODE_A,
      early?.end_mac,
    ]);
    // The database alone looks well now: only memory and what was kept elsewhere know better.
    expect(await verify()).toMatchObject({ intact: true });
    expect(await verify(new Map(), [kept, newest])).toMatchObject({
      intact: false,
      ends: 2,
      endFaults: [
        {
          node: NODE_A,
          seals: 6,
          records: 11,
          problem: 'the chain ends with seal 5; records missing after it: 1',
        },
      ],
    });
    await a.write(1);
    await a.sealer.seal();
    expect(await tamperings()).toMatchObject([{ data: { foundSeal: 5, rememberedSeal: 6 } }]);
    expect(await verify()).toMatchObject({ intact: false });
  });

  it('is told by an end kept elsewhere, also after others filled its place', async () => {
    const newest = await endOf(a);
    const [early] = await database.query<{ end_mac: Uint8Array }>('SELECT * FROM audit_chain WHERE node_id = $1', [
      NODE_A,
    ]);
    await a.write(1);
    await a.sealer.seal();
    const cutOff = await endOf(a);
    await cut(NODE_A, 5);
    await database.query('UPDATE audit_chain SET end_seal_number = 5, end_mac = $1', [early?.end_mac]);
    const later = restarted();
    await later.write(4);
    await later.sealer.seal();
    expect(await verify()).toMatchObject({ intact: true });
    expect(await verify(new Map(), [newest])).toMatchObject({ intact: true, ends: 1, endFaults: [] });
    expect(await verify(new Map(), [cutOff])).toMatchObject({
      intact: false,
      endFaults: [{ seals: 6, problem: 'seal 6 has another value: it and what came before it were replaced' }],
    });
    expect(await verify(new Map(), [{ ...newest, mac: GENESIS }])).toMatchObject({
      endFaults: [{ problem: 'it was not made by this installation, or was altered' }],
    });
  });

  it('is none that a program of the version before continued', async () => {
    const key = await auditKey();
    const [end] = await database.query<{ seal_number: number; next_sequence: number; chain_value: Uint8Array }>(
      'SELECT * FROM audit_chain WHERE node_id = $1',
      [NODE_A],
    );
    if (!end) return expect.unreachable('there is a chain');
    await a.write(1);
    await database.transaction(async (tx) => {
      const rows = await store.takeUnsealed(tx, { nodeId: NODE_A, limit: 10 });
      const seal = {
        node_id: NODE_A,
        seal_number: end.seal_number + 1,
        first_sequence: end.next_sequence,
        audit_ids: rows.map(({ id }) => id),
        row_hashes: Buffer.concat(rows.map(({ hash }) => hash ?? GENESIS)),
        previous_value: end.chain_value,
        sealed_at: clock.now(),
      };
      const value = sealValue(key, seal, { version: 1 });
      await store.insertSeal(tx, { ...seal, chain_value: value }, { mac: GENESIS });
      await sql`UPDATE audit_chain SET end_seal_number = 5, end_mac = ${endMac(key, { node: NODE_A, place: { number: 5, nextSequence: end.next_sequence, value: end.chain_value } })}`.execute(
        tx,
      );
    });
    expect(await verify()).toMatchObject({ intact: true });
    await a.write(1);
    await a.sealer.seal();
    expect(await tamperings()).toEqual([]);
    expect(await verify()).toMatchObject({ intact: true, brokenLinks: 0 });
  });
});

/** The end of a node's chain as it is sent elsewhere. */
async function endOf({ sealer }: Node): Promise<SentEnd> {
  const place = sealer.remembered.get(NODE_A);
  if (!place) throw new Error('the node sealed nothing yet');
  const mac = endMac(await auditKey(), { node: NODE_A, place });
  const text = endText({ node: NODE_A, place, mac });
  return readEndText(text) ?? expect.unreachable(`${text} is an end`);
}
