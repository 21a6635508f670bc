// Builds the callback request that fetches choices or further fields for the values entered so far. Pure.
import type { AttributeCallback, AttributeCallbackMapping, RequestAttributeCallback } from '@signetry/contract';
import type { ContentItem } from './attribute-content.ts';

export type CallbackMapping = Pick<RequestAttributeCallback, 'pathVariable' | 'requestParameter' | 'body'>;

/** Returns a field's items; empty if it has no valid value. */
export type ItemsOf = (name: string) => readonly ContentItem[];

/** Returns a callback's values, or undefined if one of them is missing. */
export function mappedValues({ mappings }: AttributeCallback, itemsOf: ItemsOf): CallbackMapping | undefined {
  const values: Record<AttributeCallbackMapping['targets'][number], Record<string, unknown>> = {
    pathVariable: {},
    requestParameter: {},
    body: {},
  };
  for (const { from, to, targets, value } of mappings) {
    const found = value ?? (from === undefined ? undefined : valueAt(from, itemsOf));
    if (found === undefined || found === null || found === '') return undefined;
    for (const target of targets) values[target][to] = found;
  }
  return values;
}

/** Resolves a path such as `profile.data.id` within a field's first item. The name alone refers to the item's data. */
function valueAt(from: string, itemsOf: ItemsOf): unknown {
  const [whole] = itemsOf(from);
  if (whole) return whole.data;
  const [name = '', ...path] = from.split('.');
  const [item] = itemsOf(name);
  if (!item) return undefined;
  const found = path.reduce<unknown>(memberOf, item);
  // Many choices have no display text; their value is displayed instead.
  return found === undefined && path.join('.') === 'reference' ? item.data : found;
}

const memberOf = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? (holder as Readonly<Record<string, unknown>>)[name] // Checked to be an object above.
    : undefined;
