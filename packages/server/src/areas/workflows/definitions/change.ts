// Definition changes: writes their audit records and invalidates cached definitions.
import type { RequestContext } from '../../../kernel/actor.ts';
import { requireFound, rejected } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { NamedObjects, NamedRow } from '../../../platform/objects/named-objects.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { nextRevision } from './store-revision.ts';

export type ChangeDefinition = ReturnType<typeof createDefinitionChange>;

/**
 * Runs the change and writes its audit record in one transaction; the record names the objects that the change returns.
 */
export const createDefinitionChange =
  (audit: AuditTrail) =>
  <Row extends NamedRow>(
    context: RequestContext,
    work: (tx: Executor) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> =>
    audit.change(context, async (tx) => {
      const changed = await work(tx);
      await nextRevision(tx);
      return changed;
    });

/** Maximum number of names in a message; longer lists are not helpful. */
const MAX_NAMES = 20;

/** Formats names for a sentence. */
export const namesOf = (names: readonly string[]): string =>
  names.length > MAX_NAMES
    ? `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`
    : names.join(', ');

export interface Usage {
  /** Plural name of the objects that can use the object. */
  readonly by: string;
  readonly find: (executor: Executor, uuid: string) => Promise<readonly string[]>;
}

/** Deletes an object, or rejects the request (422) while other objects use it. */
export async function removeUnused<Row extends NamedRow>(
  tx: Executor,
  objects: NamedObjects<Row>,
  { uuid, usage }: { readonly uuid: string; readonly usage: Usage },
): Promise<Row[]> {
  const { name } = await objects.lock(tx, uuid);
  const users = await usage.find(tx, uuid);
  if (users.length > 0)
    throw rejected(
      `${objects.what} ${name} cannot be deleted: it is used by ${usage.by} (${users.length}): ${namesOf(users)}. Remove it from them first.`,
    );
  return objects.removeMany(tx, [uuid]);
}

/**
 * Locks the parts named in a request until the transaction ends; returns them in order, without duplicates. Throws 404
 * or 422.
 */
export async function holdParts<Row extends NamedRow & { readonly resource: string }>(
  tx: Executor,
  parts: NamedObjects<Row>,
  { uuids, resource }: { readonly uuids: readonly string[]; readonly resource: string },
): Promise<readonly string[]> {
  const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))];
  const rows = new Map((await parts.lockMany(tx, wanted)).map((row) => [row.uuid, row]));
  const problems = wanted
    .map((uuid) => requireFound(rows.get(uuid), parts.what, uuid))
    .filter((part) => resource !== 'ANY' && part.resource !== 'ANY' && part.resource !== resource)
    .map((part) => `${parts.what} ${part.name} applies to ${part.resource}, not to ${resource}.`);
  if (problems.length > 0) throw rejected(...problems);
  return wanted;
}
