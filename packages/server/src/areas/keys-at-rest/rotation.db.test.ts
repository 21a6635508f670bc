// Behavior of a rotation after it has started.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createSealer,
  keyIdOf,
  newSealingKey,
  type DerivedPurpose,
  type Sealer,
} from '../../platform/crypto/sealing.ts';
import type { Database } from '../../platform/database/database.ts';
import { registerKeys } from './index.ts';
import { loadRetiredKeys } from './retired-keys.ts';
import {
  columns,
  createTestNode,
  forgetAll,
  storeSample,
  readSample,
  keysDatabase,
  lastAudited,
  openSample,
  startTestNode,
  stateOf,
  type NodeFacts,
  type TestNode,
} from './testing/keys-fixture.ts';

/** More than one batch. */
const MANY = 101;
/** Values per row. */
const FORMS = columns.length;

let database: Database;
let old: Uint8Array;
let fresh: Uint8Array;
beforeAll(async () => {
  database = await keysDatabase();
});
beforeEach(async () => {
  await forgetAll(database);
  [old, fresh] = [newSealingKey(), newSealingKey()];
  await registerKeys(database, [keyIdOf(old)]);
});

/** Starts a node with the old and the new key. */
const start = (facts: Partial<NodeFacts> = {}): Promise<TestNode> =>
  startTestNode(database, { keys: [old, fresh], ...facts });

const sealedBy = async (id: string): Promise<string[]> =>
  (await readSample(database, id)).map((value) => value.subarray(1, 5).toString('hex'));

describe('a rotation', () => {
  it('re-encrypts every value in the same form and for the same purpose, and reports that the old key can be removed', async () => {
    const node = await start();
    await storeSample(database, node, 'a');
    await database.query(`INSERT INTO sealed_sample VALUES ('nothing', 'alice', NULL, NULL, NULL)`);
    await node.rotate();
    await node.runJob();
    expect(await sealedBy('a')).toEqual(Array(FORMS).fill(keyIdOf(fresh)));
    expect(await openSample(database, { ring: createSealer([fresh]) }, 'a')).toEqual(Array(FORMS).fill('secret a'));
    expect(await stateOf(node)).toMatchObject({
      needed: [keyIdOf(fresh)],
      rotation: { total: FORMS, done: FORMS, finishedAt: expect.any(String) },
    });
    expect(await lastAudited(database)).toEqual([
      { operation: 'update', operation_data: { sealingKey: { current: keyIdOf(fresh), notNeeded: [keyIdOf(old)], finished: true } } }, // prettier-ignore
    ]);
    expect(node.lines.at(-1)).toMatchObject({ level: 'info', keyId: keyIdOf(fresh) });
  });

  it('continues after a crash between two batches, and does nothing once it is complete', async () => {
    let isCrashing = true;
    const faultPoint = () => {
      if (isCrashing) throw new Error('killed');
    };
    const node = await start({ faultPoint });
    for (let index = 0; index < MANY; index += 1) await storeSample(database, node, String(index).padStart(3, '0'));
    await node.rotate();
    await expect(node.runJob()).rejects.toThrow('killed');
    expect([(await sealedBy('099'))[0], (await sealedBy('100'))[0]]).toEqual([keyIdOf(fresh), keyIdOf(old)]);
    expect(await stateOf(node)).toMatchObject({ rotation: { total: MANY * FORMS, done: 100 } });
    isCrashing = false;
    await node.runJob();
    expect(await sealedBy('100')).toEqual(Array(FORMS).fill(keyIdOf(fresh)));
    const ended = await stateOf(node);
    expect(ended.rotation).toMatchObject({ total: MANY * FORMS, done: MANY * FORMS });
    await node.runJob();
    expect(await stateOf(node)).toEqual(ended);
  });

  it('leaves a value that cannot be decrypted unchanged, reports it, and continues', async () => {
    const node = await start();
    for (const id of ['a', 'b']) await storeSample(database, node, id);
    await database.query(`UPDATE sealed_sample SET owner = 'mallory' WHERE id = 'a'`);
    await node.rotate();
    await node.runJob();
    expect(await sealedBy('a')).toEqual(Array(FORMS).fill(keyIdOf(old)));
    expect(await sealedBy('b')).toEqual(Array(FORMS).fill(keyIdOf(fresh)));
    expect(node.lines).toContainEqual(expect.objectContaining({ level: 'error', table: 'sealed_sample', key: 'a' }));
    expect(JSON.stringify(node.lines)).not.toContain('secret a');
    expect((await stateOf(node)).needed).toEqual([keyIdOf(fresh)]);
  });

  it('waits for a node that still encrypts with the old key, and re-encrypts the values that it stored in the meantime', async () => {
    const [node, other] = [await start(), await start()];
    await storeSample(database, node, 'a');
    await node.rotate();
    const job = node.runJob();
    await expect
      .poll(() => stateOf(node), { timeout: 5_000, interval: 20 })
      .toMatchObject({ rotation: { done: FORMS } });
    expect(await stateOf(node)).toMatchObject({
      needed: expect.arrayContaining([keyIdOf(old)]),
      rotation: { finishedAt: undefined },
    });
    await storeSample(database, other, 'late');
    await other.nodes.refresh();
    await job;
    expect(await sealedBy('late')).toEqual(Array(FORMS).fill(keyIdOf(fresh)));
    expect(await stateOf(node)).toMatchObject({
      needed: [keyIdOf(fresh)],
      rotation: { done: 2 * FORMS, total: 2 * FORMS },
    });
  });

  it('does not run on a node without the new key, or after the node was stopped', async () => {
    const node = await start();
    await storeSample(database, node, 'a');
    await node.rotate();
    const behind = createTestNode(database, { keys: [old] });
    behind.enqueued.push(...node.enqueued);
    const problem = `Key ${keyIdOf(fresh)} is not the current sealing key of this node.`;
    await expect(behind.runJob()).rejects.toThrow(problem);
    await expect(node.runJob(AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
    expect(await sealedBy('a')).toEqual(Array(FORMS).fill(keyIdOf(old)));
  });
});

describe('a removed key', () => {
  const derivedOf = (ring: Sealer, purpose: DerivedPurpose): string[] =>
    ring.derive(purpose).map((key) => Buffer.from(key).toString('hex'));

  it('can still be recognized by the values derived from it, even after a further rotation', async () => {
    const node = await start();
    const [derived] = derivedOf(node.ring, 'access tokens');
    await node.rotate();
    await node.runJob();
    const later = await start({ keys: [fresh, newSealingKey()] });
    await node.nodes.stop();
    await loadRetiredKeys(database.executor, later.ring);
    expect(derivedOf(later.ring, 'access tokens')).toContain(derived);
    await later.rotate();
    await later.runJob();
    const newest = createSealer(later.keys.slice(1));
    await loadRetiredKeys(database.executor, newest);
    expect(derivedOf(newest, 'access tokens')).toContain(derived);
    expect(derivedOf(newest, 'acme nonce')).toHaveLength(3);
    expect(derivedOf(newest, 'cursors')).toHaveLength(1);
  });
});
