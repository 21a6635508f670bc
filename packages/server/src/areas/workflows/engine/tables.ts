// Rows recorded by the engine (migration 0077-workflow-runs).
import type { FilterFieldSource, ResourceEvent } from '@signetry/contract';
import type { NestedTrigger } from '../definitions/store-nested.ts';
import type { OverridingResource } from '../tables.ts';

/** A trigger as it was defined when it was evaluated. */
export interface RequestedTrigger {
  readonly associationUuid: string;
  /** User with whose permissions its actions run; null for the platform itself. */
  readonly triggeredByUuid: string | null;
  readonly triggeredBy: string;
  readonly trigger: NestedTrigger;
}

/** A field that conditions compare. */
export interface ComparedField {
  readonly source: FilterFieldSource;
  readonly identifier: string;
  readonly label: string;
}

export interface TriggerSetRow {
  digest: Buffer;
  event: ResourceEvent;
  association_resource: OverridingResource | null;
  association_object_uuid: string | null;
  fields: readonly ComparedField[];
  triggers: readonly RequestedTrigger[];
  created_at: Date;
}

/**
 * Outcomes: 0 if all conditions hold, otherwise the position (from 1) of the first item that does not. Negative values
 * state why the trigger was not evaluated.
 */
export const HOLDS = 0;
export const NOT_EVALUATED = -1;
export const OTHER_RESOURCE = -2;

export interface EvaluationRow {
  uuid: string;
  set_digest: Buffer;
  event_uuid: string | null;
  association_object_uuid: string | null;
  object_uuid: string | null;
  reference_uuid: string | null;
  outcomes: readonly number[];
  /** Compared values as JSON, one per field of the set. */
  inputs: readonly unknown[];
  evaluated_at: Date;
}

/** Why a step was rejected. */
export interface StepProblem {
  readonly step: number;
  readonly message: string;
}

export interface RunRow {
  uuid: string;
  evaluation_uuid: string;
  trigger_index: number;
  trigger_uuid: string;
  object_uuid: string;
  state: 'waiting' | 'ended';
  step: number;
  problems: readonly StepProblem[];
  attempts: number;
  due_at: Date;
  lease: string | null;
  created_at: Date;
  ended_at: Date | null;
}

export type EngineTables = {
  workflow_trigger_set: TriggerSetRow;
  workflow_evaluation: EvaluationRow;
  workflow_run: RunRow;
};
