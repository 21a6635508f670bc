// A resource's searchable fields, from which clients build their filter forms.
import {
  platformEnums,
  type FilterableResource,
  type PropertyField,
  type SearchFieldDataByGroupDto,
  type SearchFieldDataDto,
} from '@signetry/contract';
import { catalogFields, type FilterField } from './field.ts';

/** Groups in display order. */
const GROUPS = ['custom', 'data', 'meta', 'property'] as const;

/** Where the fields are used: in searches, in rule conditions, or as fields that rules set. */
export type FieldUse = 'search' | 'rules' | 'settable';

export interface PresentOptions {
  readonly fields: readonly FilterField[];
  /** Selectable values of list fields without an enumeration, such as object names or stored values. */
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
  /** Attribute fields, prepared by the attributes area. */
  readonly attributes?: readonly SearchFieldDataByGroupDto[];
  readonly use?: FieldUse;
}

export function presentSearchFields(
  resource: FilterableResource,
  { fields, values = {}, attributes = [], use = 'search' }: PresentOptions,
): SearchFieldDataByGroupDto[] {
  const properties = fields
    .filter((field) => field.source === 'property' && isOffered(catalogFields(resource)[field.identifier], use))
    .map((field) => presentField(resource, field, values[field.identifier]));
  const groups = [...attributes, { filterFieldSource: 'property' as const, searchFieldData: properties }];
  return GROUPS.map((source) => ({
    filterFieldSource: source,
    searchFieldData: groups
      .filter((group) => group.filterFieldSource === source)
      .flatMap((group) => group.searchFieldData ?? [])
      .sort((a, b) => a.fieldLabel.localeCompare(b.fieldLabel, 'en')),
  })).filter((group) => group.searchFieldData.length > 0);
}

function isOffered(facts: PropertyField | undefined, use: FieldUse): boolean {
  if (use === 'settable') return facts?.settable === true;
  return facts?.offered === undefined || facts.offered === use;
}

function presentField(
  resource: FilterableResource,
  field: FilterField,
  values: readonly unknown[] | undefined,
): SearchFieldDataDto {
  const facts = catalogFields(resource)[field.identifier];
  const platformEnum = facts?.platformEnum;
  const choices = platformEnum ? Object.keys(platformEnums[platformEnum].labels) : values;
  return {
    fieldIdentifier: field.identifier,
    fieldLabel: field.label,
    type: field.type,
    conditions: [...field.conditions],
    ...(platformEnum ? { platformEnum } : {}),
    ...(field.type === 'list' ? { value: choices ?? [] } : {}),
    multiValue: facts?.multiValue ?? false,
  };
}
