// Groups assigned by claims. Claims add a user to, and remove a user from, only the groups that are listed in the
// provider's settings.
import type { Executor } from '../../../platform/database/database.ts';
import { findGroups, findMemberships, replaceMemberships } from '../../groups/index.ts';

export interface ClaimedGroups {
  readonly names: readonly string[];
  /** UUIDs of the groups that claims assign and remove. */
  readonly granted: readonly string[];
}

interface NamedGroup {
  readonly uuid: string;
  readonly name: string;
}

export interface GroupChanges {
  /** All groups of the user after the change. */
  readonly groupUuids: readonly string[];
  readonly changed: readonly NamedGroup[];
}

export async function changesOfGroups(
  executor: Executor,
  userUuid: string,
  { names, granted }: ClaimedGroups,
): Promise<GroupChanges> {
  if (granted.length === 0) return { groupUuids: [], changed: [] };
  // Some providers send paths, e.g. `/operators`.
  const claimed = new Set(names.flatMap((name) => [name, name.replace(/^\//, '')]));
  const grantable = await findGroups(executor, granted);
  const held = new Set((await findMemberships(executor, 'users', [userUuid])).map(({ uuid }) => uuid));
  const kept = [...held].filter((uuid) => !grantable.some((group) => group.uuid === uuid));
  const wanted = grantable.filter(({ name }) => claimed.has(name)).map(({ uuid }) => uuid);
  return {
    groupUuids: [...kept, ...wanted],
    changed: grantable.filter(({ uuid }) => wanted.includes(uuid) !== held.has(uuid)),
  };
}

export async function applyGroups(
  tx: Executor,
  userUuid: string,
  { groupUuids, changed }: GroupChanges,
): Promise<readonly NamedGroup[]> {
  if (changed.length > 0) await replaceMemberships(tx, { resource: 'users', uuid: userUuid }, groupUuids);
  return changed;
}
