// Attribute columns of lists and exports.
import type { ShownAttribute, ShownAttributeValues } from '@signetry/contract';
import { visibleObjects, type RequestContext } from '../../../kernel/actor.ts';
import { rejected } from '../../../kernel/errors.ts';
import { readAttributeName } from '../../../kernel/filter/attribute-name.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { findShownValues, type ShownAttributesQuery } from './store-shown-attributes.ts';

export interface ShownAttributes {
  readonly asked: readonly ShownAttribute[];
  readonly query: ShownAttributesQuery;
}

/** Rejects malformed attribute identifiers; a nonexistent attribute has no values. */
export function readShownAttributes(
  asked: readonly ShownAttribute[] = [],
  { context, length }: { readonly context: RequestContext; readonly length: number },
): ShownAttributes {
  const attributes = asked.map(({ fieldSource, fieldIdentifier }) => {
    const name = readAttributeName(fieldIdentifier);
    if (name) return { ...name, source: fieldSource };
    throw rejected(`attributes: ${fieldIdentifier} must be an attribute name and its content type, e.g. team|STRING`);
  });
  const usable = visibleObjects(context.actor.permissions, 'attributes', 'members');
  return { asked, query: { attributes, usable, length } };
}

/** Returns, by certificate, the distinct values of each requested attribute. */
export async function shownValuesOf(
  executor: Executor,
  uuids: readonly string[],
  { asked, query }: ShownAttributes,
): Promise<ReadonlyMap<string, ShownAttributeValues[]>> {
  const rows = await findShownValues(executor, uuids, query);
  const byCertificate = Map.groupBy(rows, (row) => row.object_uuid);
  return new Map(
    [...byCertificate].map(([uuid, own]) => [
      uuid,
      asked.flatMap((attribute, place) => {
        const values = new Set(own.filter((row) => row.place === place).map(({ value }) => value));
        return values.size === 0 ? [] : [{ ...attribute, values: [...values] }];
      }),
    ]),
  );
}
