// The filter fields of a resource with their SQL readings: declared once per resource, next to the area's store.
import type { FilterableResource, FilterFieldSource, PropertyFieldIdentifier } from '@signetry/contract';
import { propertyField, type FieldLookup, type FilterField } from '../../../kernel/filter/field.ts';
import { isManyValued, type SqlReading } from './reading.ts';

/** A filter field that the compiler can read. */
export interface SqlField extends FilterField {
  readonly reading: SqlReading;
}

export interface SqlFields {
  readonly fields: readonly SqlField[];
  readonly lookup: FieldLookup<SqlField>;
}

/** Finds an attribute field, e.g. `department|STRING` of source `custom`. */
export type AttributeLookup = (
  source: Exclude<FilterFieldSource, 'property'>,
  identifier: string,
) => SqlField | undefined;

/**
 * Declares the property fields of a resource by their readings. A field of the interface's catalogue that is left out
 * cannot be filtered by and is not offered.
 */
export function sqlFields<R extends FilterableResource>(
  resource: R,
  readings: { readonly [Identifier in PropertyFieldIdentifier<R>]?: SqlReading },
  attributes?: AttributeLookup,
): SqlFields {
  const identifiers = Object.keys(readings) as PropertyFieldIdentifier<R>[]; // the keys that the type allows
  const fields = identifiers.flatMap((identifier) => {
    const reading = readings[identifier];
    return reading ? [propertyWithReading(resource, identifier, reading)] : [];
  });
  const byIdentifier = new Map(fields.map((field) => [field.identifier, field]));
  return {
    fields,
    lookup: (source, identifier) =>
      source === 'property' ? byIdentifier.get(identifier) : attributes?.(source, identifier),
  };
}

function propertyWithReading<R extends FilterableResource>(
  resource: R,
  identifier: PropertyFieldIdentifier<R>,
  reading: SqlReading,
): SqlField {
  const valueType = 'valueType' in reading ? reading.valueType : undefined;
  const shape = { many: isManyValued(reading), ...(valueType ? { valueType } : {}) };
  return { ...propertyField(resource, identifier, shape), reading };
}
