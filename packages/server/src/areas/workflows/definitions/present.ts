// Presents definitions in the API format.
import type {
  ActionDetailDto,
  ActionDto,
  ConditionDto,
  ExecutionDto,
  Resource,
  RuleDetailDto,
  RuleDto,
  TriggerDetailDto,
  TriggerDto,
} from '@signetry/contract';
import type { TriggerRow } from '../tables.ts';
import type { NestedAction, NestedCondition, NestedExecution, NestedRule, NestedTrigger } from './store-nested.ts';

interface DefinitionFacts {
  readonly uuid: string;
  readonly name: string;
  readonly description: string | null;
  readonly resource: Resource;
}

const presentDescribed = ({ uuid, name, description, resource }: DefinitionFacts) => ({
  uuid,
  name,
  ...(description === null ? {} : { description }),
  resource,
});

/** Names of notification profiles, by UUID. */
export type ProfileNames = ReadonlyMap<string, string>;

export const presentRule = (row: DefinitionFacts): RuleDto => presentDescribed(row);
export const presentAction = (row: DefinitionFacts): ActionDto => presentDescribed(row);

export const presentCondition = (row: NestedCondition): ConditionDto => ({
  ...presentDescribed(row),
  type: row.type,
  items: [...row.items],
});

export const presentExecution = (row: NestedExecution, names: ProfileNames): ExecutionDto => ({
  ...presentDescribed(row),
  type: row.type,
  items: row.items.map((item) => {
    const name = item.notificationProfileUuid && names.get(item.notificationProfileUuid);
    return { ...item, ...(name ? { notificationProfileName: name } : {}) };
  }),
});

export const presentRuleDetail = (row: NestedRule): RuleDetailDto => ({
  ...presentDescribed(row),
  conditions: row.conditions.map(presentCondition),
});

export const presentActionDetail = (row: NestedAction, names: ProfileNames): ActionDetailDto => ({
  ...presentDescribed(row),
  executions: row.executions.map((execution) => presentExecution(execution, names)),
});

export const presentTrigger = (
  row: DefinitionFacts & Pick<TriggerRow, 'type' | 'ignore_trigger' | 'event'>,
): TriggerDto => ({
  ...presentDescribed(row),
  ...(row.type === null ? {} : { type: row.type }),
  ignoreTrigger: row.ignore_trigger,
  ...(row.event === null ? {} : { event: row.event }),
});

export const presentTriggerDetail = (row: NestedTrigger, names: ProfileNames): TriggerDetailDto => ({
  ...presentTrigger(row),
  rules: row.rules.map(presentRuleDetail),
  actions: row.actions.map((action) => presentActionDetail(action, names)),
});
