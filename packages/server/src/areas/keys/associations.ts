// What uses keys. Higher areas say so here: certificates of the same public key, authorities that sign with them.
import type { KeyAssociationDto, Resource } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';

export interface KeyUser {
  readonly keyUuid: string;
  readonly uuid: string;
  readonly name: string;
}

/** What a key must not be destroyed for. */
export interface KeyNeed {
  /** Before the names of the objects, e.g. `authorities sign with it`. */
  readonly why: string;
  /** What helps, as a sentence. */
  readonly help: string;
  find(executor: Executor, keyUuids: readonly string[], limit: number): Promise<readonly KeyUser[]>;
}

export interface KeyUsers {
  readonly resource: Resource;
  /** Absent where no object prevents that the key is destroyed. */
  readonly preventing?: KeyNeed;
  /** Objects that use one of the keys, at most `limit` of them. */
  find(executor: Executor, keyUuids: readonly string[], limit: number): Promise<readonly KeyUser[]>;
  /** How many objects use each key that is used. */
  count(executor: Executor, keyUuids: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** Objects that are named at once. */
const MAX_SHOWN = 100;

export type KeyAssociations = ReturnType<typeof createKeyAssociations>;

export function createKeyAssociations() {
  const registered: KeyUsers[] = [];
  return {
    register: (users: KeyUsers): void => void registered.push(users),
    async of(executor: Executor, keyUuid: string): Promise<KeyAssociationDto[]> {
      const found: KeyAssociationDto[] = [];
      for (const { resource, find } of registered)
        for (const { uuid, name } of await find(executor, [keyUuid], MAX_SHOWN)) found.push({ uuid, name, resource });
      return found;
    },
    async count(executor: Executor, keyUuids: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const total = new Map<string, number>();
      for (const { count } of registered)
        for (const [uuid, used] of await count(executor, keyUuids)) total.set(uuid, (total.get(uuid) ?? 0) + used);
      return total;
    },
    /** Why the key may not be destroyed, and what helps; undefined when nothing prevents it. */
    async whyNeeded(executor: Executor, keyUuid: string): Promise<string | undefined> {
      for (const { preventing } of registered) {
        const users = (await preventing?.find(executor, [keyUuid], MAX_SHOWN)) ?? [];
        if (preventing && users.length > 0)
          return `${preventing.why}: ${users.map(({ name }) => name).join(', ')}. ${preventing.help}`;
      }
      return undefined;
    },
  };
}
