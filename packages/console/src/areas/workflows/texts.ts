// Text for automation: events, assignments, steps, and whole triggers as sentences. Pure.
import {
  resourceEventFacts,
  type ConditionItemDto,
  type ExecutionItemDto,
  type PlacedTrigger,
  type Resource,
  type ResourceEvent,
  type SearchFilterRequestDto,
  type TriggerDetailDto,
  type TriggerPlace,
} from '@signetry/contract';
import { clauseOf } from '../../kit/filters/clause-text.ts';
import { codeTexts } from '../certificates/filter-text.ts';
import { eventTexts, formatList, nameOfSetField, describeStep } from '../evaluations/texts.ts';

/** Used after `When`, and followed by the clauses about the object. */
const eventClauses: Readonly<Record<ResourceEvent, string>> = {
  certificate_discovered: 'a certificate is discovered',
  certificate_expiring: 'a certificate is about to expire',
  certificate_status_changed: 'the validation status changes for a certificate',
  certificate_action_performed: 'an action is performed on a certificate',
  certificate_not_compliant: 'a compliance violation is found in a certificate',
  discovery_finished: 'a discovery finishes',
  approval_requested: 'an approval is requested',
  approval_closed: 'an approval is decided or expires',
  scheduled_job_finished: 'a scheduled job finishes',
};

const subjects: Partial<Readonly<Record<Resource, string>>> = {
  certificates: 'a certificate',
  keys: 'a key',
  discoveries: 'a discovery',
  approvals: 'an approval',
  jobs: 'a scheduled job',
};

export const subjectOf = (resource: Resource): string => subjects[resource] ?? 'an object';

/** Converts a trigger condition to a list filter, which names its members differently. */
export const filterOf = ({ operator: condition, ...item }: ConditionItemDto): SearchFilterRequestDto => ({
  ...item,
  condition,
});

export const itemOf = ({ condition: operator, ...filter }: SearchFilterRequestDto): ConditionItemDto => ({
  ...filter,
  operator,
});

export const clauseOfItem = (resource: Resource, filter: SearchFilterRequestDto): string =>
  clauseOf(resource, filter, resource === 'certificates' ? codeTexts : {});

export interface Sentence {
  /** For example, `When a certificate is discovered`. */
  readonly when: string;
  /** For example, `whose issuer contains “Corp”`. All clauses must match. */
  readonly which: readonly string[];
  /** For example, `set the owner to “ann”`. For an ignore trigger, the effect on the object. */
  readonly done: readonly string[];
}

type DescribedTrigger = Pick<TriggerDetailDto, 'resource' | 'event' | 'ignoreTrigger' | 'rules' | 'actions'> &
  Partial<Pick<PlacedTrigger, 'places'>>;

export function sentenceOf(trigger: DescribedTrigger): Sentence {
  const { resource, ignoreTrigger, actions } = trigger;
  const items = trigger.rules.flatMap(({ conditions }) => conditions.flatMap((condition) => condition.items));
  return {
    when: `When ${whenOf(trigger)}`,
    which: items.map((item) => clauseOfItem(resource, filterOf(item))),
    done: ignoreTrigger
      ? [describeExclusion(trigger)]
      : actions.flatMap(({ executions }) => executions.flatMap((execution) => execution.items.map(describeStep))),
  };
}

interface EnteredTrigger {
  readonly resource: Resource;
  readonly event: ResourceEvent | null;
  readonly ignores: boolean;
  readonly blocks: readonly { readonly resource: Resource; readonly items: readonly SearchFilterRequestDto[] }[];
  readonly steps: readonly { readonly item: ExecutionItemDto }[];
}

/** Returns the sentence for the form values, with ellipses in place of missing values. */
export function sentenceOfValues({ resource, event, ignores, blocks, steps }: EnteredTrigger): Sentence {
  return {
    when: `When ${event === null ? '…' : eventClauses[event]}`,
    which: blocks.flatMap(({ items }) => items.map((item) => clauseOfItem(resource, item))),
    done: ignores
      ? [describeExclusion({ resource, ...(event && { event }), ignoreTrigger: true, rules: [], actions: [] })]
      : steps.length === 0
        ? ['…']
        : steps.map(({ item }) => describeOpenStep(item)),
  };
}

function describeOpenStep(item: ExecutionItemDto): string {
  if (item.fieldSource === undefined) return item.notificationProfileUuid ? describeStep(item) : 'notify …';
  return item.data === undefined ? `set the ${nameOfSetField(item)} to …` : describeStep(item);
}

/** Returns a trigger's events: its own event, or those of its assignments. */
const eventsOf = ({ event, places = [] }: Pick<DescribedTrigger, 'event' | 'places'>): readonly ResourceEvent[] =>
  event ? [event] : [...new Set(places.map((place) => place.event))];

function whenOf(trigger: DescribedTrigger): string {
  const events = eventsOf(trigger);
  if (events.length === 0) return `the rule is evaluated for ${subjectOf(trigger.resource)}`;
  return events.map((event) => eventClauses[event]).join(' or ');
}

const describeExclusion = (trigger: DescribedTrigger): string =>
  eventsOf(trigger).every((event) => event === 'certificate_discovered')
    ? 'exclude it from the inventory'
    : 'stop processing rules';

/** Formats the sentence as a single line, e.g. for search or screen readers. */
export const textOf = ({ when, which, done }: Sentence): string =>
  [which.length === 0 ? when : `${when} ${which.join(' and ')}`, `then ${formatList(done)}.`].join(', ');

const places: Partial<Readonly<Record<Resource, string>>> = {
  raProfiles: 'RA profile',
  groups: 'Group',
  discoveries: 'Discovery',
};

/** Returns text such as `Everywhere` or `RA profile web`. */
export function describeAssignment({ resource, objectUuid, objectName }: TriggerPlace): string {
  if (resource === undefined) return 'Everywhere';
  return `${places[resource] ?? resource} ${objectName ?? objectUuid ?? ''}`;
}

/** Events that rules can be created for, most common first, each with the resource it refers to. */
export const EVENTS = (Object.keys(eventTexts) as ResourceEvent[]).map((event) => ({
  event,
  resource: resourceEventFacts[event].resource,
  words: eventTexts[event],
}));
