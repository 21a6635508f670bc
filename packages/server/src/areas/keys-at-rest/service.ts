// Use cases of sealing keys: how they stand, and changing to another.
import type { KeyRotationRequest, KeysAtRest } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { keyIdOf, newSealingKey, type KeyRing } from '../../platform/crypto/sealing.ts';
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { SEEN_WITHIN_MS, type KeyFile, type KeyNodes } from './nodes.ts';
import { presentKeysAtRest } from './present.ts';
import { ROTATION_QUEUE } from './rotation.ts';
import * as store from './store.ts';
import { countStale } from './store-sealed.ts';

export interface KeysAtRestParts {
  readonly ring: KeyRing;
  readonly file: KeyFile;
  readonly nodes: KeyNodes;
  readonly columns: () => readonly SealedColumn[];
  readonly audit: AuditTrail;
}

export type KeysAtRestService = ReturnType<typeof createKeysAtRestService>;

export function createKeysAtRestService(platform: Platform, parts: KeysAtRestParts) {
  const { database, jobs, clock } = platform;
  const { ring, file, nodes, columns, audit } = parts;

  async function describe(): Promise<KeysAtRest> {
    const executor = database.executor;
    const [keys, running, rotation] = await Promise.all([
      store.findKeys(executor),
      store.findNodes(executor, SEEN_WITHIN_MS),
      store.findNewestRotation(executor),
    ]);
    return presentKeysAtRest({ keys, running, rotation, file: file.path, inFile: nodes.idsInFile() });
  }

  async function rotate({ keyId }: KeyRotationRequest, context: RequestContext): Promise<KeysAtRest> {
    await nodes.refresh();
    await refuseWhileUnderWay();
    const target = keyId ?? (await newKeyInFile()) ?? (await makeKey());
    await assertEverywhere(target);
    const rotation = newUuid();
    const total = await countAll(target);
    await database.transaction(async (tx) => {
      await store.lockKeys(tx);
      await refuseWhileUnderWay();
      const before = ring.currentKeyId();
      await store.replaceCurrent(tx, target);
      const row = { uuid: rotation, key_id: target, total, done: 0, started_at: clock.now(), finished_at: null };
      await store.insertRotation(tx, row);
      await audit.append(tx, context, { data: { sealingKey: { from: before, to: target } } });
      await jobs.enqueue(tx, ROTATION_QUEUE, { rotation });
    });
    await nodes.refresh();
    jobs.wake(ROTATION_QUEUE);
    return describe();
  }

  async function refuseWhileUnderWay(): Promise<void> {
    const newest = await store.findNewestRotation(database.executor);
    if (newest && newest.finished_at === null)
      throw rejected(
        `A rotation to key ${newest.key_id} is under way: ${newest.done} of ${newest.total} values are sealed anew. Wait until it has ended.`,
      );
  }

  /** The one key of the file that nothing was ever sealed with. */
  async function newKeyInFile(): Promise<string | undefined> {
    const known = new Set((await store.findKeys(database.executor)).map(({ key_id }) => key_id));
    const fresh = nodes.idsInFile().filter((id) => !known.has(id));
    if (fresh.length > 1)
      throw rejected(
        `The sealing key file ${file.path} holds several new keys: ${fresh.join(', ')}. Name the one to change to.`,
      );
    return fresh[0];
  }

  async function makeKey(): Promise<string> {
    if (!file.isOwn)
      throw rejected(
        `The sealing key file ${file.path} holds no new key. Add one as its last line on every node, the same everywhere (openssl rand -base64 32), and try again.`,
      );
    const key = newSealingKey();
    await file.add(key);
    await nodes.refresh();
    return keyIdOf(key);
  }

  /** No value may be sealed with a key that another node cannot open, now or at its next start. */
  async function assertEverywhere(keyId: string): Promise<void> {
    if (keyId === ring.currentKeyId()) throw rejected(`Key ${keyId} is the current sealing key already.`);
    const running = await store.findNodes(database.executor, SEEN_WITHIN_MS);
    const without = running.filter(({ key_ids }) => !key_ids.includes(keyId)).map(({ node_id }) => node_id);
    if (without.length > 0)
      throw rejected(
        `Key ${keyId} is not in the sealing key file of every node yet; it is missing at ${without.join(', ')}. Files are read again every few seconds.`,
      );
  }

  async function countAll(keyId: string): Promise<number> {
    let total = 0;
    for (const column of columns()) total += await countStale(database.executor, column, keyId);
    return total;
  }

  return { describe, rotate };
}
