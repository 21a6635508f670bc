// Search parameters for the inventory: text, filters, sort order, page, columns and view. Links and the back button
// restore the same list.
import {
  MAX_SHOWN_ATTRIBUTES,
  type CertificateSortField,
  type SearchFilterRequestDto,
  type ShownAttribute,
} from '@signetry/contract';
import { readFilters } from '../kit/filters/read-filters.ts';
import { readColumns, readPage, readText } from '../kit/list-search.ts';
import { readView, type WithView } from './saved-views.ts';

export interface CertificateSearch extends WithView {
  readonly text?: string;
  readonly filters?: readonly SearchFilterRequestDto[];
  readonly sort?: CertificateSortField;
  readonly direction?: 'asc' | 'desc';
  readonly page?: number;
  readonly size?: number;
  /** Keys of the columns shown after the name, in order. If absent, the default columns are shown. */
  readonly columns?: readonly string[];
  /** Whether archived certificates are included. */
  readonly archived?: true;
}

/**
 * Returns the attribute shown in a column. Attribute columns have the same keys as attribute filters:
 * `custom:team|STRING`, `meta:host|STRING`.
 */
export function attributeOfColumn(key: string): ShownAttribute | undefined {
  const fieldSource = (['custom', 'meta'] as const).find((source) => key.startsWith(`${source}:`));
  const fieldIdentifier = key.slice((fieldSource?.length ?? 0) + 1);
  return fieldSource && /.\|[A-Z]+$/.test(fieldIdentifier) ? { fieldSource, fieldIdentifier } : undefined;
}

/** Returns the columns' attributes, limited to the number that the platform returns per request. */
export const attributesOf = (columns: readonly string[] = []): ShownAttribute[] =>
  [...new Set(columns)].flatMap((key) => attributeOfColumn(key) ?? []).slice(0, MAX_SHOWN_ATTRIBUTES);

/** A record, so that the compiler reports missing fields. */
const sortFields: Readonly<Record<CertificateSortField, true>> = {
  commonName: true,
  notAfter: true,
  notBefore: true,
  createdAt: true,
  state: true,
  validationStatus: true,
  issuerCommonName: true,
  raProfile: true,
  keySize: true,
  serialNumber: true,
};
const isSortField = (name: unknown): name is CertificateSortField =>
  typeof name === 'string' && Object.hasOwn(sortFields, name);

export const PAGE_SIZES = [25, 50, 100, 1000] as const;
export const DEFAULT_SIZE = 50;

/** Reads the search parameters. URLs are untrusted, so malformed parameters are dropped. */
export function readCertificateSearch(given: Record<string, unknown>): CertificateSearch {
  const { text, filters, sort, direction, page, size, columns, archived, view } = given;
  return {
    ...readText(text),
    ...readFilters(filters),
    ...(isSortField(sort) ? { sort } : {}),
    ...(direction === 'asc' || direction === 'desc' ? { direction } : {}),
    ...readPage(page),
    ...(PAGE_SIZES.some((known) => known === size) && size !== DEFAULT_SIZE ? { size: size as number } : {}),
    ...readColumns(columns),
    ...(archived === true ? { archived } : {}),
    ...readView(view),
  };
}
