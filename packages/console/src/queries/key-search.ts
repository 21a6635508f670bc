// Search parameters for the key list: text, filters, page, columns and view. Links and the back button restore the same
// list.
import type { SearchFilterRequestDto } from '@signetry/contract';
import { readFilters } from '../kit/filters/read-filters.ts';
import { readColumns, readPage, readText } from '../kit/list-search.ts';
import { readView, type WithView } from './saved-views.ts';

export interface KeySearch extends WithView {
  /** Text to search for within the name. */
  readonly text?: string;
  readonly filters?: readonly SearchFilterRequestDto[];
  readonly page?: number;
  /** Keys of the columns shown after the name, in order. If absent, the default columns are shown. */
  readonly columns?: readonly string[];
}

/** Reads the search parameters. URLs are untrusted, so malformed parameters are dropped. */
export const readKeySearch = (given: Record<string, unknown>): KeySearch => ({
  ...readText(given['text']),
  ...readFilters(given['filters']),
  ...readPage(given['page']),
  ...readColumns(given['columns']),
  ...readView(given['view']),
});

type KeyField = 'CKI_TYPE' | 'CKI_CRYPTOGRAPHIC_ALGORITHM' | 'CKI_STATE' | 'CK_TOKEN_PROFILE' | 'CK_TOKEN_INSTANCE';

/** Filter for items whose field has one of the values. */
export const keyFilter = (fieldIdentifier: KeyField, values: readonly string[]): SearchFilterRequestDto => ({
  fieldSource: 'property',
  fieldIdentifier,
  condition: 'EQUALS',
  value: values,
});
