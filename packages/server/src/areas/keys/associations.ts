// Objects that use keys, registered by higher areas: certificates with the same public key, and authorities that sign
// with the keys.
import type { KeyAssociationDto, Resource } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';

export interface KeyUser {
  readonly keyUuid: string;
  readonly uuid: string;
  readonly name: string;
}

/** Use that prevents a key from being destroyed. */
export interface KeyDependency {
  /** Precedes the names of the objects, e.g. `authorities sign with it`. */
  readonly why: string;
  /** Remedy, as a sentence. */
  readonly help: string;
  find(executor: Executor, keyUuids: readonly string[], limit: number): Promise<readonly KeyUser[]>;
}

export interface KeyUsers {
  readonly resource: Resource;
  /** Absent if no object prevents the key from being destroyed. */
  readonly preventing?: KeyDependency;
  /** Finds up to `limit` objects that use one of the keys. */
  find(executor: Executor, keyUuids: readonly string[], limit: number): Promise<readonly KeyUser[]>;
  /** Returns the number of objects that use each key; keys that are not in use are omitted. */
  count(executor: Executor, keyUuids: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** Maximum number of objects listed. */
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
    /** Returns why the key cannot be destroyed, with the remedy; undefined if nothing prevents it. */
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
