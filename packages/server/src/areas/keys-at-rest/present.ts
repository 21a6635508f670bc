// API representation of sealing keys.
import type { KeysAtRest } from '@signetry/contract';
import type { SealingKeyRow, SealingNodeRow, SealingRotationRow } from './tables.ts';

export interface KeysAtRestFacts {
  readonly keys: readonly SealingKeyRow[];
  readonly running: readonly SealingNodeRow[];
  readonly rotation: SealingRotationRow | undefined;
  readonly file: string;
  readonly inFile: readonly string[];
}

export function presentKeysAtRest({ keys, running, rotation, file, inFile }: KeysAtRestFacts): KeysAtRest {
  const positionOf = (id: string) => (inFile.includes(id) ? { position: inFile.indexOf(id) + 1 } : {});
  const known = keys.map(({ key_id, is_current, retired_at }) => ({
    keyId: key_id,
    current: is_current,
    needed: retired_at === null,
    ...positionOf(key_id),
  }));
  const fresh = inFile
    .filter((id) => !keys.some(({ key_id }) => key_id === id))
    .map((keyId) => ({ keyId, current: false, needed: false, ...positionOf(keyId) }));
  return {
    file,
    keys: [...known, ...fresh],
    nodes: running.map(({ node_id, seen_at, current_key_id, key_ids }) => ({
      node: node_id,
      seenAt: seen_at.toISOString(),
      currentKeyId: current_key_id,
      keyIds: key_ids,
    })),
    rotation: rotation && {
      keyId: rotation.key_id,
      total: rotation.total,
      done: rotation.done,
      startedAt: rotation.started_at.toISOString(),
      finishedAt: rotation.finished_at?.toISOString(),
    },
  };
}
