// What can be filtered by: a field with its type on the wire and the form of its values. How a field is read is said
// elsewhere: by SQL in platform/database/filter, by a function where objects are tested in memory.
import {
  propertyFields,
  type FilterableResource,
  type FilterConditionOperator,
  type FilterFieldSource,
  type FilterFieldType,
  type PropertyField,
  type PropertyFieldIdentifier,
} from '@signetry/contract';

/** Form of a single value. A field of type `list` holds values of any of these forms. */
export type ValueType = 'text' | 'number' | 'boolean' | 'date' | 'time' | 'datetime';

/** A single value: dates are `yyyy-MM-dd`, times `HH:mm:ss`, instants `Date`. */
export type Scalar = string | number | boolean | Date;

/** Value of a field of an object: one that may be absent, or the values of a collection. */
export type FieldValue = Scalar | null | readonly Scalar[];

export interface FilterField {
  readonly source: FilterFieldSource;
  readonly identifier: string;
  readonly label: string;
  readonly type: FilterFieldType;
  readonly valueType: ValueType;
  /** The field is a collection: a condition holds when any of its values fulfils it, a negated one when none does. */
  readonly many: boolean;
  /** Operators that may be used, in the order they are offered. */
  readonly conditions: readonly FilterConditionOperator[];
}

/** Finds a field of a resource, or `undefined` when the resource has none of this name. */
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
  /** When it does not follow from the type: a list of numbers. */
  readonly valueType?: ValueType;
}

/** A property field of the interface's catalogue. */
export function propertyField<R extends FilterableResource>(
  resource: R,
  identifier: PropertyFieldIdentifier<R>,
  shape: FieldShape = {},
): FilterField {
  const facts: PropertyField = catalogued(resource)[identifier] as PropertyField; // the identifier is one of its keys
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

/** Facts of the property fields of a resource, under a type that can be indexed by text. */
export const catalogued = (resource: FilterableResource): Readonly<Record<string, PropertyField>> =>
  propertyFields[resource];
