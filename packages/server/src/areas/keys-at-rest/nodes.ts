// Keeps this node's sealing keys in sync: rereads its key file, switches to the current key in the database, and
// reports its keys to the other nodes.
import type { KeyRing } from '../../platform/crypto/sealing.ts';
import { keyIdOf } from '../../platform/crypto/sealing.ts';
import { createRounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import * as store from './store.ts';

const PERIOD_MS = 5_000;
/** A node that was not seen for this long is considered stopped. */
export const SEEN_WITHIN_MS = 30_000;

/** Key file of this node. */
export interface KeyFile {
  readonly path: string;
  /** Whether the platform created the file and can add to it; otherwise an operator maintains it, on every node. */
  readonly isOwn: boolean;
  read(): Promise<readonly Uint8Array[]>;
  add(key: Uint8Array): Promise<void>;
}

export type KeyNodes = ReturnType<typeof createKeyNodes>;

export function createKeyNodes(platform: Platform, parts: { readonly ring: KeyRing; readonly file: KeyFile }) {
  const { database, nodeId, log } = platform;
  const { ring, file } = parts;
  let missing: readonly string[] = [];
  let inFile: readonly string[] = ring.keyIds();

  /** Rereads the keys once. Afterwards, this node uses the current key if it has that key. */
  async function refresh(): Promise<void> {
    const keys = await file.read();
    ring.learn(keys);
    inFile = keys.map(keyIdOf);
    const rows = await store.findKeys(database.executor);
    const needed = rows.filter(({ retired_at }) => retired_at === null).map(({ key_id }) => key_id);
    report(needed.filter((id) => !ring.keyIds().includes(id)));
    const current = rows.find(({ is_current }) => is_current);
    if (current && ring.keyIds().includes(current.key_id)) ring.use(current.key_id);
    await store.recordNode(database.executor, {
      node_id: nodeId,
      current_key_id: ring.currentKeyId(),
      key_ids: [...inFile],
    });
  }

  function report(now: readonly string[]): void {
    if (now.length > 0 && now.join() !== missing.join())
      log.error(
        { keys: now, file: file.path },
        'sealing keys are missing from the key file of this node; it is not ready',
      );
    missing = now;
  }

  const rounds = createRounds({
    log,
    what: `comparing the sealing keys with ${file.path}`,
    periodMs: PERIOD_MS,
    run: () => refresh().then(() => false),
  });

  return {
    refresh,
    /** Returns whether this node has every key that values may be sealed with. */
    isComplete: (): boolean => missing.length === 0,
    idsInFile: (): readonly string[] => inFile,
    async start(): Promise<void> {
      await refresh();
      rounds.start(PERIOD_MS);
    },
    async stop(): Promise<void> {
      await rounds.stop();
      await store.forgetNode(database.executor, nodeId);
    },
  };
}
