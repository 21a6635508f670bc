// Other uses of a trigger's parts. Only parts that are not used elsewhere are changed or removed with the trigger.
// Pure.
import type { ActionDetailDto, PlacedTrigger, RuleDetailDto } from '@signetry/contract';

export interface Definitions {
  readonly triggers: readonly PlacedTrigger[];
  /** Empty for users who cannot list rules. In that case, only the parts of visible triggers are considered. */
  readonly rules: readonly RuleDetailDto[];
  readonly actions: readonly ActionDetailDto[];
}

/** Names of the objects that use a part, by the part's UUID. */
export interface Usage {
  triggersOfRule(uuid: string): readonly string[];
  triggersOfAction(uuid: string): readonly string[];
  rulesOfCondition(uuid: string): readonly string[];
  actionsOfExecution(uuid: string): readonly string[];
}

interface Part {
  readonly uuid: string;
  readonly name: string;
}

export function usageOf({ triggers, rules, actions }: Definitions): Usage {
  const allRules = distinct([...rules, ...triggers.flatMap((trigger) => trigger.rules)]);
  const allActions = distinct([...actions, ...triggers.flatMap((trigger) => trigger.actions)]);
  const ofRules = usageByPart(triggers, (trigger) => trigger.rules);
  const ofActions = usageByPart(triggers, (trigger) => trigger.actions);
  const ofConditions = usageByPart(allRules, (rule) => rule.conditions);
  const ofExecutions = usageByPart(allActions, (action) => action.executions);
  return {
    triggersOfRule: (uuid) => ofRules.get(uuid) ?? [],
    triggersOfAction: (uuid) => ofActions.get(uuid) ?? [],
    rulesOfCondition: (uuid) => ofConditions.get(uuid) ?? [],
    actionsOfExecution: (uuid) => ofExecutions.get(uuid) ?? [],
  };
}

const distinct = <Whole extends Part>(wholes: readonly Whole[]): readonly Whole[] => [
  ...new Map(wholes.map((whole) => [whole.uuid, whole])).values(),
];

function usageByPart<Whole extends Part>(
  wholes: readonly Whole[],
  partsOf: (whole: Whole) => readonly Part[],
): ReadonlyMap<string, readonly string[]> {
  const byPart = new Map<string, string[]>();
  for (const whole of wholes)
    for (const { uuid } of partsOf(whole)) byPart.set(uuid, [...(byPart.get(uuid) ?? []), whole.name]);
  return byPart;
}
