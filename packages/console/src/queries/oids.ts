// Object identifiers that administrators gave names, and these names where identifiers are shown.
import type { CustomOidEntryDetailResponseDto } from '@signetry/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { useMayList } from '../api/session.ts';

/** As many as the platform answers at once. */
const PAGE = 1000;

/** Known by its identifier. */
export type OidEntry = ReturnType<typeof withName>;

const withName = (entry: CustomOidEntryDetailResponseDto) => ({
  ...entry,
  uuid: entry.oid,
  name: entry.displayName,
});

/** By name. */
async function everyEntry(signal: AbortSignal): Promise<readonly OidEntry[]> {
  const entries: OidEntry[] = [];
  for (let pageNumber = 1; ; pageNumber += 1) {
    const body = { itemsPerPage: PAGE, pageNumber };
    const { oidEntries, totalPages } = await api.oids.listCustomOidEntries({ body }, { signal });
    entries.push(...oidEntries.map(withName));
    if (pageNumber >= totalPages) return entries.toSorted((one, other) => one.name.localeCompare(other.name));
  }
}

export const oidListQuery = queryOptions({
  queryKey: ['oids', 'list'],
  queryFn: ({ signal }) => everyEntry(signal),
});

export const oidQuery = (oid: string) =>
  queryOptions({
    queryKey: ['oids', 'one', oid],
    queryFn: async ({ signal }) => withName(await api.oids.getCustomOidEntry({ params: { oid } }, { signal })),
  });

export interface OidNames {
  /** By identifier. */
  readonly names: ReadonlyMap<string, string>;
  /** Codes of attribute types of names, as the codec takes them. */
  readonly codes: { readonly byOid: ReadonlyMap<string, string>; readonly byCode: ReadonlyMap<string, string> };
}

const namesOf = (entries: readonly OidEntry[]): OidNames => ({
  names: new Map(entries.map(({ oid, name }) => [oid, name])),
  codes: {
    byOid: new Map(entries.flatMap(({ oid, additionalProperties: own }) => (own ? [[oid, own.code]] : []))),
    // Names are only written here.
    byCode: new Map(),
  },
});

const NONE = namesOf([]);

/** None for users who may not list them, and until they are known. */
export function useOidNames(): OidNames {
  const mayList = useMayList();
  return useQuery({ ...oidListQuery, enabled: mayList('oids'), select: namesOf }).data ?? NONE;
}
