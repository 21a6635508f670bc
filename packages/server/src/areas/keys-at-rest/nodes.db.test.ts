import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keyIdOf, newSealingKey } from '../../platform/crypto/sealing.ts';
import type { Database } from '../../platform/database/database.ts';
import { registerKeys } from './index.ts';
import { SEEN_WITHIN_MS } from './nodes.ts';
import { findNodes, replaceCurrent } from './store.ts';
import { createTestNode, forgetAll, keysDatabase } from './testing/keys-fixture.ts';

let database: Database;
let old: Uint8Array;
let fresh: Uint8Array;
beforeAll(async () => {
  database = await keysDatabase();
});
beforeEach(async () => {
  await forgetAll(database);
  [old, fresh] = [newSealingKey(), newSealingKey()];
});

const running = async (withinMs = SEEN_WITHIN_MS) => findNodes(database.executor, withinMs);
const useOnAllNodes = (key: Uint8Array) => database.transaction((tx) => replaceCurrent(tx, keyIdOf(key)));

describe('the first start', () => {
  it('registers all keys in the file, with the first one as the current key', async () => {
    const ids = [old, fresh].map(keyIdOf);
    const { needed, current } = await registerKeys(database, ids);
    expect([needed.toSorted(), current]).toEqual([ids.toSorted(), ids[0]]);
  });

  it('registers nothing if there is no file', async () => {
    expect(await registerKeys(database, [])).toEqual({ needed: [], current: undefined });
  });

  it('of a second node with a different file changes nothing, even if both start at the same time', async () => {
    const [one, other] = [keyIdOf(old), keyIdOf(fresh)];
    const read = await Promise.all([registerKeys(database, [one]), registerKeys(database, [other])]);
    const [first] = read;
    expect([one, other]).toContain(first?.current);
    expect(read).toEqual([first, first]);
    expect(first?.needed).toEqual([first?.current]);
  });

  it('still reports a required key that is no longer in the file', async () => {
    await registerKeys(database, [keyIdOf(old)]);
    await useOnAllNodes(fresh);
    expect(await registerKeys(database, [keyIdOf(fresh)])).toEqual({
      needed: expect.arrayContaining([keyIdOf(old), keyIdOf(fresh)]),
      current: keyIdOf(fresh),
    });
  });
});

describe('a node', () => {
  it('announces which keys its file contains, until it stops', async () => {
    await registerKeys(database, [keyIdOf(old)]);
    const node = createTestNode(database, { keys: [old] });
    await node.nodes.start();
    node.keys.push(fresh);
    await node.nodes.refresh();
    expect(await running()).toEqual([
      {
        node_id: node.nodeId,
        current_key_id: keyIdOf(old),
        key_ids: [keyIdOf(old), keyIdOf(fresh)],
        seen_at: expect.any(Date),
      },
    ]);
    await node.nodes.stop();
    expect(await running()).toEqual([]);
  });

  it('that crashed is considered running for another 30 s', async () => {
    await createTestNode(database, { keys: [old] }).nodes.refresh();
    const seen = (seconds: number) =>
      database.query('UPDATE sealing_node SET seen_at = clock_timestamp() - make_interval(secs => $1)', [seconds]);
    await seen(SEEN_WITHIN_MS / 1_000 - 5);
    expect(await running()).toHaveLength(1);
    await seen(SEEN_WITHIN_MS / 1_000 + 1);
    expect(await running()).toEqual([]);
  });

  it("encrypts with the database's current key as soon as that key is in its file", async () => {
    await registerKeys(database, [keyIdOf(old)]);
    const node = createTestNode(database, { keys: [old] });
    await useOnAllNodes(fresh);
    await node.nodes.refresh();
    expect([node.ring.currentKeyId(), node.nodes.isComplete()]).toEqual([keyIdOf(old), false]);
    node.keys.push(fresh);
    await node.nodes.refresh();
    expect([node.ring.currentKeyId(), node.nodes.isComplete()]).toEqual([keyIdOf(fresh), true]);
  });

  it('logs which keys it lacks once, and again when they change', async () => {
    const third = newSealingKey();
    await registerKeys(database, [keyIdOf(old), keyIdOf(fresh)]);
    const node = createTestNode(database, { keys: [old] });
    const lacks = () => node.lines.map(({ level, keys, file }) => [level, keys, file]);
    await node.nodes.refresh();
    await node.nodes.refresh();
    const first = ['error', [keyIdOf(fresh)], '/data/sealing.key'];
    expect(lacks()).toEqual([first]);
    await useOnAllNodes(third);
    await node.nodes.refresh();
    expect(lacks()).toEqual([first, ['error', [keyIdOf(fresh), keyIdOf(third)], '/data/sealing.key']]);
  });

  it('is complete without keys that are no longer required', async () => {
    await registerKeys(database, [keyIdOf(old)]);
    await useOnAllNodes(fresh);
    const node = createTestNode(database, { keys: [fresh] });
    await node.nodes.refresh();
    expect(node.nodes.isComplete()).toBe(false);
    await database.query('UPDATE sealing_key SET retired_at = now() WHERE key_id = $1', [keyIdOf(old)]);
    await node.nodes.refresh();
    expect(node.nodes.isComplete()).toBe(true);
  });

  it('still decrypts with a key whose line was removed at run time, but no longer reports the key as being in its file', async () => {
    await registerKeys(database, [keyIdOf(old), keyIdOf(fresh)]);
    const node = createTestNode(database, { keys: [old, fresh] });
    node.keys.pop();
    await node.nodes.refresh();
    expect(node.ring.keyIds()).toEqual([keyIdOf(old), keyIdOf(fresh)]);
    expect(node.nodes.idsInFile()).toEqual([keyIdOf(old)]);
    expect((await running())[0]?.key_ids).toEqual([keyIdOf(old)]);
  });
});
