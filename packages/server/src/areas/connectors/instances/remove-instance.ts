// Removes an instance: first at the connector, then on the platform. In between, the row is marked, so that no new
// dependencies on it are created. An interrupted removal starts over.
import type { RequestContext } from '../../../kernel/actor.ts';
import { isAppError, rejected } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { ChangesOf } from '../../../platform/objects/named-objects.ts';
import { callFailureOf } from '../call-failure.ts';
import type { InstanceParts, InstanceRow } from './instance-kind.ts';

export interface RemovalSteps<Row extends InstanceRow> {
  /** Throws while anything depends on the instance. */
  readonly assertUnused?: (tx: Executor, row: Row) => Promise<void>;
  /** Runs in the transaction that deletes the instance's row, before its values are deleted. */
  readonly forget?: (tx: Executor, row: Row) => Promise<void>;
  /** Whether the platform deletes the instance even if the connector does not remove it. */
  readonly force?: boolean;
  /** Alternative to suggest if the connector does not remove the instance. */
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
    // Every row has this column.
    await objects.update(tx, uuid, { ...removal.begun, updated_at: clock.now() } as ChangesOf<Row>);
    return locked;
  });
  try {
    await removeAtConnector(parts, row, context);
  } catch (error) {
    if (!steps.force) {
      await objects.update(database.executor, uuid, removal.givenUp);
      throw callerErrorOf(parts, row, { error, help: steps.help });
    }
    log.warn({ error, [noun]: row.name }, `the ${noun} was removed by force and may still exist at its connector`);
  }
  await database.transaction(async (tx) => {
    // A concurrent removal may have been faster; the instance is gone either way.
    if ((await objects.lockMany(tx, [uuid])).length === 0) return;
    await steps.forget?.(tx, row);
    await attributes.removeObjects(tx, resource, [uuid]);
    await objects.removeMany(tx, [uuid]);
    await audit.append(tx, context, { objects: [row] });
  });
}

/** A 404 from the connector means that the instance no longer exists there. */
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

/**
 * Returns the error to report if the connector did not remove the instance: the removal fails, regardless of the
 * reason.
 */
function callerErrorOf<Row extends InstanceRow, Answer extends { readonly uuid: string }>(
  { instance }: InstanceParts<Row, Answer>,
  row: Row,
  { error, help }: { readonly error: unknown; readonly help: string | undefined },
): unknown {
  if (!callFailureOf(error) || !isAppError(error)) return error;
  const sentence = `${instance.objects.what} ${row.name} was not removed: ${error.message}`;
  return rejected(help === undefined ? sentence : `${sentence} ${help}`);
}
