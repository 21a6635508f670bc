// Changes of definitions: with their audit record, and seen by whoever remembers definitions.
import type { RequestContext } from '../../../kernel/actor.ts';
import { found, rejected } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { NamedObjects, NamedRow } from '../../../platform/objects/named-objects.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { nextRevision } from './store-revision.ts';

export type ChangeDefinition = ReturnType<typeof createDefinitionChange>;

/** One transaction for the change and its record, which names what the work returns. */
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

/** Longer lists of names help nobody. */
const MAX_NAMES = 20;

/** As a sentence lists them. */
export const namesOf = (names: readonly string[]): string =>
  names.length > MAX_NAMES
    ? `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`
    : names.join(', ');

export interface Usage {
  /** What may have the object, in the plural. */
  readonly by: string;
  readonly find: (executor: Executor, uuid: string) => Promise<readonly string[]>;
}

/** Refused (422) while others have it. */
export async function removeUnused<Row extends NamedRow>(
  tx: Executor,
  objects: NamedObjects<Row>,
  { uuid, usage }: { readonly uuid: string; readonly usage: Usage },
): Promise<Row[]> {
  const { name } = await objects.lock(tx, uuid);
  const users = await usage.find(tx, uuid);
  if (users.length > 0)
    throw rejected(
      `${objects.what} ${name} cannot be deleted: ${usage.by} have it (${users.length}): ${namesOf(users)}. Take it out of them first.`,
    );
  return objects.removeMany(tx, [uuid]);
}

/** The parts that a request names, in its order and once each; they stay until the transaction ends. 404, or 422. */
export async function holdParts<Row extends NamedRow & { readonly resource: string }>(
  tx: Executor,
  parts: NamedObjects<Row>,
  { uuids, resource }: { readonly uuids: readonly string[]; readonly resource: string },
): Promise<readonly string[]> {
  const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))];
  const rows = new Map((await parts.lockMany(tx, wanted)).map((row) => [row.uuid, row]));
  const problems = wanted
    .map((uuid) => found(rows.get(uuid), parts.what, uuid))
    .filter((part) => resource !== 'ANY' && part.resource !== 'ANY' && part.resource !== resource)
    .map((part) => `${parts.what} ${part.name} is about ${part.resource}, not about ${resource}.`);
  if (problems.length > 0) throw rejected(...problems);
  return wanted;
}
