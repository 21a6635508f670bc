// Rows of the tables that this area owns (migration 0079-workflows).
import type {
  ConditionItemDto,
  ConditionType,
  ExecutionItemRequestDto,
  ExecutionType,
  Resource,
  ResourceEvent,
  TriggerType,
} from '@signetry/contract';

/** Resources whose objects can have separate triggers. */
export type OverridingResource = 'raProfiles' | 'groups' | 'discoveries';

interface Definition {
  uuid: string;
  name: string;
  description: string | null;
  resource: Resource;
  created_at: Date;
  updated_at: Date;
}

/** One step of an execution; steps run in order. */
export type ExecutionItem = Readonly<ExecutionItemRequestDto>;

export type WorkflowTables = {
  workflow_condition: Definition & { type: ConditionType; items: readonly ConditionItemDto[] };
  workflow_execution: Definition & { type: ExecutionType; items: readonly ExecutionItem[] };
  workflow_rule: Definition;
  workflow_action: Definition;
  workflow_trigger: Definition & { type: TriggerType | null; ignore_trigger: boolean; event: ResourceEvent | null };
  workflow_rule_condition: { rule_uuid: string; condition_uuid: string; position: number };
  workflow_action_execution: { action_uuid: string; execution_uuid: string; position: number };
  workflow_trigger_rule: { trigger_uuid: string; rule_uuid: string; position: number };
  workflow_trigger_action: { trigger_uuid: string; action_uuid: string; position: number };
  workflow_trigger_association: {
    uuid: string;
    trigger_uuid: string;
    event: ResourceEvent;
    /** Null for associations with the whole platform, as is `object_uuid`. */
    resource: OverridingResource | null;
    object_uuid: string | null;
    position: number;
    /** User with whose permissions the actions run; null for the platform itself. */
    triggered_by_uuid: string | null;
    triggered_by: string;
    created_at: Date;
  };
  workflow_revision: { is_only: boolean; revision: number };
};

export type ConditionRow = WorkflowTables['workflow_condition'];
export type ExecutionRow = WorkflowTables['workflow_execution'];
export type RuleRow = WorkflowTables['workflow_rule'];
export type ActionRow = WorkflowTables['workflow_action'];
export type TriggerRow = WorkflowTables['workflow_trigger'];
export type AssociationRow = WorkflowTables['workflow_trigger_association'];
