// Authorities that sign with keys in tokens, as referenced in their attributes.
import type { Executor } from '../../platform/database/database.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import { authorities } from './store.ts';

export type SigningKeyUsers = ReturnType<typeof createSigningKeyUsers>;

export function createSigningKeyUsers({ attributes }: { readonly attributes: AttributeEngine }) {
  const findUsers = (executor: Executor, uuids: readonly string[]) =>
    attributes.findUsersOfSigningKeys(executor, { resource: 'authorities', uuids });
  return {
    async find(executor: Executor, keyUuids: readonly string[], limit: number) {
      const found = (await findUsers(executor, keyUuids)).slice(0, limit);
      const named = await authorities.findMany(
        executor,
        found.map((user) => user.object_uuid),
      );
      const names = new Map(named.map(({ uuid, name }) => [uuid, name]));
      return found.map(({ key_uuid: keyUuid, object_uuid: uuid }) => ({
        keyUuid,
        uuid,
        name: names.get(uuid) ?? uuid,
      }));
    },
    async count(executor: Executor, keyUuids: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const byKey = Map.groupBy(await findUsers(executor, keyUuids), ({ key_uuid: keyUuid }) => keyUuid);
      return new Map([...byKey].map(([keyUuid, own]) => [keyUuid, own.length]));
    },
  };
}
