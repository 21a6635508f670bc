// Trigger evaluations and their results, in the API format and as trees.
import {
  resourceEventFacts,
  type TriggerHistoryDto,
  type TriggerHistoryObjectSummaryDto,
  type TriggerHistoryRecordDto,
  type TriggerHistorySummaryDto,
  type WorkflowEvaluationDto,
  type WorkflowEvaluationsDto,
} from '@signetry/contract';
import { isAllowed, type RequestContext } from '../../../kernel/actor.ts';
import { requireFound, notFound } from '../../../kernel/errors.ts';
import { pageFacts, readPage } from '../../../kernel/page.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { findEvent } from '../../../platform/events/store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { presentCondition, presentExecution } from '../definitions/present.ts';
import type { Subjects } from '../definitions/subjects.ts';
import { itemsAbout } from '../engine/conditions.ts';
import { HOLDS } from '../engine/tables.ts';
import { presentTrigger, stepsOf, type RunFacts } from './tree.ts';
import * as store from './store.ts';

/**
 * Maximum number of evaluations that the API operations return, newest first, since these operations have no paging.
 */
const MOST_TOLD = 1_000;
const MOST_COUNTED = 1_000;

export type History = ReturnType<typeof createHistory>;

export function createHistory(platform: Platform, { subjects }: { readonly subjects: Subjects }) {
  const { executor } = platform.database;

  return {
    /** Returns one trigger's history for its association with this object. */
    async ofTrigger(triggerUuid: string, associationObjectUuid: string): Promise<TriggerHistoryDto[]> {
      const choice = {
        triggerUuid: triggerUuid.toLowerCase(),
        associationObjectUuid: associationObjectUuid.toLowerCase(),
      };
      const rows = await store.findEvaluations(executor, choice, { offset: 0, limit: MOST_TOLD });
      const runOf = await runsOf(executor, rows);
      return rows.flatMap((row) =>
        row.triggers.flatMap(({ trigger }, index) =>
          trigger.uuid === choice.triggerUuid ? presentHistory(row, index, runOf(row.uuid, index)) : [],
        ),
      );
    },

    async summary(associationObjectUuid: string): Promise<TriggerHistorySummaryDto> {
      const uuid = associationObjectUuid.toLowerCase();
      const rows = await store.findEvaluations(
        executor,
        { associationObjectUuid: uuid },
        { offset: 0, limit: MOST_TOLD },
      );
      const [first] = rows;
      if (!first?.association_resource) throw notFound('Trigger history of', uuid);
      const counts = await store.countOutcomes(executor, uuid);
      const runOf = await runsOf(executor, rows);
      return {
        associationResource: first.association_resource,
        associationObjectUuid: uuid,
        objectsResource: resourceEventFacts[first.event].resource,
        objectsEvaluated: counts.evaluated,
        objectsMatched: counts.matched,
        objectsIgnored: counts.ignored,
        objects: rows.map((row) => presentSummaryOf(row, runOf)),
      };
    },

    async list(
      { pageNumber, itemsPerPage, ...asked }: store.EvaluationChoice & {
        readonly pageNumber: number;
        readonly itemsPerPage: number;
      }, // prettier-ignore
      context: RequestContext,
    ): Promise<WorkflowEvaluationsDto> {
      const page = readPage({ pageNumber, itemsPerPage });
      const offset = (page.pageNumber - 1) * page.itemsPerPage;
      const rows = await store.findEvaluations(executor, asked, { offset, limit: page.itemsPerPage });
      const total = await store.countEvaluations(executor, asked, MOST_COUNTED);
      return { ...pageFacts(page, total), evaluations: await presentAll({ executor, subjects }, rows, context) };
    },

    async detail(uuid: string, context: RequestContext): Promise<WorkflowEvaluationDto> {
      const rows = await store.findEvaluations(executor, { uuid }, { offset: 0, limit: 1 });
      const [evaluation] = await presentAll({ executor, subjects }, rows, context);
      const shown = requireFound(evaluation, 'Trigger evaluation', uuid);
      const event = shown.eventUuid === undefined ? undefined : await findEvent(executor, shown.eventUuid);
      return event && shown.objectName !== undefined ? { ...shown, data: { ...event.data } } : shown;
    },
  };
}

type RunOf = (evaluationUuid: string, index: number) => RunFacts | undefined;

async function runsOf(executor: Executor, rows: readonly store.EvaluationWithSet[]): Promise<RunOf> {
  const found = await store.findRuns(
    executor,
    rows.map(({ uuid }) => uuid),
  );
  const runs = Map.groupBy(found, (run) => run.evaluation_uuid);
  return (uuid, index) => runs.get(uuid)?.find((run) => run.trigger_index === index);
}

/** Presents evaluations. Omits the name and the compared values of objects that the caller cannot see. */
async function presentAll(
  { executor, subjects }: { readonly executor: Executor; readonly subjects: Subjects },
  rows: readonly store.EvaluationWithSet[],
  context: RequestContext,
): Promise<WorkflowEvaluationDto[]> {
  const runOf = await runsOf(executor, rows);
  const shown = new Map<string, string>();
  for (const [event, ofEvent] of Map.groupBy(rows, (row) => row.event)) {
    const uuids = [...new Set(ofEvent.flatMap((row) => row.object_uuid ?? []))];
    const names = await subjects.find(resourceEventFacts[event].resource)?.findShown(uuids, context);
    for (const [uuid, name] of names ?? []) shown.set(uuid, name);
  }
  return rows.map((row) => {
    const name = row.object_uuid === null ? undefined : shown.get(row.object_uuid);
    return presentEvaluation(row, { name, runOf, context });
  });
}

function presentEvaluation(
  row: store.EvaluationWithSet,
  { name, runOf, context }: {
    readonly name: string | undefined;
    readonly runOf: RunOf;
    readonly context: RequestContext;
  }, // prettier-ignore
): WorkflowEvaluationDto {
  const { resource } = resourceEventFacts[row.event];
  const facts = { resource, fields: row.fields, inputs: name === undefined ? undefined : visibleInputs(row, context) };
  return {
    uuid: row.uuid,
    event: row.event,
    ...(row.event_uuid === null ? {} : { eventUuid: row.event_uuid }),
    evaluatedAt: row.evaluated_at.toISOString(),
    resource,
    ...(row.object_uuid === null ? {} : { objectUuid: row.object_uuid }),
    ...(name === undefined ? {} : { objectName: name }),
    ...(row.association_resource !== null && row.association_object_uuid !== null
      ? { place: { resource: row.association_resource, objectUuid: row.association_object_uuid } }
      : {}),
    triggers: row.triggers.map((asked, index) =>
      presentTrigger(asked, { outcome: row.outcomes[index] ?? HOLDS, run: runOf(row.uuid, index) }, facts),
    ),
  };
}

/** Omits custom attribute values unless the caller has permission to use attributes. */
function visibleInputs({ fields, inputs }: store.EvaluationWithSet, { actor }: RequestContext): readonly unknown[] {
  const seesCustom = isAllowed(actor.permissions, 'attributes', 'members');
  return inputs.map((input, index) => (fields[index]?.source === 'custom' && !seesCustom ? undefined : input));
}

function presentHistory(row: store.EvaluationWithSet, index: number, run: RunFacts | undefined): TriggerHistoryDto {
  const trigger = row.triggers[index]?.trigger;
  const outcome = row.outcomes[index] ?? 0;
  const matched = outcome === HOLDS;
  const records = trigger ? recordsOf({ row, trigger, outcome, run }) : [];
  const isDone = matched && (trigger?.ignore_trigger === true || (run?.state === 'ended' && run.problems.length === 0));
  return {
    uuid: row.uuid,
    triggerUuid: trigger?.uuid ?? '',
    ...(row.object_uuid === null ? {} : { objectUuid: row.object_uuid }),
    ...(row.reference_uuid === null ? {} : { referenceObjectUuid: row.reference_uuid }),
    conditionsMatched: matched,
    actionsPerformed: isDone,
    triggeredAt: row.evaluated_at.toISOString(),
    ...(matched && run?.state === 'waiting' ? { message: 'Its actions are pending.' } : {}),
    records,
  };
}

const presentSummaryOf = (row: store.EvaluationWithSet, runOf: RunOf): TriggerHistoryObjectSummaryDto => ({
  ...(row.object_uuid === null ? {} : { objectUuid: row.object_uuid }),
  ...(row.reference_uuid === null ? {} : { referenceObjectUuid: row.reference_uuid }),
  matched: row.outcomes.includes(HOLDS),
  ignored: row.object_uuid === null,
  triggers: row.triggers.map(({ trigger }, index) => {
    const { message, records, triggeredAt } = presentHistory(row, index, runOf(row.uuid, index));
    return {
      triggerUuid: trigger.uuid,
      triggerName: trigger.name,
      triggeredAt,
      ...(message === undefined ? {} : { message }),
      records,
    };
  }),
});

interface RecordedEvaluation {
  readonly row: store.EvaluationWithSet;
  readonly trigger: store.EvaluationWithSet['triggers'][number]['trigger'];
  readonly outcome: number;
  readonly run: RunFacts | undefined;
}

/** Returns the first condition that did not hold, or the rejected executions. */
function recordsOf({ row, trigger, outcome, run }: RecordedEvaluation): TriggerHistoryRecordDto[] {
  const noProfiles = new Map<string, string>();
  if (outcome > HOLDS) {
    const failed = itemsAbout(trigger, resourceEventFacts[row.event].resource)[outcome - 1];
    if (!failed) return [];
    const { item, condition } = failed;
    return [
      { condition: presentCondition(condition), message: `${item.fieldIdentifier} ${item.operator} does not hold.` },
    ];
  }
  const steps = stepsOf(trigger);
  return (run?.problems ?? []).flatMap(({ step, message }) => {
    const execution = steps[step]?.execution;
    return execution ? [{ execution: presentExecution(execution, noProfiles), message }] : [{ message }];
  });
}
