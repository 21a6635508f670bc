// The search parameters of the inventory: text, filters, sort, page, columns and view. A link or "back" shows the same
// list.
import {
  MAX_SHOWN_ATTRIBUTES,
  type CertificateSortField,
  type SearchFilterRequestDto,
  type ShownAttribute,
} from '@signetry/contract';
import { readFilters } from '../kit/filters/read-filters.ts';
import { readColumns, readPage, readText } from '../kit/list-search.ts';
import { readView, type InView } from './saved-views.ts';

export interface CertificateSearch extends InView {
  readonly text?: string;
  readonly filters?: readonly SearchFilterRequestDto[];
  readonly sort?: CertificateSortField;
  readonly direction?: 'asc' | 'desc';
  readonly page?: number;
  readonly size?: number;
  /** Keys of the columns shown beside the name, in order; the usual ones when absent. */
  readonly columns?: readonly string[];
  /** Archived ones as well. */
  readonly archived?: true;
}

/** Columns that show attributes are named as filters name these: `custom:team|STRING`, `meta:host|STRING`. */
export function attributeOfColumn(key: string): ShownAttribute | undefined {
  const fieldSource = (['custom', 'meta'] as const).find((source) => key.startsWith(`${source}:`));
  const fieldIdentifier = key.slice((fieldSource?.length ?? 0) + 1);
  return fieldSource && /.\|[A-Z]+$/.test(fieldIdentifier) ? { fieldSource, fieldIdentifier } : undefined;
}

/** The platform shows no more of them at once. */
export const attributesOf = (columns: readonly string[] = []): ShownAttribute[] =>
  [...new Set(columns)].flatMap((key) => attributeOfColumn(key) ?? []).slice(0, MAX_SHOWN_ATTRIBUTES);

/** A record, so that the compiler reports a field that is missing here. */
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

/** URLs come from anywhere; parameters that cannot be read are dropped. */
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
