// The search parameters of the list of keys: text, filters and page. A link or "back" shows the same list.
import type { SearchFilterRequestDto } from '@signetry/contract';
import { readFilters } from '../kit/filters/read-filters.ts';
import { readPage, readText } from '../kit/list-search.ts';

export interface KeySearch {
  /** Part of the name. */
  readonly text?: string;
  readonly filters?: readonly SearchFilterRequestDto[];
  readonly page?: number;
}

/** URLs come from anywhere; parameters that cannot be read are dropped. */
export const readKeySearch = ({ text, filters, page }: Record<string, unknown>): KeySearch => ({
  ...readText(text),
  ...readFilters(filters),
  ...readPage(page),
});

type KeyField = 'CKI_TYPE' | 'CKI_CRYPTOGRAPHIC_ALGORITHM' | 'CKI_STATE' | 'CK_TOKEN_PROFILE' | 'CK_TOKEN_INSTANCE';

/** Items of which a field has one of the values. */
export const keysWith = (fieldIdentifier: KeyField, values: readonly string[]): SearchFilterRequestDto => ({
  fieldSource: 'property',
  fieldIdentifier,
  condition: 'EQUALS',
  value: values,
});
