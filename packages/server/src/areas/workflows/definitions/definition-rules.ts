// Rules of definitions. Pure.
import { isStorableText } from '@signetry/connector-sdk';
import {
  MAX_NAME_LENGTH,
  resourceEventFacts,
  type ConditionItemDto,
  type Resource,
  type TriggerRequestDto,
} from '@signetry/contract';
import { isObject } from '../../../kernel/is-object.ts';
import { isUuid } from '../../../kernel/ids.ts';

/** More than anybody composes by hand. */
export const MAX_PARTS = 100;

/** What is wrong with the number of parts; empty when nothing is. */
export function countProblems(parts: readonly unknown[], what: string): string[] {
  if (parts.length === 0) return [`${what}: at least one is needed`];
  return parts.length > MAX_PARTS ? [`${what}: there are more than ${MAX_PARTS}`] : [];
}

/**
 * Conditions as they are kept. Clients were offered objects with identifier and name as values, and send them back: a
 * condition compares names, as searches do. Operators that compare with nothing keep no value.
 */
export const keptConditions = (items: readonly ConditionItemDto[]): ConditionItemDto[] =>
  items.map(({ fieldSource, fieldIdentifier, operator, value }) => ({
    fieldSource,
    fieldIdentifier,
    operator,
    ...(value === undefined || operator === 'EMPTY' || operator === 'NOT_EMPTY' ? {} : { value: namedValue(value) }),
  }));

const namedValue = (value: unknown): unknown => (Array.isArray(value) ? value.map(nameOrValue) : nameOrValue(value));

const nameOrValue = (value: unknown): unknown =>
  isObject(value) && 'name' in value && typeof value.name === 'string' ? value.name : value;

/** Objects that a property is set to; undefined when the data has another form. None: it is taken away. */
export function readObjects(data: unknown): readonly string[] | undefined {
  const given = Array.isArray(data) ? data : data === undefined || data === null || data === '' ? [] : [data];
  const uuids = given.map(uuidOf);
  return uuids.every((uuid) => uuid !== undefined) ? [...new Set(uuids)] : undefined;
}

function uuidOf(value: unknown): string | undefined {
  const uuid = isObject(value) && 'uuid' in value ? value.uuid : value;
  return typeof uuid === 'string' && isUuid(uuid) ? uuid.toLowerCase() : undefined;
}

/** Content items that a custom attribute is set to, without anything else. None: its values are taken away. */
export function readContent(data: unknown): readonly { readonly data: unknown; readonly reference?: string }[] {
  const given = Array.isArray(data) ? data : data === undefined || data === null ? [] : [data];
  return given.map((item) => {
    if (!isObject(item) || !('data' in item)) return { data: item };
    const reference = 'reference' in item ? item.reference : undefined;
    return { data: item.data, ...(isReference(reference) ? { reference } : {}) };
  });
}

const isReference = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= MAX_NAME_LENGTH && isStorableText(text);

type TriggerFacts = Pick<TriggerRequestDto, 'type' | 'resource' | 'event' | 'ignoreTrigger' | 'actionsUuids'>;

/** What is wrong with a trigger, apart from its parts; empty when nothing is. */
export function triggerProblems({ type, resource, event, ignoreTrigger, actionsUuids = [] }: TriggerFacts): string[] {
  const problems: string[] = [];
  if (type === 'event' && event === undefined) problems.push('event: a trigger of the type event needs one');
  const ofEvent: Resource | undefined = event && resourceEventFacts[event].resource;
  if (ofEvent !== undefined && ofEvent !== resource)
    problems.push(`event: ${event} is about ${ofEvent}, the trigger about ${resource}`);
  if (ignoreTrigger && actionsUuids.length > 0)
    problems.push('actionsUuids: a trigger that ignores objects has no actions');
  if (!ignoreTrigger && actionsUuids.length === 0)
    problems.push('actionsUuids: at least one is needed, unless the trigger ignores objects');
  if (actionsUuids.length > MAX_PARTS) problems.push(`actionsUuids: there are more than ${MAX_PARTS}`);
  return problems;
}
