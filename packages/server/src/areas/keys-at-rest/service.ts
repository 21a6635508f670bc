// Use cases for sealing keys: show their state, and rotate to a different key.
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

interface ServiceParts extends KeysAtRestParts {
  readonly platform: Platform;
}

export type KeysAtRestService = ReturnType<typeof createKeysAtRestService>;

export function createKeysAtRestService(platform: Platform, parts: KeysAtRestParts) {
  const { database, jobs, clock } = platform;
  const { ring, file, nodes, audit } = parts;
  const service: ServiceParts = { platform, ...parts };

  async function describe(): Promise<KeysAtRest> {
    const stored = await database.snapshot(async (tx) => ({
      keys: await store.findKeys(tx),
      running: await store.findNodes(tx, SEEN_WITHIN_MS),
      rotation: await store.findNewestRotation(tx),
    }));
    return presentKeysAtRest({ ...stored, file: file.path, inFile: nodes.idsInFile() });
  }

  async function rotate({ keyId }: KeyRotationRequest, context: RequestContext): Promise<KeysAtRest> {
    await nodes.refresh();
    await rejectWhileRotating(service);
    const target = keyId ?? (await newKeyInFile(service)) ?? (await createKey(service));
    await assertOnAllNodes(service, target);
    const rotation = newUuid();
    const total = await countAll(service, target);
    await database.transaction(async (tx) => {
      await store.lockKeys(tx);
      await rejectWhileRotating(service);
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

  return { describe, rotate };
}

/**
 * Returns the new key in the file, if any; throws if the file contains more than one key that has never been used for
 * sealing.
 */
async function newKeyInFile(service: ServiceParts): Promise<string | undefined> {
  const { database } = service.platform;
  const { file, nodes } = service;
  const known = new Set((await store.findKeys(database.executor)).map(({ key_id }) => key_id));
  const fresh = nodes.idsInFile().filter((id) => !known.has(id));
  if (fresh.length > 1)
    throw rejected(
      `The sealing key file ${file.path} contains multiple new keys: ${fresh.join(', ')}. Specify the one to rotate to.`,
    );
  return fresh[0];
}

async function createKey(service: ServiceParts): Promise<string> {
  const { file, nodes } = service;
  if (!file.isOwn)
    throw rejected(
      `The sealing key file ${file.path} contains no new key. Append the same new key (openssl rand -base64 32) as the last line on every node, and try again.`,
    );
  const key = newSealingKey();
  await file.add(key);
  await nodes.refresh();
  return keyIdOf(key);
}

/** Ensures that no value is sealed with a key that another node cannot open, now or after its next startup. */
async function assertOnAllNodes(service: ServiceParts, keyId: string): Promise<void> {
  const { database } = service.platform;
  const { ring } = service;
  if (keyId === ring.currentKeyId()) throw rejected(`Key ${keyId} is already the current sealing key.`);
  const running = await store.findNodes(database.executor, SEEN_WITHIN_MS);
  const without = running.filter(({ key_ids }) => !key_ids.includes(keyId)).map(({ node_id }) => node_id);
  if (without.length > 0)
    throw rejected(
      `Key ${keyId} is not in the sealing key file of every node yet; it is missing on ${without.join(', ')}. Files are reread every few seconds.`,
    );
}

async function countAll(service: ServiceParts, keyId: string): Promise<number> {
  const { database } = service.platform;
  const { columns } = service;
  let total = 0;
  for (const column of columns()) total += await countStale(database.executor, column, keyId);
  return total;
}

async function rejectWhileRotating(service: ServiceParts): Promise<void> {
  const { database } = service.platform;
  const newest = await store.findNewestRotation(database.executor);
  if (newest && newest.finished_at === null)
    throw rejected(
      `A rotation to key ${newest.key_id} is in progress: ${newest.done} of ${newest.total} values have been resealed. Wait until it has finished.`,
    );
}
