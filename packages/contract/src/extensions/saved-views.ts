// Saved list views: a user's stored searches and how their results are presented. Not part of the published interface.
import { z } from 'zod';
import { FilterConditionOperator, FilterFieldSource } from '../enums/search.ts';
import { operations } from '../operations.ts';
import { dateTime, line, objectName } from '../primitives.ts';
import { propertyFields, type FilterableResource } from '../shared/filter-fields.ts';
import { MAX_SEARCH_TEXT_LENGTH, MAX_SORT_FIELDS, SortDirection } from './certificate-search.ts';

/** Maximum number of views per user, across all lists. */
export const MAX_SAVED_VIEWS = 100;
export const MAX_SAVED_VIEW_NAME_LENGTH = 100;
/** Maximum size of a view, in characters of JSON. */
export const MAX_SAVED_VIEW_SIZE = 32_768;
/** Same limit as for a search. */
const MAX_FILTERS = 100;
const MAX_FILTER_VALUES = 1_000;
const MAX_COLUMNS = 100;

/** Resources whose lists can be filtered. */
export const SavedViewResource = z
  .enum(Object.keys(propertyFields) as [FilterableResource, ...FilterableResource[]]) // Never empty.
  .meta({ id: 'SavedViewResource' });
export type SavedViewResource = z.output<typeof SavedViewResource>;

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** A search filter. It is validated when the search runs, since fields can be added and removed. */
export const SavedFilter = z
  .object({
    fieldSource: FilterFieldSource,
    fieldIdentifier: z.string(),
    condition: FilterConditionOperator,
    value: z.union([scalar, z.array(scalar).max(MAX_FILTER_VALUES)]).optional(),
  })
  .meta({ id: 'SavedFilter' });
export type SavedFilter = z.output<typeof SavedFilter>;

/** Content of a view. Sort fields and columns are defined by the list that the view belongs to. */
export const SavedSearch = z
  .object({
    text: z.string().max(MAX_SEARCH_TEXT_LENGTH).optional(),
    filters: z.array(SavedFilter).max(MAX_FILTERS).optional(),
    sort: z
      .array(z.object({ field: line(), direction: SortDirection }))
      .max(MAX_SORT_FIELDS)
      .optional(),
    /** In display order. Default: the standard columns. */
    columns: z.array(line()).max(MAX_COLUMNS).optional(),
    includeArchived: z.boolean().optional(),
  })
  .refine((search) => JSON.stringify(search).length <= MAX_SAVED_VIEW_SIZE, {
    message: `must not be longer than ${MAX_SAVED_VIEW_SIZE} characters in JSON`,
  })
  .meta({ id: 'SavedSearch' });
export type SavedSearch = z.output<typeof SavedSearch>;

const changeable = {
  /** Unique among the user's views of the list. */
  name: objectName().max(MAX_SAVED_VIEW_NAME_LENGTH),
  search: SavedSearch,
  /**
   * Shown when the list is opened without a search. A list has at most one default view: the one most recently marked
   * as default.
   */
  isDefault: z.boolean().default(false),
};

export const SavedViewUpdate = z.object(changeable).meta({ id: 'SavedViewUpdate' });
export type SavedViewUpdate = z.output<typeof SavedViewUpdate>;

export const SavedViewRequest = z
  .object({ resource: SavedViewResource, ...changeable })
  .meta({ id: 'SavedViewRequest' });
export type SavedViewRequest = z.output<typeof SavedViewRequest>;

export const SavedView = z
  .object({
    uuid: z.string(),
    resource: SavedViewResource,
    name: z.string(),
    search: SavedSearch,
    isDefault: z.boolean(),
    createdAt: dateTime(),
    updatedAt: dateTime(),
  })
  .meta({ id: 'SavedView' });
export type SavedView = z.output<typeof SavedView>;

export const savedViewOperations = operations(
  { tag: 'Saved Views', resource: 'users', module: 'auth', errors: [400, 401, 403, 404, 422, 500] },
  {
    listSavedViews: {
      route: 'GET /x/v1/savedViews',
      summary: 'List your saved views by name',
      query: z.object({ resource: SavedViewResource.optional() }),
      answer: z.array(SavedView),
      errors: [400, 401, 403, 422, 500],
      access: 'authenticated',
    },
    createSavedView: {
      route: 'POST /x/v1/savedViews',
      summary: 'Save a view of a list',
      body: SavedViewRequest,
      created: SavedView,
      errors: [400, 401, 403, 422, 500],
      access: 'authenticated',
      audit: 'create',
    },
    updateSavedView: {
      route: 'PUT /x/v1/savedViews/{uuid}',
      summary: 'Replace one of your saved views',
      body: SavedViewUpdate,
      answer: SavedView,
      access: 'authenticated',
      audit: 'update',
    },
    deleteSavedView: {
      route: 'DELETE /x/v1/savedViews/{uuid}',
      summary: 'Delete one of your saved views',
      errors: [400, 401, 403, 404, 500],
      access: 'authenticated',
      audit: 'delete',
    },
  },
);
