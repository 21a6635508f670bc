// The search parameters of the list of keys: text, filters, page, columns and view. A link or "back" shows the same
// list.
import type { SearchFilterRequestDto } from '@signetry/contract';
import { readFilters } from '../kit/filters/read-filters.ts';
import { readColumns, readPage, readText } from '../kit/list-search.ts';
import { readView, type InView } from './saved-views.ts';

export interface KeySearch extends InView {
  /** Part of a name. */
  readonly text?: string;
  readonly filters?: readonly SearchFilterRequestDto[];
  readonly page?: number;
  /** Keys of the columns shown beside the name, in order; the usual ones when absent. */
  readonly columns?: readonly string[];
}

/** URLs come from anywhere; parameters that cannot be read are dropped. */
export const readKeySearch = (given: Record<string, unknown>): KeySearch => ({
  ...readText(given['text']),
  ...readFilters(given['filters']),
  ...readPage(given['page']),
  ...readColumns(given['columns']),
  ...readView(given['view']),
});

type KeyField = 'CKI_TYPE' | 'CKI_CRYPTOGRAPHIC_ALGORITHM' | 'CKI_STATE' | 'CK_TOKEN_PROFILE' | 'CK_TOKEN_INSTANCE';

/** Items of which a field has one of the values. */
export const keysWith = (fieldIdentifier: KeyField, values: readonly string[]): SearchFilterRequestDto => ({
  fieldSource: 'property',
  fieldIdentifier,
  condition: 'EQUALS',
  value: values,
});
