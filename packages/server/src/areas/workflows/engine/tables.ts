// Rows of what the engine writes down (migration 0077-workflow-runs).
import type { FilterFieldSource, ResourceEvent } from '@signetry/contract';
import type { NestedTrigger } from '../definitions/store-nested.ts';
import type { OverridingResource } from '../tables.ts';

/** A trigger as it was when it was asked. */
export interface AskedTrigger {
  readonly associationUuid: string;
  /** Whose rights its actions have; null of the platform itself. */
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
  triggers: readonly AskedTrigger[];
  created_at: Date;
}

/** Conditions hold, or which condition item is the first that does not, or why the trigger was not asked. */
export const HOLDS = 0;
export const NOT_ASKED = -1;
export const ABOUT_OTHERS = -2;

export interface EvaluationRow {
  uuid: string;
  set_digest: Buffer;
  event_uuid: string | null;
  association_object_uuid: string | null;
  object_uuid: string | null;
  reference_uuid: string | null;
  outcomes: readonly number[];
  /** By field of the set: what was compared, as JSON. */
  inputs: readonly unknown[];
  evaluated_at: Date;
}

/** Why a step was refused. */
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
