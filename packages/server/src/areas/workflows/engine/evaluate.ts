// Evaluates trigger sets for objects and records the results: one evaluation per object and set, and a run for each
// matching trigger with actions.
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { EvaluatedObjects, ObjectValues } from '../../../platform/database/filter/read-values.ts';
import type { SqlField } from '../../../platform/database/filter/sql-fields.ts';
import {
  fieldsOf,
  prepareTrigger,
  outcomeOf,
  valuesByName,
  type PreparationOptions,
  type PreparedTrigger,
} from './conditions.ts';
import * as store from './store.ts';
import { HOLDS, NOT_EVALUATED, type EvaluationRow } from './tables.ts';
import type { TriggerSet } from './trigger-sets.ts';

/** A trigger set to evaluate for an object. */
export interface EvaluationTarget {
  readonly set: TriggerSet;
  readonly objectUuid: string;
  readonly eventUuid: string | null;
  /** Identifier of the object within the discovery run that found it. */
  readonly referenceUuid: string | null;
  /** Whether the object is left out of the inventory, in which case its evaluation does not reference it. */
  readonly isLeftOut?: boolean;
}

export interface EvaluationRequest {
  readonly resource: PreparationOptions['resource'];
  readonly objects: EvaluatedObjects;
  readonly now: Date;
  /** Whether to skip ignore triggers, because they were evaluated before the object was stored. */
  readonly skipsIgnoring?: boolean;
}

/** A trigger set with its prepared conditions and the fields that they compare. */
interface PreparedSet {
  readonly set: TriggerSet;
  readonly triggers: readonly PreparedTrigger[];
  readonly fields: readonly SqlField[];
}

function prepareSets(sets: Iterable<TriggerSet>, asked: EvaluationRequest): ReadonlyMap<TriggerSet, PreparedSet> {
  const readiness = { resource: asked.resource, lookup: asked.objects.lookup, now: asked.now };
  return new Map(
    [...new Set(sets)].map((set) => {
      const triggers = set.triggers.map(({ trigger }) => prepareTrigger(trigger, readiness));
      return [set, { set, triggers, fields: fieldsOf(triggers) }];
    }),
  );
}

/** Returns one outcome for each trigger in the set. */
function outcomesOf(
  { triggers }: PreparedSet,
  values: ObjectValues,
  { skipsIgnoring = false }: Pick<EvaluationRequest, 'skipsIgnoring'> = {},
): number[] {
  const read = valuesByName(values);
  let isIgnored = false;
  return triggers.map((ready) => {
    const { ignore_trigger: ignores } = ready.trigger;
    if (ignores ? skipsIgnoring : isIgnored) return NOT_EVALUATED;
    const outcome = outcomeOf(ready, read);
    if (ignores && outcome === HOLDS) isIgnored = true;
    return outcome;
  });
}

/**
 * Evaluates only ignore triggers. Returns the objects that at least one of them ignores; the evaluations of these
 * objects are recorded without a reference to the object.
 */
export async function findIgnored(
  tx: Executor,
  questions: readonly EvaluationTarget[],
  asked: EvaluationRequest,
): Promise<ReadonlySet<string>> {
  const isIgnoring = ({ set }: EvaluationTarget) => set.triggers.some(({ trigger }) => trigger.ignore_trigger);
  const { judged, sets } = await evaluateAll(tx, questions.filter(isIgnoring), asked);
  const ignored = judged.filter(({ question, row }) => isIgnored(question.set, row.outcomes));
  await storeEvaluations(tx, ignored, { sets, at: asked.now });
  return new Set(ignored.map(({ question }) => question.objectUuid));
}

/** Evaluates the sets and records the results. Objects that no longer exist are not evaluated. */
export async function ask(
  tx: Executor,
  questions: readonly EvaluationTarget[],
  asked: EvaluationRequest,
): Promise<{ readonly runs: number }> {
  const { judged, sets } = await evaluateAll(tx, questions, asked);
  await storeEvaluations(tx, judged, { sets, at: asked.now });
  const runs = judged.flatMap(runsOf);
  await store.insertRuns(tx, runs, asked.now);
  return { runs: runs.length };
}

async function evaluateAll(tx: Executor, questions: readonly EvaluationTarget[], asked: EvaluationRequest) {
  const sets = prepareSets(
    questions.map(({ set }) => set),
    asked,
  );
  const fields = distinct([...sets.values()].flatMap((ready) => ready.fields));
  const uuids = [...new Set(questions.map(({ objectUuid }) => objectUuid))];
  const values = await asked.objects.read(tx, { fields, uuids });
  const judged = questions.flatMap((question) => {
    const ready = sets.get(question.set);
    const ofObject = values.get(question.objectUuid);
    return ready && ofObject ? [evaluateTarget(question, { ready, values: ofObject, asked })] : [];
  });
  return { judged, sets: [...sets.values()] };
}

interface EvaluatedTarget {
  readonly question: EvaluationTarget;
  readonly row: EvaluationRow;
}

function evaluateTarget(
  question: EvaluationTarget,
  {
    ready,
    values,
    asked,
  }: { readonly ready: PreparedSet; readonly values: ObjectValues; readonly asked: EvaluationRequest },
): EvaluatedTarget {
  const { set, objectUuid, eventUuid, referenceUuid, isLeftOut = false } = question;
  const read = valuesByName(values);
  return {
    question,
    row: {
      uuid: newUuid(),
      set_digest: set.digest,
      event_uuid: eventUuid,
      association_object_uuid: set.of?.objectUuid ?? null,
      object_uuid: isLeftOut ? null : objectUuid,
      reference_uuid: referenceUuid,
      outcomes: outcomesOf(ready, values, asked),
      inputs: ready.fields.map((field) => read(field) ?? null),
      evaluated_at: asked.now,
    },
  };
}

async function storeEvaluations(
  tx: Executor,
  judged: readonly EvaluatedTarget[],
  { sets, at }: { readonly sets: readonly PreparedSet[]; readonly at: Date },
): Promise<void> {
  const used = new Set(judged.map(({ question }) => question.set));
  await store.insertSets(
    tx,
    sets
      .filter(({ set }) => used.has(set))
      .map(({ set, fields }) => ({
        digest: set.digest,
        event: set.event,
        association_resource: set.of?.resource ?? null,
        association_object_uuid: set.of?.objectUuid ?? null,
        fields: fields.map(({ source, identifier, label }) => ({ source, identifier, label })),
        triggers: set.triggers,
        created_at: at,
      })),
  );
  await store.insertEvaluations(
    tx,
    judged.map(({ row }) => row),
  );
}

function runsOf({ question, row }: EvaluatedTarget): store.NewRun[] {
  return row.outcomes.flatMap((outcome, index) => {
    const asked = question.set.triggers[index];
    if (outcome !== HOLDS || !asked || asked.trigger.ignore_trigger) return [];
    return {
      uuid: newUuid(),
      evaluation_uuid: row.uuid,
      trigger_index: index,
      trigger_uuid: asked.trigger.uuid,
      object_uuid: question.objectUuid,
    };
  });
}

/** Whether this set ignores the object. */
const isIgnored = (set: TriggerSet, outcomes: readonly number[]): boolean =>
  outcomes.some((outcome, index) => outcome === HOLDS && set.triggers[index]?.trigger.ignore_trigger === true);

const distinct = (fields: readonly SqlField[]): SqlField[] => [
  ...new Map(fields.map((field) => [`${field.source} ${field.identifier}`, field])).values(),
];
