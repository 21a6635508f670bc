// Creates an instance: the connector and the platform validate it, the connector creates it, and the platform then
// records it. If it cannot be recorded, it is removed from the connector again; if that also fails, the error says so.
import { IDEMPOTENCY_FEATURE, type RequestAttributeDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, isAppError, evaluateTogether, notFound, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../../../platform/database/database-errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { explainFailure, isOutcomeUnknown } from '../call-failure.ts';
import type { ConnectorClient } from '../clients.ts';
import { acceptAttributes } from './accept-attributes.ts';
import { valueSetOf, type InstanceBody, type InstanceParts, type InstanceRow } from './instance-kind.ts';
import { removeAtConnector } from './remove-instance.ts';

/** Maximum number of calls, including retries, if the connector supports idempotency keys. */
const MAX_CALLS = 3;

export interface InstanceRequest {
  readonly name: string;
  readonly kind: string;
  readonly connectorUuid: string;
  readonly attributes: readonly RequestAttributeDto[];
  readonly customAttributes?: readonly RequestAttributeDto[] | undefined;
}

export interface CreationSteps<Row extends InstanceRow, Answer> {
  /** Validates the parts specific to the kind (422). */
  readonly judge?: () => Promise<unknown>;
  readonly rowOf: (common: InstanceRow, answer: Answer) => Row;
  /** Returns what to record for a new instance; default: the unchanged row and all accepted values. */
  readonly complete?: (
    row: Row,
    accepted: readonly RequestAttributeDto[],
  ) => Promise<{ readonly row: Row; readonly values: readonly RequestAttributeDto[] }>;
  /** Runs in the transaction that records the instance, after its values are written. */
  readonly record?: (tx: Executor, row: Row, answer: Answer) => Promise<void>;
}

export async function createInstance<Row extends InstanceRow, Answer extends { readonly uuid: string }>(
  parts: InstanceParts<Row, Answer>,
  request: InstanceRequest,
  steps: CreationSteps<Row, Answer>,
  context: RequestContext,
): Promise<Row> {
  const { platform, attributes, connectors, instance, values } = parts;
  const { database, clock } = platform;
  const { name, kind, connectorUuid } = request;
  // Checked before the connector is called: an instance that cannot be recorded must not be created there.
  if (await instance.objects.findByName(database.executor, name)) throw nameTakenError(parts, name);
  const [customValues, accepted] = await evaluateTogether(
    values?.accept(request.customAttributes, context) ?? Promise.resolve(undefined),
    acceptAttributes(parts, { connectorUuid, kind }, request.attributes, context),
    steps.judge?.() ?? Promise.resolve(),
  );
  const client = await connectors.client(connectorUuid);
  const [uuid, now] = [newUuid(), clock.now()];
  const body = { name, kind, attributes: await attributes.expandCredentials(accepted) };
  const answer = await createAtConnector(parts, { client, body, key: uuid }, context);
  const common: InstanceRow = {
    uuid,
    name,
    kind,
    connector_uuid: connectorUuid,
    connector_name: client.name,
    edited_until: null,
    created_at: now,
    updated_at: now,
  };
  const made = steps.rowOf(common, answer);
  try {
    const { row, values: kept } = (await steps.complete?.(made, accepted)) ?? { row: made, values: accepted };
    await database.transaction(async (tx) => {
      await instance.objects.insert(tx, row);
      await attributes.insertValues(tx, [{ ...valueSetOf(instance, row), attributes: kept }]);
      await steps.record?.(tx, row, answer);
      if (customValues) await values?.write(tx, uuid, customValues);
      await parts.audit.append(tx, context, { objects: [row] });
    });
    return row;
  } catch (error) {
    throw await revertCreation(parts, made, callerErrorOf(parts, made, error));
  }
}

/**
 * Without a response, the instance may or may not exist. A connector that supports idempotency keys is called again
 * with the same key.
 */
async function createAtConnector<Row extends InstanceRow, Answer extends { readonly uuid: string }>(
  { platform: { log }, connectors, instance }: InstanceParts<Row, Answer>,
  { client, body, key }: { readonly client: ConnectorClient; readonly body: InstanceBody; readonly key: string },
  { signal }: RequestContext,
): Promise<Answer> {
  const { noun } = instance;
  const code = await instance.functionGroupOf({ connectorUuid: client.uuid, kind: body.kind });
  const { functionGroups } = await connectors.facts(client.uuid);
  const replays = functionGroups.find((group) => group.code === code)?.features.includes(IDEMPOTENCY_FEATURE) ?? false;
  for (let made = 1; ; made += 1) {
    try {
      return await instance.calls.create(client, body, { signal, idempotencyKey: key });
    } catch (error) {
      if (!isOutcomeUnknown(error)) throw error;
      if (replays && made < MAX_CALLS && !signal.aborted) continue;
      const facts = { [noun]: body.name, connector: client.name, key };
      log.warn(facts, `the connector may have created the ${noun} although it did not respond`);
      throw explainFailure(
        error,
        `it may still have created the ${noun} ${body.name}, which the platform has not recorded: search for that name at the connector, and remove it there or choose a different name before you try again`,
      );
    }
  }
}

const nameTakenError = <Row extends InstanceRow, Answer extends { readonly uuid: string }>(
  { instance }: InstanceParts<Row, Answer>,
  name: string,
  cause?: unknown,
): AppError => new AppError('already_exists', { what: instance.objects.what, name }, { cause });

function callerErrorOf<Row extends InstanceRow, Answer extends { readonly uuid: string }>(
  parts: InstanceParts<Row, Answer>,
  { name, connector_uuid: connectorUuid }: Row,
  error: unknown,
): unknown {
  if (isUniqueViolation(error, `${parts.instance.objects.table}_name_key`)) return nameTakenError(parts, name, error);
  return isForeignKeyViolation(error) ? notFound('Connector', connectorUuid ?? '') : error;
}

/** Removes an instance that cannot be recorded from its connector, even if the caller has disconnected. */
async function revertCreation<Row extends InstanceRow, Answer extends { readonly uuid: string }>(
  parts: InstanceParts<Row, Answer>,
  row: Row,
  error: unknown,
): Promise<unknown> {
  const { platform, instance } = parts;
  try {
    await removeAtConnector(parts, row, { signal: new AbortController().signal });
    return error;
  } catch (cause) {
    const { noun } = instance;
    const { name, connector_name: connector } = row;
    const there = instance.remoteUuid(row);
    platform.log.error(
      { error: cause, [noun]: name, connector, there },
      `cannot record the ${noun}, and it remains at its connector`,
    );
    if (!isAppError(error)) return error;
    return rejected(
      error.message,
      `Connector ${connector} created the ${noun} ${name} (${there}) but did not remove it again: remove it there.`,
    );
  }
}
