// Verification of an audit trail with manually introduced faults.
import { beforeEach, describe, expect, it } from 'vitest';
import { createChainFixture, cut, clearTrail, NODE_A, NODE_B, type ChainNode } from './testing/chain-fixture.ts';

const { database, node, verify } = await createChainFixture();

let a: ChainNode;
let b: ChainNode;

const idAt = async (offset: number): Promise<number> => {
  const [row] = await database.query<{ id: number }>('SELECT id FROM audit_record ORDER BY id OFFSET $1 LIMIT 1', [
    offset,
  ]);
  if (!row) throw new Error('there are fewer records');
  return row.id;
};

beforeEach(async () => {
  await clearTrail(database);
  a = node(NODE_A);
  b = node(NODE_B);
});

describe('audit log verification', () => {
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
  ])('identifies a record if %s was altered', async (_what, change) => {
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

  it('identifies the first of multiple removed records, and reports the gaps', async () => {
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

  it('detects swapped records', async () => {
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

  it('detects a record that was removed and inserted again with a different ID', async () => {
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

  it('detects a manually inserted record', async () => {
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
      firstBad: { id, node: NODE_A, problem: 'the record is not covered by any seal' },
    });
  });

  it('detects a record that was removed from the queue, and one that was deleted before it could be sealed', async () => {
    await a.write(2);
    const [kept, gone] = [await idAt(40), await idAt(41)];
    await database.query('DELETE FROM audit_unsealed WHERE audit_id = $1', [kept]);
    await database.query('DELETE FROM audit_record WHERE id = $1', [gone]);
    await a.sealer.seal();
    expect(await verify()).toMatchObject({
      intact: false,
      badRows: 2,
      firstBad: { id: kept, problem: 'the record is not covered by any seal' },
    });
  });

  it('detects an altered seal, even if its record was altered to match', async () => {
    const id = await idAt(0);
    await database.query(`UPDATE audit_record SET message = 'forged' WHERE id = $1`, [id]);
    await database.query(
      `UPDATE audit_seal SET row_hashes = overlay(row_hashes PLACING sha256('forged') FROM 1) WHERE node_id = $1 AND seal_number = 1`,
      [NODE_A],
    );
    expect(await verify()).toMatchObject({ intact: false, brokenLinks: 1 });
  });

  it('detects a missing seal in the middle, whether or not its records are also missing', async () => {
    await database.query('DELETE FROM audit_seal WHERE node_id = $1 AND seal_number = 2', [NODE_A]);
    expect(await verify()).toMatchObject({
      intact: false,
      brokenLinks: 1,
      gaps: [{ node: NODE_A, from: 11, to: 20 }],
      badRows: 10,
      firstBad: { problem: 'the record is not covered by any seal' },
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

  it('detects swapped seals', async () => {
    await database.query(
      `UPDATE audit_seal SET seal_number = CASE seal_number WHEN 1 THEN 102 ELSE 101 END WHERE node_id = $1 AND seal_number IN (1, 2)`,
      [NODE_A],
    );
    await database.query('UPDATE audit_seal SET seal_number = seal_number - 100 WHERE seal_number > 100');
    expect((await verify()).brokenLinks).toBeGreaterThan(1);
  });

  it('detects that the last seal was removed with its records', async () => {
    await database.query(
      'DELETE FROM audit_record WHERE id IN (SELECT unnest(audit_ids) FROM audit_seal WHERE node_id = $1 AND seal_number = 3)',
      [NODE_A],
    );
    await database.query('DELETE FROM audit_seal WHERE node_id = $1 AND seal_number = 3', [NODE_A]);
    expect(await verify()).toMatchObject({
      intact: false,
      brokenLinks: 1,
      gaps: [{ node: NODE_A, from: 21, to: 30 }],
      firstBad: { problem: 'the head of the chain was altered or the chain was truncated' },
    });
  });

  it('detects a chain that was truncated together with its head if the process remembers the head', async () => {
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
      firstBad: { problem: 'the head of the chain was altered or the chain was truncated' },
    });
  });

  it('detects a chain that was truncated together with its head, even if the process remembers nothing', async () => {
    await cut(database, { nodeId: NODE_A, keep: 2 });
    expect(await verify()).toMatchObject({
      intact: false,
      brokenLinks: 1,
      firstBad: { node: NODE_A, problem: 'the head of the chain was altered or the chain was truncated' },
    });
  });

  it('detects that the MAC of the head was removed', async () => {
    await database.query('UPDATE audit_chain SET end_mac = NULL, end_seal_number = NULL WHERE node_id = $1', [NODE_A]);
    expect(await verify()).toMatchObject({ intact: false, brokenLinks: 1 });
  });

  it('detects an altered head', async () => {
    await database.query(`UPDATE audit_chain SET chain_value = sha256('x') WHERE node_id = $1`, [NODE_B]);
    expect(await verify()).toMatchObject({
      intact: false,
      brokenLinks: 1,
      firstBad: { node: NODE_B, problem: 'the head of the chain was altered or the chain was truncated' },
    });
  });

  it('detects a chain without a head, seals beyond the head, and a missing chain', async () => {
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

  it('reports records that have been unsealed for too long', async () => {
    await a.write(3);
    expect(await verify()).toMatchObject({ intact: true, unsealedOlderThanLimit: 0 });
    await database.query(`UPDATE audit_unsealed SET queued_at = queued_at - interval '30 seconds'`);
    expect(await verify()).toMatchObject({
      intact: false,
      unsealedOlderThanLimit: 3,
      firstBad: { problem: 'the record should have been sealed by now' },
    });
  });

  it('rejects a manually inserted purge marker', async () => {
    const id = await idAt(2);
    await database.query('DELETE FROM audit_record WHERE id = $1', [id]);
    await database.query(`INSERT INTO audit_purge (uuid, part, purged_at, first_ids, last_ids, record_count, mac)
      VALUES (gen_random_uuid(), 0, now(), ARRAY[1::bigint], ARRAY[1000::bigint], 1, sha256('x'))`);
    expect(await verify()).toMatchObject({ intact: false, purged: 0, badRows: 1, firstBad: { id } });
  });
});
