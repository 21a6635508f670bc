// How a rotation to a different sealing key starts, and when it is rejected.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keyIdOf, newSealingKey } from '../../platform/crypto/sealing.ts';
import type { Database } from '../../platform/database/database.ts';
import { registerKeys } from './index.ts';
import {
  columns,
  forgetAll,
  storeSample,
  keysDatabase,
  lastAudited,
  startTestNode,
  stateOf,
  type NodeFacts,
  type TestNode,
} from './testing/keys-fixture.ts';

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

describe('a rotation starts', () => {
  it('with the new key in the file, counts the values to re-encrypt, and leaves the rest to a job', async () => {
    const node = await start();
    await storeSample(database, node, 'a');
    const { keys, rotation } = await node.rotate();
    expect(keys).toEqual([
      { keyId: keyIdOf(old), current: false, needed: true, position: 1 },
      { keyId: keyIdOf(fresh), current: true, needed: true, position: 2 },
    ]);
    expect(rotation).toMatchObject({ keyId: keyIdOf(fresh), total: FORMS, done: 0 });
    expect(rotation?.finishedAt).toBeUndefined();
    expect(node.ring.currentKeyId()).toBe(keyIdOf(fresh));
    expect(node.enqueued).toHaveLength(1);
    expect(await lastAudited(database)).toEqual([
      { operation: 'update', operation_data: { sealingKey: { from: keyIdOf(old), to: keyIdOf(fresh) } } },
    ]);
  });

  it('with a newly generated key if the platform manages the file and the file contains no new key', async () => {
    const node = await start({ keys: [old] });
    const { rotation } = await node.rotate();
    expect(node.keys).toHaveLength(2);
    expect(rotation?.keyId).toBe(keyIdOf(node.keys[1] ?? old));
  });

  it('with the specified key, even if that key was used before', async () => {
    const node = await start({ keys: [old, fresh, newSealingKey()] });
    expect((await node.rotate(keyIdOf(fresh))).rotation?.keyId).toBe(keyIdOf(fresh));
    await node.runJob();
    const { keys } = await node.rotate(keyIdOf(old));
    expect(keys[0]).toEqual({ keyId: keyIdOf(old), current: true, needed: true, position: 1 });
  });
});

describe('a rotation is rejected', () => {
  const refused = (act: Promise<unknown>, problem: string) =>
    expect(act).rejects.toMatchObject({ code: 'rejected_by_rules', parameters: { problems: [problem] } });

  it('if an operator manages the file and has not added a key to it', async () => {
    const node = await start({ keys: [old], isOwn: false });
    await refused(
      node.rotate(),
      'The sealing key file /data/sealing.key contains no new key. Append the same new key (openssl rand -base64 32) as the last line on every node, and try again.',
    );
    expect(node.keys).toEqual([old]);
  });

  it('if the file contains multiple new keys and none is specified', async () => {
    const third = newSealingKey();
    const ids = `${keyIdOf(fresh)}, ${keyIdOf(third)}`;
    const node = await start({ keys: [old, fresh, third] });
    const problem = `The sealing key file /data/sealing.key contains multiple new keys: ${ids}. Specify the one to rotate to.`;
    await refused(node.rotate(), problem);
  });

  it('if the key is already the current one', async () => {
    const node = await start();
    await refused(node.rotate(keyIdOf(old)), `Key ${keyIdOf(old)} is already the current sealing key.`);
  });

  it('while another node does not have the key in its file, or if no file contains it', async () => {
    const node = await start();
    const other = await start({ keys: [old] });
    const missing = (id: string, nodes: readonly string[]) =>
      `Key ${id} is not in the sealing key file of every node yet; it is missing on ${nodes.join(', ')}. Files are reread every few seconds.`;
    await refused(node.rotate(), missing(keyIdOf(fresh), [other.nodeId]));
    await refused(node.rotate('00000000'), missing('00000000', [node.nodeId, other.nodeId].toSorted()));
    expect(await stateOf(node)).toEqual({ needed: [keyIdOf(old)], rotation: undefined });
    await other.nodes.stop();
    expect((await node.rotate()).rotation?.keyId).toBe(keyIdOf(fresh));
  });

  it('while a different rotation is in progress, including for one of two simultaneous callers', async () => {
    const node = await start();
    await storeSample(database, node, 'a');
    const problem = `A rotation to key ${keyIdOf(fresh)} is in progress: 0 of 3 values have been resealed. Wait until it has finished.`;
    const outcomes = await Promise.allSettled([node.rotate(keyIdOf(fresh)), node.rotate(keyIdOf(fresh))]);
    const refusals = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refusals).toMatchObject([{ parameters: { problems: [problem] } }]);
    expect(node.enqueued).toHaveLength(1);
    await refused(node.rotate(), problem);
  });
});
