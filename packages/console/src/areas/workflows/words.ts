// Automation in words: events, places, what is done, and a whole trigger as a sentence. Pure.
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
import { clauseOf } from '../../kit/filters/clause-words.ts';
import { codeWords } from '../certificates/filter-words.ts';
import { eventWords, joined, nameOfSetField, wordsOfStep } from '../evaluations/words.ts';

/** After `When`. The clauses about the object follow. */
const eventClauses: Readonly<Record<ResourceEvent, string>> = {
  certificate_discovered: 'a certificate is discovered',
  certificate_expiring: 'a certificate is about to expire',
  certificate_status_changed: 'the validation status changes of a certificate',
  certificate_action_performed: 'an action was performed on a certificate',
  certificate_not_compliant: 'a check finds a breach of rules in a certificate',
  discovery_finished: 'a discovery ends',
  approval_requested: 'an approval is requested',
  approval_closed: 'an approval is decided or expires',
  scheduled_job_finished: 'a scheduled job ends',
};

const subjects: Partial<Readonly<Record<Resource, string>>> = {
  certificates: 'a certificate',
  keys: 'a key',
  discoveries: 'a discovery',
  approvals: 'an approval',
  jobs: 'a scheduled job',
};

export const subjectOf = (resource: Resource): string => subjects[resource] ?? 'an object';

/** Of the definitions of triggers, with what the interface calls otherwise than lists. */
export const filterOf = ({ operator: condition, ...item }: ConditionItemDto): SearchFilterRequestDto => ({
  ...item,
  condition,
});

export const itemOf = ({ condition: operator, ...filter }: SearchFilterRequestDto): ConditionItemDto => ({
  ...filter,
  operator,
});

export const clauseOfItem = (resource: Resource, filter: SearchFilterRequestDto): string =>
  clauseOf(resource, filter, resource === 'certificates' ? codeWords : {});

export interface Sentence {
  /** `When a certificate is discovered`. */
  readonly when: string;
  /** `whose issuer contains “Corp”`; all of them hold. */
  readonly which: readonly string[];
  /** `set the owner to “ann”`; of an ignore trigger what becomes of the object. */
  readonly done: readonly string[];
}

type Told = Pick<TriggerDetailDto, 'resource' | 'event' | 'ignoreTrigger' | 'rules' | 'actions'> &
  Partial<Pick<PlacedTrigger, 'places'>>;

export function sentenceOf(trigger: Told): Sentence {
  const { resource, ignoreTrigger, actions } = trigger;
  const items = trigger.rules.flatMap(({ conditions }) => conditions.flatMap((condition) => condition.items));
  return {
    when: `When ${whenOf(trigger)}`,
    which: items.map((item) => clauseOfItem(resource, filterOf(item))),
    done: ignoreTrigger
      ? [ignoredWords(trigger)]
      : actions.flatMap(({ executions }) => executions.flatMap((execution) => execution.items.map(wordsOfStep))),
  };
}

interface EnteredTrigger {
  readonly resource: Resource;
  readonly event: ResourceEvent | null;
  readonly ignores: boolean;
  readonly blocks: readonly { readonly resource: Resource; readonly items: readonly SearchFilterRequestDto[] }[];
  readonly steps: readonly { readonly item: ExecutionItemDto }[];
}

/** Of a form, with what is still open as dots. */
export function sentenceOfValues({ resource, event, ignores, blocks, steps }: EnteredTrigger): Sentence {
  return {
    when: `When ${event === null ? '…' : eventClauses[event]}`,
    which: blocks.flatMap(({ items }) => items.map((item) => clauseOfItem(resource, item))),
    done: ignores
      ? [ignoredWords({ resource, ...(event && { event }), ignoreTrigger: true, rules: [], actions: [] })]
      : steps.length === 0
        ? ['…']
        : steps.map(({ item }) => wordsOfOpenStep(item)),
  };
}

function wordsOfOpenStep(item: ExecutionItemDto): string {
  if (item.fieldSource === undefined) return item.notificationProfileUuid ? wordsOfStep(item) : 'notify …';
  return item.data === undefined ? `set the ${nameOfSetField(item)} to …` : wordsOfStep(item);
}

/** Events of a trigger: its own, or those that it was associated with. */
const eventsOf = ({ event, places = [] }: Pick<Told, 'event' | 'places'>): readonly ResourceEvent[] =>
  event ? [event] : [...new Set(places.map((place) => place.event))];

function whenOf(trigger: Told): string {
  const events = eventsOf(trigger);
  if (events.length === 0) return `it is asked about ${subjectOf(trigger.resource)}`;
  return events.map((event) => eventClauses[event]).join(' or ');
}

const ignoredWords = (trigger: Told): string =>
  eventsOf(trigger).every((event) => event === 'certificate_discovered')
    ? 'it is left out of the inventory'
    : 'nothing else is done at this place';

/** On one line, e.g. to be searched or read aloud. */
export const textOf = ({ when, which, done }: Sentence): string =>
  [which.length === 0 ? when : `${when} ${which.join(' and ')}`, `then ${joined(done)}.`].join(', ');

const places: Partial<Readonly<Record<Resource, string>>> = {
  raProfiles: 'RA profile',
  groups: 'Group',
  discoveries: 'Discovery',
};

/** `Everywhere`, `RA profile web`. */
export function wordsOfPlace({ resource, objectUuid, objectName }: TriggerPlace): string {
  if (resource === undefined) return 'Everywhere';
  return `${places[resource] ?? resource} ${objectName ?? objectUuid ?? ''}`;
}

/** Events that things can be done at, the most usual first, with the resource that they are about. */
export const EVENTS = (Object.keys(eventWords) as ResourceEvent[]).map((event) => ({
  event,
  resource: resourceEventFacts[event].resource,
  words: eventWords[event],
}));
