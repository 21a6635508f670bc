// A resource's filter fields with their SQL readings, declared once per resource, next to the area's store.
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

/** Returns an attribute field, e.g. `department|STRING` for the source `custom`. */
export type AttributeLookup = (
  source: Exclude<FilterFieldSource, 'property'>,
  identifier: string,
) => SqlField | undefined;

/**
 * Declares a resource's property fields with their readings. A field from the API's catalog that has no reading is not
 * offered and cannot be used in filters.
 */
export function sqlFields<R extends FilterableResource>(
  resource: R,
  readings: { readonly [Identifier in PropertyFieldIdentifier<R>]?: SqlReading },
  attributes?: AttributeLookup,
): SqlFields {
  const identifiers = Object.keys(readings) as PropertyFieldIdentifier<R>[]; // The type allows only these keys.
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
