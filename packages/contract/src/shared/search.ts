// Search model for lists: filters with their operators, and the searchable fields.
import { z } from 'zod';
import { AttributeContentType } from '../enums/attributes.ts';
import { PlatformEnum } from '../enums/catalog.ts';
import { FilterConditionOperator, FilterFieldSource, FilterFieldType } from '../enums/search.ts';
import { pageFields } from './paging.ts';

/**
 * A condition; all conditions in a request must be met. `fieldIdentifier` is the name of a property, or of an attribute
 * in the form `name|CONTENTTYPE`. The field's type determines the format of `value`; an array matches any of its
 * members.
 */
export const SearchFilterRequestDto = z
  .object({
    fieldSource: FilterFieldSource,
    fieldIdentifier: z.string(),
    condition: FilterConditionOperator,
    value: z.unknown().optional(),
  })
  .meta({ id: 'SearchFilterRequestDto' });
export type SearchFilterRequestDto = z.output<typeof SearchFilterRequestDto>;

export const SearchRequestDto = z
  .object({ filters: z.array(SearchFilterRequestDto).optional(), ...pageFields })
  .meta({ id: 'SearchRequestDto' });
export type SearchRequestDto = z.output<typeof SearchRequestDto>;

/** A field by which a list can be searched. */
export const SearchFieldDataDto = z
  .object({
    fieldIdentifier: z.string(),
    fieldLabel: z.string(),
    type: FilterFieldType,
    conditions: z.array(FilterConditionOperator),
    /** Enumeration whose codes are the possible values. */
    platformEnum: PlatformEnum.optional(),
    attributeContentType: AttributeContentType.optional(),
    /** Values to choose from. */
    value: z.unknown().optional(),
    multiValue: z.boolean().optional(),
  })
  .meta({ id: 'SearchFieldDataDto' });
export type SearchFieldDataDto = z.output<typeof SearchFieldDataDto>;

export const SearchFieldDataByGroupDto = z
  .object({ filterFieldSource: FilterFieldSource, searchFieldData: z.array(SearchFieldDataDto).optional() })
  .meta({ id: 'SearchFieldDataByGroupDto' });
export type SearchFieldDataByGroupDto = z.output<typeof SearchFieldDataByGroupDto>;
