// Columns of lists and exports that show attributes.
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

/** Refuses what names no attribute by its form; one that is not there has no values. */
export function readShownAttributes(
  asked: readonly ShownAttribute[] = [],
  { context, length }: { readonly context: RequestContext; readonly length: number },
): ShownAttributes {
  const attributes = asked.map(({ fieldSource, fieldIdentifier }) => {
    const name = readAttributeName(fieldIdentifier);
    if (name) return { ...name, source: fieldSource };
    throw rejected(
      `attributes: ${fieldIdentifier} does not name an attribute by its name and its content type, as in team|STRING`,
    );
  });
  const usable = visibleObjects(context.actor.permissions, 'attributes', 'members');
  return { asked, query: { attributes, usable, length } };
}

/** By certificate: the values of each attribute that it has some of. The same value is shown once. */
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
