import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { headMac, GENESIS, sealValue, type ChainPosition } from './chain.ts';
import * as store from './store-chain.ts';
import { createChainFixture, cut, clearTrail, NODE_A, type ChainNode } from './testing/chain-fixture.ts';

const { database, clock, auditKey, node, verify, endOf } = await createChainFixture();

let a: ChainNode;

beforeEach(async () => {
  await clearTrail(database);
  a = node(NODE_A);
});

describe('a tampered chain', () => {
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

  it('is recorded by the process that wrote it, published as an event, and remains detectable', async () => {
    await database.query('DELETE FROM event_outbox');
    await cut(database, { nodeId: NODE_A, keep: 3 });
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
    for (const memory of [a.sealer.remembered, new Map<string, ChainPosition>()])
      expect(await verify(memory)).toMatchObject({
        intact: false,
        gaps: [{ node: NODE_A, from: 7, to: 10 }],
        firstBad: { node: NODE_A, problem: 'a seal is missing' },
      });
  });

  it('is recorded after a restart, and remains detectable', async () => {
    await cut(database, { nodeId: NODE_A, keep: 3 });
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
  ])('is continued, and the tampering is recorded, if %s', async (_what, change) => {
    await database.query(change);
    await a.write(1);
    expect(await a.sealer.seal()).toBe(1);
    await a.write(1);
    expect(await a.sealer.seal()).toBe(2);
    expect(await tamperings()).toHaveLength(1);
    expect(await verify()).toMatchObject({ intact: false });
  });

  it('is recorded if an earlier head is restored with its MAC', async () => {
    const [early] = await database.query<{ end_mac: Uint8Array }>('SELECT * FROM audit_chain WHERE node_id = $1', [
      NODE_A,
    ]);
    const kept = await endOf(a);
    await a.write(1);
    await a.sealer.seal();
    const newest = await endOf(a);
    await cut(database, { nodeId: NODE_A, keep: 5 });
    await database.query('UPDATE audit_chain SET end_seal_number = 5, end_mac = $2 WHERE node_id = $1', [
      NODE_A,
      early?.end_mac,
    ]);
    // The database alone now looks intact; only the sealer's memory and externally stored heads reveal the change.
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

  it('is detected with an externally stored head, even after new seals have replaced the removed ones', async () => {
    const newest = await endOf(a);
    const [early] = await database.query<{ end_mac: Uint8Array }>('SELECT * FROM audit_chain WHERE node_id = $1', [
      NODE_A,
    ]);
    await a.write(1);
    await a.sealer.seal();
    const cutOff = await endOf(a);
    await cut(database, { nodeId: NODE_A, keep: 5 });
    await database.query('UPDATE audit_chain SET end_seal_number = 5, end_mac = $1', [early?.end_mac]);
    const later = restarted();
    await later.write(4);
    await later.sealer.seal();
    expect(await verify()).toMatchObject({ intact: true });
    expect(await verify(new Map(), [newest])).toMatchObject({ intact: true, ends: 1, endFaults: [] });
    expect(await verify(new Map(), [cutOff])).toMatchObject({
      intact: false,
      endFaults: [{ seals: 6, problem: 'seal 6 has a different value: it and everything before it were replaced' }],
    });
    expect(await verify(new Map(), [{ ...newest, mac: GENESIS }])).toMatchObject({
      endFaults: [{ problem: 'it was not created by this installation, or was altered' }],
    });
  });

  it('is not reported if the previous version of the program continued the chain', async () => {
    const key = await auditKey();
    const [end] = await database.query<{ seal_number: number; next_sequence: number; chain_value: Uint8Array }>(
      'SELECT * FROM audit_chain WHERE node_id = $1',
      [NODE_A],
    );
    if (!end) return expect.unreachable('there is a chain');
    await a.write(1);
    await database.transaction(async (tx) => {
      const rows = await store.claimUnsealed(tx, { nodeId: NODE_A, limit: 10 });
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
      await sql`UPDATE audit_chain SET end_seal_number = 5, end_mac = ${headMac(key, { node: NODE_A, place: { number: 5, nextSequence: end.next_sequence, value: end.chain_value } })}`.execute(
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
