// Groups specified in requests.
import { notFound } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { NamedRow } from '../../platform/objects/named-objects.ts';
import { groups } from './store.ts';

/** Returns the groups, sorted by name; throws 404 if one does not exist. */
export async function requireGroups(executor: Executor, uuids: readonly string[]): Promise<readonly NamedRow[]> {
  const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))];
  const found = await groups.findMany(executor, wanted.filter(isUuid));
  const missing = wanted.find((uuid) => !found.some((group) => group.uuid === uuid));
  if (missing !== undefined) throw notFound(groups.what, missing);
  return found;
}
