// Prepares trigger conditions and evaluates them for many objects. Conditions have the same meaning as in a search.
import type { Resource } from '@signetry/contract';
import { isAppError, problemsOf } from '../../../kernel/errors.ts';
import type { FilterCondition } from '../../../kernel/filter/condition.ts';
import { satisfiesAll } from '../../../kernel/filter/evaluate.ts';
import type { FieldLookup } from '../../../kernel/filter/field.ts';
import type { ObjectValues } from '../../../platform/database/filter/read-values.ts';
import type { SqlField } from '../../../platform/database/filter/sql-fields.ts';
import type { NestedCondition, NestedRule, NestedTrigger } from '../definitions/store-nested.ts';
import { matchesPattern, readConditions } from '../read-conditions.ts';
import { OTHER_RESOURCE, HOLDS } from './tables.ts';

/** A condition item with its parsed filter, or the reason why it cannot be evaluated. */
export interface PreparedItem {
  readonly rule: NestedRule;
  readonly condition: NestedCondition;
  readonly item: NestedCondition['items'][number];
  readonly asks: FilterCondition<SqlField> | { readonly problem: string };
}

export interface PreparedTrigger {
  readonly trigger: NestedTrigger;
  readonly items: readonly PreparedItem[];
  /** Whether the trigger has rules, but none for objects of this kind, so that it never applies. */
  readonly isAboutOthers: boolean;
}

export interface PreparationOptions {
  readonly resource: Resource;
  readonly lookup: FieldLookup<SqlField>;
  /** Reference time for durations. */
  readonly now: Date;
}

export function prepareTrigger(trigger: NestedTrigger, { resource, ...options }: PreparationOptions): PreparedTrigger {
  const items = itemsAbout(trigger, resource).map((each) => ({ ...each, asks: readItem(each.item, options) }));
  const isAboutOthers = trigger.rules.length > 0 && !trigger.rules.some((rule) => isAbout(rule.resource, resource));
  return { trigger, items, isAboutOthers };
}

/** Returns a trigger's condition items that apply to objects of the resource, in order. */
export const itemsAbout = (trigger: NestedTrigger, resource: Resource): Omit<PreparedItem, 'asks'>[] =>
  trigger.rules
    .filter((rule) => isAbout(rule.resource, resource))
    .flatMap((rule) =>
      rule.conditions
        .filter((condition) => isAbout(condition.resource, resource))
        .flatMap((condition) => condition.items.map((item) => ({ rule, condition, item }))),
    );

const isAbout = (resource: Resource, asked: Resource): boolean => resource === asked || resource === 'ANY';

function readItem(
  item: PreparedItem['item'],
  options: Pick<PreparationOptions, 'lookup' | 'now'>,
): PreparedItem['asks'] {
  try {
    return readConditions([item], options)[0] ?? { problem: 'There is nothing to compare.' };
  } catch (error) {
    // A field can be removed after the condition was created, e.g. with its attribute.
    if (isAppError(error)) return { problem: problemsOf(error).join('; ') };
    throw error;
  }
}

/** Returns the fields that the conditions compare. */
export function fieldsOf(triggers: readonly PreparedTrigger[]): SqlField[] {
  const fields = new Map<string, SqlField>();
  for (const { items } of triggers)
    for (const { asks } of items)
      if ('field' in asks) fields.set(`${asks.field.source} ${asks.field.identifier}`, asks.field);
  return [...fields.values()];
}

/** Returns HOLDS, the position of the first item that does not hold (from 1), or OTHER_RESOURCE. */
export function outcomeOf({ items, isAboutOthers }: PreparedTrigger, values: ValuesByName): number {
  if (isAboutOthers) return OTHER_RESOURCE;
  for (const [index, { asks }] of items.entries()) if (!holds(asks, values)) return index + 1;
  return HOLDS;
}

/** Each trigger can have its own instance of the same field, so values are found by name. */
export type ValuesByName = (field: SqlField) => ReturnType<ObjectValues['get']>;

export function valuesByName(values: ObjectValues): ValuesByName {
  const byName = new Map([...values].map(([{ source, identifier }, value]) => [`${source} ${identifier}`, value]));
  return ({ source, identifier }) => byName.get(`${source} ${identifier}`);
}

function holds(asks: PreparedItem['asks'], values: ValuesByName): boolean {
  if ('problem' in asks) return false;
  try {
    return satisfiesAll([asks], { read: (field) => values(field) ?? null, matches: matchesPattern });
  } catch {
    // The text exceeds the limits of pattern matching.
    return false;
  }
}
