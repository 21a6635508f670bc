// How a change to another sealing key begins, and when it may not.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keyIdOf, newSealingKey } from '../../platform/crypto/sealing.ts';
import type { Database } from '../../platform/database/database.ts';
import { registerKeys } from './registered-keys.ts';
import {
  columns,
  forgetAll,
  keep,
  keysDatabase,
  lastAudited,
  startTestNode,
  stateOf,
  type NodeFacts,
  type TestNode,
} from './testing/keys-fixture.ts';

/** Values of a row. */
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

/** A running node with the old and the new key. */
const start = (facts: Partial<NodeFacts> = {}): Promise<TestNode> =>
  startTestNode(database, { keys: [old, fresh], ...facts });

describe('a rotation begins', () => {
  it('with the new key of the file, counts what is to be sealed anew, and leaves the rest to a job', async () => {
    const node = await start();
    await keep(database, node, 'a');
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

  it('with a key made on the spot, where the file is that of the platform and has no new one', async () => {
    const node = await start({ keys: [old] });
    const { rotation } = await node.rotate();
    expect(node.keys).toHaveLength(2);
    expect(rotation?.keyId).toBe(keyIdOf(node.keys[1] ?? old));
  });

  it('with the key that is named, also one that was used before', async () => {
    const node = await start({ keys: [old, fresh, newSealingKey()] });
    expect((await node.rotate(keyIdOf(fresh))).rotation?.keyId).toBe(keyIdOf(fresh));
    await node.runJob();
    const { keys } = await node.rotate(keyIdOf(old));
    expect(keys[0]).toEqual({ keyId: keyIdOf(old), current: true, needed: true, position: 1 });
  });
});

describe('a rotation is refused', () => {
  const refused = (act: Promise<unknown>, problem: string) =>
    expect(act).rejects.toMatchObject({ code: 'rejected_by_rules', parameters: { problems: [problem] } });

  it('where an operator keeps the file and has added no key to it', async () => {
    const node = await start({ keys: [old], isOwn: false });
    await refused(
      node.rotate(),
      'The sealing key file /data/sealing.key holds no new key. Add one as its last line on every node, the same everywhere (openssl rand -base64 32), and try again.',
    );
    expect(node.keys).toEqual([old]);
  });

  it('where several keys of the file are new and none is named', async () => {
    const third = newSealingKey();
    const ids = `${keyIdOf(fresh)}, ${keyIdOf(third)}`;
    const node = await start({ keys: [old, fresh, third] });
    const problem = `The sealing key file /data/sealing.key holds several new keys: ${ids}. Name the one to change to.`;
    await refused(node.rotate(), problem);
  });

  it('to the key that is current already', async () => {
    const node = await start();
    await refused(node.rotate(keyIdOf(old)), `Key ${keyIdOf(old)} is already the current sealing key.`);
  });

  it('while another node does not have the key in its file, also where it is in no file', async () => {
    const node = await start();
    const other = await start({ keys: [old] });
    const missing = (id: string, nodes: readonly string[]) =>
      `Key ${id} is not in the sealing key file of every node yet; it is missing at ${nodes.join(', ')}. Files are read again every few seconds.`;
    await refused(node.rotate(), missing(keyIdOf(fresh), [other.nodeId]));
    await refused(node.rotate('00000000'), missing('00000000', [node.nodeId, other.nodeId].toSorted()));
    expect(await stateOf(node)).toEqual({ needed: [keyIdOf(old)], rotation: undefined });
    await other.nodes.stop();
    expect((await node.rotate()).rotation?.keyId).toBe(keyIdOf(fresh));
  });

  it('while another one is under way, also to one of two callers at once', async () => {
    const node = await start();
    await keep(database, node, 'a');
    const problem = `A rotation to key ${keyIdOf(fresh)} is under way: 0 of 3 values are sealed anew. Wait until it has ended.`;
    const outcomes = await Promise.allSettled([node.rotate(keyIdOf(fresh)), node.rotate(keyIdOf(fresh))]);
    const refusals = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refusals).toMatchObject([{ parameters: { problems: [problem] } }]);
    expect(node.enqueued).toHaveLength(1);
    await refused(node.rotate(), problem);
  });
});
