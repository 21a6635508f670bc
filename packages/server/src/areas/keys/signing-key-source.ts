// Key pairs that callers can select as attribute values, e.g. for an authority that signs with a key. Selecting a key
// requires the same permissions as signing with it.
import { isAllowed, type Actor, type ObjectFilter } from '../../kernel/actor.ts';
import { ownerFor } from '../../kernel/belonging.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SigningKeySource } from '../attributes/index.ts';
import { problemOfSigning } from './key-state.ts';
import { findNamed, findPairs, type NamedKeyRow } from './store-list.ts';
import { findItems, holdSigning } from './store.ts';

const ALL: ObjectFilter = { kind: 'all', except: new Set() };

export function createSigningKeySource({ database }: Pick<Platform, 'database'>): SigningKeySource {
  const { executor } = database;

  async function evaluateKeys(rows: readonly NamedKeyRow[], actor: Actor) {
    const usable = rows.filter((row) => canSignWith(actor, row));
    const items = Map.groupBy(
      await findItems(
        executor,
        usable.map(({ uuid }) => uuid),
      ),
      (item) => item.key_uuid,
    );
    return usable.map((row) => ({
      uuid: row.uuid,
      name: row.name,
      problem: problemOfSigning(row, items.get(row.uuid) ?? []),
    }));
  }

  return {
    choices: async (actor) => {
      // Permissions are checked below: a caller who can list a key cannot necessarily sign with it, and vice versa.
      const visible = { tokens: ALL, ownerUuid: null, groups: ALL, deniedGroups: [] };
      const keys = await evaluateKeys(await findPairs(executor, { visible, profileUuid: undefined }), actor);
      return keys.filter(({ problem }) => problem === undefined);
    },
    find: async (uuids, actor) => evaluateKeys(await findNamed(executor, uuids.filter(isUuid)), actor),
    hold: (tx, uuids) => holdSigning(tx, uuids.filter(isUuid)),
  };
}

/**
 * A key without a token or a token profile is rejected because of its state, not because of missing permissions on
 * these objects.
 */
function canSignWith(actor: Actor, key: NamedKeyRow): boolean {
  const { permissions } = actor;
  const may = (resource: 'tokens' | 'tokenProfiles', uuid: string | null): boolean =>
    uuid === null || isAllowed(permissions, resource, 'detail', [uuid]);
  const isOwn = key.owner_uuid !== null && key.owner_uuid === ownerFor(actor);
  return (
    (isOwn || isAllowed(permissions, 'keys', 'sign', [key.uuid])) &&
    may('tokens', key.token_uuid) &&
    may('tokenProfiles', key.token_profile_uuid)
  );
}
