// Filterable fields: wire type and form of the values. How a field is read is defined elsewhere: by SQL in
// platform/database/filter, or by a function if objects are tested in memory.
import {
  propertyFields,
  type FilterableResource,
  type FilterConditionOperator,
  type FilterFieldSource,
  type FilterFieldType,
  type PropertyField,
  type PropertyFieldIdentifier,
} from '@signetry/contract';

/** Form of a single value. A field of type `list` contains values in any of these forms. */
export type ValueType = 'text' | 'number' | 'boolean' | 'date' | 'time' | 'datetime';

/** Single value: dates are `yyyy-MM-dd`, times `HH:mm:ss`, instants `Date`. */
export type Scalar = string | number | boolean | Date;

/** A field's value: a single value, which can be absent, or the values of a collection. */
export type FieldValue = Scalar | null | readonly Scalar[];

export interface FilterField {
  readonly source: FilterFieldSource;
  readonly identifier: string;
  readonly label: string;
  readonly type: FilterFieldType;
  readonly valueType: ValueType;
  /**
   * Whether the field is a collection. A condition matches if any of its values does; a negated condition matches if
   * none of them does.
   */
  readonly many: boolean;
  /** Supported operators, in display order. */
  readonly conditions: readonly FilterConditionOperator[];
}

/** Returns a resource's field, or `undefined` if the resource has no field with this name. */
export type FieldLookup<Field extends FilterField = FilterField> = (
  source: FilterFieldSource,
  identifier: string,
) => Field | undefined;

const valueTypes: Readonly<Record<FilterFieldType, ValueType>> = {
  string: 'text',
  list: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
};

export interface FieldShape {
  readonly many?: boolean;
  /** Set if the value type does not follow from the field type, e.g. for a list of numbers. */
  readonly valueType?: ValueType;
}

/** Returns a property field from the API's catalog. */
export function propertyField<R extends FilterableResource>(
  resource: R,
  identifier: PropertyFieldIdentifier<R>,
  shape: FieldShape = {},
): FilterField {
  // The identifier is one of the catalog's keys.
  const facts: PropertyField = catalogFields(resource)[identifier] as PropertyField;
  return {
    source: 'property',
    identifier,
    label: facts.label,
    type: facts.type,
    valueType: shape.valueType ?? valueTypes[facts.type],
    many: shape.many ?? false,
    conditions: facts.conditions,
  };
}

/** Returns a resource's property fields, typed so that any string can be used as an index. */
export const catalogFields = (resource: FilterableResource): Readonly<Record<string, PropertyField>> =>
  propertyFields[resource];
