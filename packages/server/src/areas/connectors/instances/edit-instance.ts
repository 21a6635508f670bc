// Edits an instance: the change is validated, made at the connector, and then recorded. Only one edit runs at a time,
// because the connector is called outside of transactions.
import type { RequestAttributeDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { evaluateTogether, notFound } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { ChangesOf } from '../../../platform/objects/named-objects.ts';
import { createEditClaims } from '../../../platform/objects/edit-claims.ts';
import { omittedAttributesData } from '../../attributes/index.ts';
import { acceptAttributes } from './accept-attributes.ts';
import { valueSetOf, type InstanceParts, type InstanceRow } from './instance-kind.ts';
import { assertReachable } from './reach-instance.ts';

export interface InstanceEdit {
  /** Replaces the previous list; if undefined, the values are unchanged and the connector is not called. */
  readonly attributes?: readonly RequestAttributeDto[] | undefined;
  readonly customAttributes?: readonly RequestAttributeDto[] | undefined;
}

export interface EditSteps<Row extends InstanceRow, Answer> {
  /** Validates the parts specific to the kind (422). */
  readonly judge?: (row: Row) => Promise<unknown>;
  /** Returns the accepted values to store; default: all. */
  readonly keep?: (
    row: Row,
    facts: {
      readonly before: readonly RequestAttributeDto[];
      readonly accepted: readonly RequestAttributeDto[];
      readonly answer: Answer;
    },
  ) => readonly RequestAttributeDto[] | Promise<readonly RequestAttributeDto[]>;
  readonly changes?: () => ChangesOf<Row>;
  /** Runs in the transaction that records the change, after its values are written. */
  readonly record?: (tx: Executor, row: Row, answer: Answer | undefined) => Promise<void>;
}

export async function editInstance<Row extends InstanceRow, Answer extends { readonly uuid: string }>(
  parts: InstanceParts<Row, Answer>,
  uuid: string,
  request: InstanceEdit,
  { steps, context }: { readonly steps: EditSteps<Row, Answer>; readonly context: RequestContext },
): Promise<Row> {
  const { platform, attributes, instance, values, audit } = parts;
  const { database, clock } = platform;
  const { objects } = instance;
  const row = await objects.require(database.executor, uuid);
  await createEditClaims(platform, objects).during(row, async () => {
    const [customValues, judged] = await evaluateTogether(
      values?.accept(request.customAttributes, context, uuid) ?? Promise.resolve(undefined),
      request.attributes ? evaluateChange(parts, row, request.attributes, context) : Promise.resolve(undefined),
      steps.judge?.(row) ?? Promise.resolve(),
    );
    const change = judged && (await changeAtConnector(parts, row, judged, { steps, context }));
    await database.transaction(async (tx) => {
      const changes = { ...steps.changes?.(), updated_at: clock.now() } as ChangesOf<Row>; // Every row has the column.
      if (!(await objects.update(tx, uuid, changes))) throw notFound(objects.what, uuid);
      if (change) await attributes.replaceValues(tx, { ...valueSetOf(instance, row), attributes: change.kept });
      await steps.record?.(tx, row, change?.answer);
      if (customValues) await values?.write(tx, uuid, customValues);
      await audit.append(tx, context, { objects: [row], ...omittedAttributesData(change?.leftOut) });
    });
  });
  return row;
}

interface EvaluatedChange {
  readonly before: readonly RequestAttributeDto[];
  readonly accepted: readonly RequestAttributeDto[];
}

/** Validates a change without applying it. */
async function evaluateChange<Row extends InstanceRow, Answer extends { readonly uuid: string }>(
  parts: InstanceParts<Row, Answer>,
  row: Row,
  given: readonly RequestAttributeDto[],
  context: RequestContext,
): Promise<EvaluatedChange> {
  const { attributes, instance } = parts;
  assertReachable(row, instance.objects.what);
  const set = valueSetOf(instance, row);
  const before = await attributes.readForConnector(set.object, set.scope);
  const requested = await attributes.withKeptSecrets(set, given);
  const of = { connectorUuid: row.connector_uuid, kind: row.kind };
  return { before, accepted: await acceptAttributes(parts, of, requested, { ...context, before }) };
}

async function changeAtConnector<Row extends InstanceRow, Answer extends { readonly uuid: string }>(
  { attributes, connectors, instance }: InstanceParts<Row, Answer>,
  row: Row,
  { before, accepted }: EvaluatedChange,
  { steps, context: { signal } }: { readonly steps: EditSteps<Row, Answer>; readonly context: RequestContext },
) {
  assertReachable(row, instance.objects.what);
  const client = await connectors.client(row.connector_uuid);
  const { name, kind } = row;
  const body = { name, kind, attributes: await attributes.expandCredentials(accepted) };
  const answer = await instance.calls.update(client, { uuid: instance.remoteUuid(row), body }, { signal });
  const kept = (await steps.keep?.(row, { before, accepted, answer })) ?? accepted;
  const there = new Set([...accepted, ...kept].map((value) => value.name));
  return { answer, kept, leftOut: before.map((value) => value.name).filter((value) => !there.has(value)) };
}
