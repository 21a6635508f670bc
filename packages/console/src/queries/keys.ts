// Queries of the pages of keys.
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

/** The interface has no free text for keys: a text is looked for in their names, and in those of their halves. */
const filtersOf = ({ text, filters = [] }: KeySearch): SearchFilterRequestDto[] => [
  ...filters,
  ...(text === undefined
    ? []
    : [{ fieldSource: 'property' as const, fieldIdentifier: 'CKI_NAME', condition: 'CONTAINS' as const, value: text }]),
];

/** Number of items that match. */
export const keyCountQuery = (search: Pick<KeySearch, 'filters'>) =>
  queryOptions({ ...keyListQuery(search, 1), select: ({ totalItems }): number => totalItems });

export const keyQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['keys', 'one', uuid],
    queryFn: ({ signal }) => api.keys.getKey({ params: { uuid } }, { signal }),
  });

export interface KeyItemPlace {
  readonly keyUuid: string;
  readonly itemUuid: string;
}

export const keyHistoryQuery = ({ keyUuid, itemUuid }: KeyItemPlace) =>
  queryOptions({
    queryKey: ['keys', 'history', itemUuid],
    queryFn: ({ signal }) =>
      api.keys.getKeyItemHistory({ params: { uuid: keyUuid, keyItemUuid: itemUuid } }, { signal }),
  });

export interface KeyCreationPlace {
  readonly tokenInstanceUuid: string;
  readonly tokenProfileUuid: string;
  readonly type: KeyRequestType;
}

/** What a new key of this type is made with; not fetched until a token profile is chosen. */
export const keyDefinitionsQuery = (place: KeyCreationPlace | undefined) =>
  queryOptions({
    queryKey: ['keys', 'definitions', place?.tokenProfileUuid, place?.type],
    queryFn: place
      ? async ({ signal }) => definitionsOf(await api.keys.listCreateKeyAttributes({ params: place }, { signal }))
      : skipToken,
    staleTime: 60_000,
  });

/** Names a half of a key where it is used. */
export interface UsedItem {
  readonly tokenInstanceUuid: string;
  readonly tokenProfileUuid: string;
  readonly uuid: string;
  readonly keyItemUuid: string;
}

/** How the key can encrypt: RSA has a scheme, and OAEP a digest. */
export const cipherDefinitionsQuery = (item: UsedItem | undefined, algorithm: KeyAlgorithm) =>
  queryOptions({
    queryKey: ['keys', 'cipherDefinitions', item?.keyItemUuid],
    queryFn: item
      ? async ({ signal }) =>
          definitionsOf(await api.keyUse.listCipherAttributes({ params: { ...item, algorithm } }, { signal }))
      : skipToken,
    staleTime: Infinity,
  });

/** How the key can sign: its scheme and digest, where the algorithm has several. */
export const signatureDefinitionsQuery = (item: UsedItem, algorithm: KeyAlgorithm) =>
  queryOptions({
    queryKey: ['keys', 'signatureDefinitions', item.keyItemUuid],
    queryFn: async ({ signal }) =>
      definitionsOf(await api.keyUse.listSignatureAttributes({ params: { ...item, algorithm } }, { signal })),
    staleTime: Infinity,
  });
