// Removes an instance. The connector removes first, then the platform forgets; in between the row is marked, so that
// nothing can come to depend on what is about to go. A removal that was interrupted begins anew.
import type { RequestContext } from '../../../kernel/actor.ts';
import { isAppError, rejected } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { ChangesOf } from '../../../platform/objects/named-objects.ts';
import { callFailureOf } from '../call-failure.ts';
import type { InstanceParts, InstanceRow } from './instance-kind.ts';

export interface RemovalSteps<Row extends InstanceRow> {
  /** Refuses while something needs it. */
  readonly assertUnused?: (tx: Executor, row: Row) => Promise<void>;
  /** In the transaction that forgets it, before its values. */
  readonly forget?: (tx: Executor, row: Row) => Promise<void>;
  /** The platform forgets it also where the connector does not remove it. */
  readonly force?: boolean;
  /** What else can be done where the connector does not remove it. */
  readonly help?: string;
}

export async function removeInstance<Row extends InstanceRow, Answer extends { readonly uuid: string }>(
  parts: InstanceParts<Row, Answer>,
  uuid: string,
  { steps, context }: { readonly steps: RemovalSteps<Row>; readonly context: RequestContext },
): Promise<void> {
  const { platform, attributes, audit, instance } = parts;
  const { database, clock, log } = platform;
  const { objects, noun, removal, resource } = instance;
  const row = await database.transaction(async (tx) => {
    const locked = await objects.lock(tx, uuid);
    await steps.assertUnused?.(tx, locked);
    await objects.update(tx, uuid, { ...removal.begun, updated_at: clock.now() } as ChangesOf<Row>); // every row has it
    return locked;
  });
  try {
    await removeAtConnector(parts, row, context);
  } catch (error) {
    if (!steps.force) {
      await objects.update(database.executor, uuid, removal.givenUp);
      throw refusalOf(parts, row, { error, help: steps.help });
    }
    log.warn({ error, [noun]: row.name }, `the ${noun} was removed by force and may still exist at its connector`);
  }
  await database.transaction(async (tx) => {
    // Somebody else may have been faster; it is gone either way.
    if ((await objects.lockMany(tx, [uuid])).length === 0) return;
    await steps.forget?.(tx, row);
    await attributes.removeObjects(tx, resource, [uuid]);
    await objects.removeMany(tx, [uuid]);
    await audit.append(tx, context, { objects: [row] });
  });
}

/** 404 from the connector means that it is gone already. */
export async function removeAtConnector<Row extends InstanceRow, Answer extends { readonly uuid: string }>(
  { connectors, instance }: InstanceParts<Row, Answer>,
  row: Row,
  { signal }: Pick<RequestContext, 'signal'>,
): Promise<void> {
  if (row.connector_uuid === null) return;
  const client = await connectors.client(row.connector_uuid);
  try {
    await instance.calls.remove(client, instance.remoteUuid(row), { signal });
  } catch (error) {
    if (callFailureOf(error)?.kind !== 'notFound') throw error;
  }
}

/** The connector did not remove it: the removal is refused, whatever the reason. */
function refusalOf<Row extends InstanceRow, Answer extends { readonly uuid: string }>(
  { instance }: InstanceParts<Row, Answer>,
  row: Row,
  { error, help }: { readonly error: unknown; readonly help: string | undefined },
): unknown {
  if (!callFailureOf(error) || !isAppError(error)) return error;
  const sentence = `${instance.objects.what} ${row.name} was not removed: ${error.message}`;
  return rejected(help === undefined ? sentence : `${sentence} ${help}`);
}
