// Validation of definitions. Pure.
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

/** Far more parts than a manually created definition needs. */
export const MAX_PARTS = 100;

/** Returns problems with the number of parts; empty if there are none. */
export function countProblems(parts: readonly unknown[], what: string): string[] {
  if (parts.length === 0) return [`${what}: specify at least one`];
  return parts.length > MAX_PARTS ? [`${what}: at most ${MAX_PARTS} are allowed`] : [];
}

/**
 * Converts conditions to their stored form. Clients are offered objects with an identifier and a name as values and
 * send them back, but conditions compare names, as searches do. Operators without an operand store no value.
 */
export const toStoredConditions = (items: readonly ConditionItemDto[]): ConditionItemDto[] =>
  items.map(({ fieldSource, fieldIdentifier, operator, value }) => ({
    fieldSource,
    fieldIdentifier,
    operator,
    ...(value === undefined || operator === 'EMPTY' || operator === 'NOT_EMPTY' ? {} : { value: namedValue(value) }),
  }));

const namedValue = (value: unknown): unknown => (Array.isArray(value) ? value.map(nameOrValue) : nameOrValue(value));

const nameOrValue = (value: unknown): unknown =>
  isObject(value) && 'name' in value && typeof value.name === 'string' ? value.name : value;

/**
 * Returns the objects that a property is set to; undefined if the data is in a different format. An empty array clears
 * the property.
 */
export function readObjects(data: unknown): readonly string[] | undefined {
  const given = Array.isArray(data) ? data : data === undefined || data === null || data === '' ? [] : [data];
  const uuids = given.map(uuidOf);
  return uuids.every((uuid) => uuid !== undefined) ? [...new Set(uuids)] : undefined;
}

function uuidOf(value: unknown): string | undefined {
  const uuid = isObject(value) && 'uuid' in value ? value.uuid : value;
  return typeof uuid === 'string' && isUuid(uuid) ? uuid.toLowerCase() : undefined;
}

/**
 * Returns the content items that a custom attribute is set to, without their other members. An empty array clears the
 * attribute's values.
 */
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

/** Returns problems with a trigger, except those with its parts; empty if there are none. */
export function triggerProblems({ type, resource, event, ignoreTrigger, actionsUuids = [] }: TriggerFacts): string[] {
  const problems: string[] = [];
  if (type === 'event' && event === undefined) problems.push('event: required for a trigger of type event');
  const ofEvent: Resource | undefined = event && resourceEventFacts[event].resource;
  if (ofEvent !== undefined && ofEvent !== resource)
    problems.push(`event: ${event} applies to ${ofEvent}, but the trigger applies to ${resource}`);
  if (ignoreTrigger && actionsUuids.length > 0)
    problems.push('actionsUuids: a trigger that ignores objects cannot have actions');
  if (!ignoreTrigger && actionsUuids.length === 0)
    problems.push('actionsUuids: specify at least one, unless the trigger ignores objects');
  if (actionsUuids.length > MAX_PARTS) problems.push(`actionsUuids: at most ${MAX_PARTS} are allowed`);
  return problems;
}
