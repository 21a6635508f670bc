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
import { nameOfField } from '../../kit/filters/filter-fields.ts';
import { codeWords } from '../certificates/filter-words.ts';

/** After `When`. The clauses about the object follow. */
export const eventClauses: Readonly<Record<ResourceEvent, string>> = {
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

/** By themselves, e.g. as choices. */
export const eventWords: Readonly<Record<ResourceEvent, string>> = {
  certificate_discovered: 'A certificate is discovered',
  certificate_expiring: 'A certificate is about to expire',
  certificate_status_changed: 'The validation status of a certificate changes',
  certificate_action_performed: 'A certificate was issued, renewed, rekeyed or revoked',
  certificate_not_compliant: 'A certificate is found not to comply',
  discovery_finished: 'A discovery ends',
  approval_requested: 'An approval is requested',
  approval_closed: 'An approval is decided or expires',
  scheduled_job_finished: 'A scheduled job ends',
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

/** The name of a field that is set, in the middle of a sentence. */
export function nameOfSetField(item: Pick<ExecutionItemDto, 'fieldSource' | 'fieldIdentifier'>): string {
  const { fieldSource = 'property', fieldIdentifier = '' } = item;
  const known: Readonly<Record<string, string>> = {
    RA_PROFILE_NAME: 'RA profile',
    GROUP_NAME: 'group',
    OWNER: 'owner',
    CK_GROUP: 'group',
    CK_OWNER: 'owner',
  };
  if (fieldSource === 'property' && known[fieldIdentifier] !== undefined) return known[fieldIdentifier];
  const name = nameOfField('certificates', { fieldSource, fieldIdentifier });
  return fieldSource === 'property' ? name : `“${name}”`;
}

/** `set the group to “Legacy”`, `notify “Operations”`, `take away the owner`. */
export function wordsOfStep(item: ExecutionItemDto): string {
  const { notificationProfileUuid, notificationProfileName } = item;
  if (notificationProfileUuid !== undefined)
    return notificationProfileName === undefined
      ? 'notify by a notification profile that is not there any more'
      : `notify “${notificationProfileName}”`;
  const name = nameOfSetField(item);
  const values = valuesOf(item.data);
  if (values.length === 0) return `take away the ${name}`;
  return `set the ${values.length > 1 ? plural(name) : name} to ${joined(values.map((value) => `“${value}”`))}`;
}

const plural = (name: string): string => (name.startsWith('“') ? name : `${name}s`);

/** Objects by name, content items by their value. */
export function valuesOf(data: unknown): readonly string[] {
  const given: readonly unknown[] = Array.isArray(data) ? data : data === undefined || data === null ? [] : [data];
  return given.map(wordsOfValue);
}

function wordsOfValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  for (const member of ['name', 'reference', 'data'] as const) {
    const held: unknown = Reflect.get(value, member);
    if (typeof held === 'boolean') return held ? 'yes' : 'no';
    if (typeof held === 'string' || typeof held === 'number') return String(held);
  }
  return JSON.stringify(value);
}

/** `A, B and C`. */
export function joined(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join();
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

export interface Sentence {
  /** `When a certificate is discovered`. */
  readonly when: string;
  /** `whose issuer contains “Corp”`; all of them hold. */
  readonly which: readonly string[];
  /** `set the owner to “ann”`; of an ignore trigger what becomes of the object. */
  readonly then: readonly string[];
}

type Told = Pick<TriggerDetailDto, 'resource' | 'event' | 'ignoreTrigger' | 'rules' | 'actions'> &
  Partial<Pick<PlacedTrigger, 'places'>>;

export function sentenceOf(trigger: Told): Sentence {
  const { resource, ignoreTrigger, actions } = trigger;
  const items = trigger.rules.flatMap(({ conditions }) => conditions.flatMap((condition) => condition.items));
  return {
    when: `When ${whenOf(trigger)}`,
    which: items.map((item) => clauseOfItem(resource, filterOf(item))),
    then: ignoreTrigger
      ? [ignoredWords(trigger)]
      : actions.flatMap(({ executions }) => executions.flatMap((execution) => execution.items.map(wordsOfStep))),
  };
}

/** Events of a trigger: its own, or those that it was associated with. */
export const eventsOf = ({ event, places = [] }: Pick<Told, 'event' | 'places'>): readonly ResourceEvent[] =>
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
export const textOf = ({ when, which, then }: Sentence): string =>
  [which.length === 0 ? when : `${when} ${which.join(' and ')}`, `then ${joined(then)}.`].join(', ');

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
