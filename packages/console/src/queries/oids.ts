// Object identifiers named by administrators, and their names for display.
import type { CustomOidEntryDetailResponseDto } from '@signetry/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { useMayList } from '../api/session.ts';

/** Maximum that the platform returns per request. */
const PAGE = 1000;

/** Entry with its OID as `uuid`. */
export type OidEntry = ReturnType<typeof withName>;

const withName = (entry: CustomOidEntryDetailResponseDto) => ({
  ...entry,
  uuid: entry.oid,
  name: entry.displayName,
});

/** Fetches all entries, sorted by name. */
async function fetchAllEntries(signal: AbortSignal): Promise<readonly OidEntry[]> {
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
  queryFn: ({ signal }) => fetchAllEntries(signal),
});

export const oidQuery = (oid: string) =>
  queryOptions({
    queryKey: ['oids', 'one', oid],
    queryFn: async ({ signal }) => withName(await api.oids.getCustomOidEntry({ params: { oid } }, { signal })),
  });

export interface OidNames {
  /** Keyed by OID. */
  readonly names: ReadonlyMap<string, string>;
  /** Codes of DN attribute types, in the form that the codec accepts. */
  readonly codes: { readonly byOid: ReadonlyMap<string, string>; readonly byCode: ReadonlyMap<string, string> };
}

const namesOf = (entries: readonly OidEntry[]): OidNames => ({
  names: new Map(entries.map(({ oid, name }) => [oid, name])),
  codes: {
    byOid: new Map(entries.flatMap(({ oid, additionalProperties: own }) => (own ? [[oid, own.code]] : []))),
    // Names are only encoded here, never parsed.
    byCode: new Map(),
  },
});

const NONE = namesOf([]);

/** Empty while loading, and for users who cannot list them. */
export function useOidNames(): OidNames {
  const mayList = useMayList();
  return useQuery({ ...oidListQuery, enabled: mayList('oids'), select: namesOf }).data ?? NONE;
}
