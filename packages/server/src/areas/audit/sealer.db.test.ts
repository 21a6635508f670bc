import { beforeEach, describe, expect, it } from 'vitest';
import { testPlatform } from '@signetry/testkit/services';
import { createSealer, newSealingKey } from '../../platform/crypto/sealing.ts';
import { headMac, GENESIS, positionAfter, sealValue } from './chain.ts';
import * as store from './store-chain.ts';
import { createAuditKey } from './store-key.ts';
import {
  changeOfGroup,
  createChainFixture,
  clearTrail,
  NODE_A,
  NODE_B,
  type ChainNode,
} from './testing/chain-fixture.ts';
import { createAuditTrail } from './trail.ts';
import { verifyAudit } from './verify-audit.ts';

const { database, clock, secret, auditKey, node, verify } = await createChainFixture();

let a: ChainNode;
let b: ChainNode;

beforeEach(async () => {
  await clearTrail(database);
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

  it('ignores records until their change is committed', async () => {
    await a.write(1);
    await database.transaction(async (tx) => {
      const trail = createAuditTrail(testPlatform(database, { nodeId: NODE_A }));
      await trail.append(tx, changeOfGroup, {});
      expect(await a.sealer.seal()).toBe(1);
    });
    expect(await a.sealer.seal()).toBe(1);
    expect(await verify()).toMatchObject({ intact: true, sealed: 2 });
  });

  it('extends a chain without forks, regardless of how many sealers run concurrently', async () => {
    const twin = node(NODE_A);
    for (let round = 0; round < 10; round += 1) {
      await a.write(150);
      const sealed = await Promise.all([a.sealer.seal(), twin.sealer.seal(), b.sealer.seal({ everything: true })]);
      expect(sealed.reduce((sum, count) => sum + count)).toBe(150);
    }
    expect(await verify()).toMatchObject({ intact: true, sealed: 1500, brokenLinks: 0 });
  });

  it('lets the second of two sealers continue the chain where the first one stopped', async () => {
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
      const rows = await store.claimUnsealed(tx, { nodeId: NODE_A, limit: 5 });
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
      await store.insertSeal(tx, valued, { mac: headMac(key, { node: NODE_A, place: positionAfter(valued) }) });
    });
    expect(await second).toBe(15);
    expect(await verify()).toMatchObject({ intact: true, sealed: 21, brokenLinks: 0 });
  });

  it("seals the remaining records of a dead node as part of that node's chain", async () => {
    await b.write(5);
    expect(await a.sealer.seal()).toBe(0);
    await database.query(`UPDATE audit_unsealed SET queued_at = queued_at - interval '11 seconds'`);
    expect(await a.sealer.seal()).toBe(5);
    expect(await database.query('SELECT node_id FROM audit_seal')).toEqual([{ node_id: NODE_B }]);
    expect(await verify()).toMatchObject({ intact: true });
  });

  it('remains verifiable after a rotation of the sealing key', async () => {
    await a.write(1);
    await a.sealer.seal();
    const rotated = createSealer([newSealingKey(), secret]);
    const key = await createAuditKey({ database, sealer: rotated })();
    expect(await verifyAudit(database.executor, { key, now: clock.now(), remembered: new Map() })).toMatchObject({
      intact: true,
    });
  });

  it('can be verified while records are being written, without false alarms', async () => {
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
