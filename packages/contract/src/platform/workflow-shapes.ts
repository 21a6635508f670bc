// Objects of the rules engine: rules consist of conditions, actions consist of executions, and triggers run actions on
// objects that meet their rules.
import { z } from 'zod';
import { FilterFieldSource } from '../enums/search.ts';
import { ConditionType, ExecutionType, ResourceEvent, TriggerType } from '../enums/workflows.ts';
import { dateTime, description, int32, objectName, uuid } from '../primitives.ts';
import { ConditionItemDto, ConditionItemRequestDto } from './compliance-shapes.ts';
import { Resource } from './resource.ts';

const described = { name: objectName(), description: description().optional(), resource: Resource };
const shown = { uuid: z.string(), name: z.string(), description: z.string().optional(), resource: Resource };

export const ConditionRequestDto = z
  .object({ ...described, type: ConditionType, items: z.array(ConditionItemRequestDto) })
  .meta({ id: 'ConditionRequestDto' });
export type ConditionRequestDto = z.output<typeof ConditionRequestDto>;

/** Name and resource cannot be changed. */
export const UpdateConditionRequestDto = z
  .object({ description: description().optional(), items: z.array(ConditionItemRequestDto) })
  .meta({ id: 'UpdateConditionRequestDto' });
export type UpdateConditionRequestDto = z.output<typeof UpdateConditionRequestDto>;

export const ConditionDto = z
  .object({ ...shown, type: ConditionType, items: z.array(ConditionItemDto) })
  .meta({ id: 'ConditionDto' });
export type ConditionDto = z.output<typeof ConditionDto>;

export const RuleRequestDto = z
  .object({ ...described, conditionsUuids: z.array(uuid()) })
  .meta({ id: 'RuleRequestDto' });
export type RuleRequestDto = z.output<typeof RuleRequestDto>;

export const UpdateRuleRequestDto = z
  .object({ description: description().optional(), conditionsUuids: z.array(uuid()) })
  .meta({ id: 'UpdateRuleRequestDto' });
export type UpdateRuleRequestDto = z.output<typeof UpdateRuleRequestDto>;

export const RuleDto = z.object(shown).meta({ id: 'RuleDto' });
export type RuleDto = z.output<typeof RuleDto>;

export const RuleDetailDto = z.object({ ...shown, conditions: z.array(ConditionDto) }).meta({ id: 'RuleDetailDto' });
export type RuleDetailDto = z.output<typeof RuleDetailDto>;

const executed = {
  /** Source of the field to set: `property`, or `custom` for a custom attribute. */
  fieldSource: FilterFieldSource.optional(),
  /** Property name, or custom attribute name in the form `name|CONTENTTYPE`. */
  fieldIdentifier: z.string().optional(),
  notificationProfileUuid: uuid().optional(),
  /**
   * For a property: one object or an array of objects, each specified as an identifier or as an object that contains
   * one. For a custom attribute: content items. Null or an empty array removes the current value.
   */
  data: z.unknown().optional(),
};

export const ExecutionItemRequestDto = z.object(executed).meta({ id: 'ExecutionItemRequestDto' });
export type ExecutionItemRequestDto = z.output<typeof ExecutionItemRequestDto>;

/** The notification profile name is absent if the profile no longer exists. */
export const ExecutionItemDto = z
  .object({ ...executed, notificationProfileName: z.string().optional() })
  .meta({ id: 'ExecutionItemDto' });
export type ExecutionItemDto = z.output<typeof ExecutionItemDto>;

export const ExecutionRequestDto = z
  .object({ ...described, type: ExecutionType, items: z.array(ExecutionItemRequestDto) })
  .meta({ id: 'ExecutionRequestDto' });
export type ExecutionRequestDto = z.output<typeof ExecutionRequestDto>;

export const UpdateExecutionRequestDto = z
  .object({ description: description().optional(), items: z.array(ExecutionItemRequestDto) })
  .meta({ id: 'UpdateExecutionRequestDto' });
export type UpdateExecutionRequestDto = z.output<typeof UpdateExecutionRequestDto>;

export const ExecutionDto = z
  .object({ ...shown, type: ExecutionType, items: z.array(ExecutionItemDto) })
  .meta({ id: 'ExecutionDto' });
export type ExecutionDto = z.output<typeof ExecutionDto>;

export const ActionRequestDto = z
  .object({ ...described, executionsUuids: z.array(uuid()) })
  .meta({ id: 'ActionRequestDto' });
export type ActionRequestDto = z.output<typeof ActionRequestDto>;

export const UpdateActionRequestDto = z
  .object({ description: description().optional(), executionsUuids: z.array(uuid()) })
  .meta({ id: 'UpdateActionRequestDto' });
export type UpdateActionRequestDto = z.output<typeof UpdateActionRequestDto>;

export const ActionDto = z.object(shown).meta({ id: 'ActionDto' });
export type ActionDto = z.output<typeof ActionDto>;

export const ActionDetailDto = z
  .object({ ...shown, executions: z.array(ExecutionDto) })
  .meta({ id: 'ActionDetailDto' });
export type ActionDetailDto = z.output<typeof ActionDetailDto>;

const triggered = {
  type: TriggerType.optional(),
  resource: Resource,
  /**
   * Whether objects that meet its rules are ignored: the other triggers associated alongside it then have no effect.
   */
  ignoreTrigger: z.boolean(),
  /** The only event that the trigger can be associated with. */
  event: ResourceEvent.optional(),
};

const composed = { rulesUuids: z.array(uuid()).optional(), actionsUuids: z.array(uuid()).optional() };

export const TriggerRequestDto = z
  .object({ name: objectName(), description: description().optional(), ...triggered, ...composed })
  .meta({ id: 'TriggerRequestDto' });
export type TriggerRequestDto = z.output<typeof TriggerRequestDto>;

/** The resource must be that of the trigger; it cannot be changed. */
export const UpdateTriggerRequestDto = z
  .object({ description: description().optional(), ...triggered, ...composed })
  .meta({ id: 'UpdateTriggerRequestDto' });
export type UpdateTriggerRequestDto = z.output<typeof UpdateTriggerRequestDto>;

export const TriggerDto = z.object({ ...shown, ...triggered }).meta({ id: 'TriggerDto' });
export type TriggerDto = z.output<typeof TriggerDto>;

export const TriggerDetailDto = z
  .object({ ...shown, ...triggered, rules: z.array(RuleDetailDto), actions: z.array(ActionDetailDto) })
  .meta({ id: 'TriggerDetailDto' });
export type TriggerDetailDto = z.output<typeof TriggerDetailDto>;

/** Triggers for an event on one object, in order. They replace the current ones. */
export const TriggerEventAssociationRequestDto = z
  .object({ event: ResourceEvent, resource: Resource, objectUuid: uuid(), triggerUuids: z.array(uuid()) })
  .meta({ id: 'TriggerEventAssociationRequestDto' });
export type TriggerEventAssociationRequestDto = z.output<typeof TriggerEventAssociationRequestDto>;

/** The condition that was not met, or the execution that failed. */
export const TriggerHistoryRecordDto = z
  .object({ message: z.string(), condition: ConditionDto.optional(), execution: ExecutionDto.optional() })
  .meta({ id: 'TriggerHistoryRecordDto' });
export type TriggerHistoryRecordDto = z.output<typeof TriggerHistoryRecordDto>;

export const TriggerHistoryDto = z
  .object({
    uuid: z.string(),
    triggerUuid: z.string(),
    /** Absent if the object was not added to the inventory. */
    objectUuid: z.string().optional(),
    /** Identifier of the object in the run that found it, e.g. a certificate's identifier in a discovery. */
    referenceObjectUuid: z.string().optional(),
    conditionsMatched: z.boolean(),
    actionsPerformed: z.boolean(),
    triggeredAt: dateTime(),
    message: z.string().optional(),
    records: z.array(TriggerHistoryRecordDto),
  })
  .meta({ id: 'TriggerHistoryDto' });
export type TriggerHistoryDto = z.output<typeof TriggerHistoryDto>;

export const TriggerHistoryObjectTriggerSummaryDto = z
  .object({
    triggerUuid: uuid(),
    triggerName: z.string(),
    triggeredAt: dateTime(),
    message: z.string().optional(),
    records: z.array(TriggerHistoryRecordDto),
  })
  .meta({ id: 'TriggerHistoryObjectTriggerSummaryDto' });
export type TriggerHistoryObjectTriggerSummaryDto = z.output<typeof TriggerHistoryObjectTriggerSummaryDto>;

export const TriggerHistoryObjectSummaryDto = z
  .object({
    objectUuid: uuid().optional(),
    referenceObjectUuid: uuid().optional(),
    matched: z.boolean(),
    ignored: z.boolean(),
    triggers: z.array(TriggerHistoryObjectTriggerSummaryDto),
  })
  .meta({ id: 'TriggerHistoryObjectSummaryDto' });
export type TriggerHistoryObjectSummaryDto = z.output<typeof TriggerHistoryObjectSummaryDto>;

/** Outcome for all objects that were evaluated for the object with which the triggers are associated. */
export const TriggerHistorySummaryDto = z
  .object({
    associationResource: Resource,
    associationObjectUuid: z.string(),
    objectsResource: Resource,
    objectsEvaluated: int32(),
    objectsMatched: int32(),
    objectsIgnored: int32(),
    objects: z.array(TriggerHistoryObjectSummaryDto),
  })
  .meta({ id: 'TriggerHistorySummaryDto' });
export type TriggerHistorySummaryDto = z.output<typeof TriggerHistorySummaryDto>;
