// Queries for the key pages.
import type { KeyAlgorithm, KeyRequestType, SearchFilterRequestDto } from '@signetry/contract';
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { definitionsOf } from '../ui/attributes/definitions.ts';
import type { KeySearch } from './key-search.ts';

export const KEYS_PER_PAGE = 50;

export const keyListQuery = (search: KeySearch, itemsPerPage = KEYS_PER_PAGE) =>
  queryOptions({
    queryKey: ['keys', 'list', search, itemsPerPage],
    queryFn: ({ signal }) =>
      api.keys.listKeys(
        { body: { filters: filtersOf(search), pageNumber: search.page ?? 1, itemsPerPage } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

/** The API has no free-text search for keys, so text is matched against the names of keys and their items. */
const filtersOf = ({ text, filters = [] }: KeySearch): SearchFilterRequestDto[] => [
  ...filters,
  ...(text === undefined
    ? []
    : [{ fieldSource: 'property' as const, fieldIdentifier: 'CKI_NAME', condition: 'CONTAINS' as const, value: text }]),
];

/** Number of matching items. */
export const keyCountQuery = (search: Pick<KeySearch, 'filters'>) =>
  queryOptions({ ...keyListQuery(search, 1), select: ({ totalItems }): number => totalItems });

export const keyQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['keys', 'one', uuid],
    queryFn: ({ signal }) => api.keys.getKey({ params: { uuid } }, { signal }),
  });

/** Whether the key was created as exportable, which never changes. */
export const keyExportabilityQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['keys', 'exportability', uuid],
    queryFn: ({ signal }) => api.keyExportability.getKeyExportability({ params: { uuid } }, { signal }),
  });

export interface KeyItemPath {
  readonly keyUuid: string;
  readonly itemUuid: string;
}

export const keyHistoryQuery = ({ keyUuid, itemUuid }: KeyItemPath) =>
  queryOptions({
    queryKey: ['keys', 'history', itemUuid],
    queryFn: ({ signal }) =>
      api.keys.getKeyItemHistory({ params: { uuid: keyUuid, keyItemUuid: itemUuid } }, { signal }),
  });

export interface KeyCreationPath {
  readonly tokenInstanceUuid: string;
  readonly tokenProfileUuid: string;
  readonly type: KeyRequestType;
}

/** Attributes for creating a key of this type; not fetched until a token profile is selected. */
export const keyDefinitionsQuery = (place: KeyCreationPath | undefined) =>
  queryOptions({
    queryKey: ['keys', 'definitions', place?.tokenProfileUuid, place?.type],
    queryFn: place
      ? async ({ signal }) => definitionsOf(await api.keys.listCreateKeyAttributes({ params: place }, { signal }))
      : skipToken,
    staleTime: 60_000,
  });

/** Identifies a key item for cryptographic operations. */
export interface KeyOperationPath {
  readonly tokenInstanceUuid: string;
  readonly tokenProfileUuid: string;
  readonly uuid: string;
  readonly keyItemUuid: string;
}

/** The key's encryption attributes: RSA requires a scheme, and OAEP a digest. */
export const cipherDefinitionsQuery = (item: KeyOperationPath | undefined, algorithm: KeyAlgorithm) =>
  queryOptions({
    queryKey: ['keys', 'cipherDefinitions', item?.keyItemUuid],
    queryFn: item
      ? async ({ signal }) =>
          definitionsOf(await api.keyUse.listCipherAttributes({ params: { ...item, algorithm } }, { signal }))
      : skipToken,
    staleTime: Infinity,
  });

/** The key's signature attributes: scheme and digest, if the algorithm supports multiple. */
export const signatureDefinitionsQuery = (item: KeyOperationPath, algorithm: KeyAlgorithm) =>
  queryOptions({
    queryKey: ['keys', 'signatureDefinitions', item.keyItemUuid],
    queryFn: async ({ signal }) =>
      definitionsOf(await api.keyUse.listSignatureAttributes({ params: { ...item, algorithm } }, { signal })),
    staleTime: Infinity,
  });
