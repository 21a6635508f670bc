// The profile page's search parameters: the open tab, the client whose commands are shown, and the rows of a list.
import { readListSearch, type ListSearch } from '../../kit/list-search.ts';
import { readEnrollmentSearch, type EnrollmentSearch } from '../../queries/enrollment-search.ts';

export const PROFILE_TABS = ['clients', 'requests', 'secrets', 'settings'] as const;
export type ProfileTab = (typeof PROFILE_TABS)[number];

export interface ProfileSearch extends EnrollmentSearch, ListSearch {
  /** Absent for the first tab. */
  readonly tab?: ProfileTab;
  readonly client?: string;
}

/** Reads the search parameters. URLs are untrusted, so unreadable parameters are dropped. */
export function readProfileSearch({ tab, client, ...list }: Record<string, unknown>): ProfileSearch {
  const known = PROFILE_TABS.find((each) => each === tab);
  return {
    ...(known === undefined || known === 'clients' ? {} : { tab: known }),
    ...(typeof client === 'string' ? { client } : {}),
    ...(known === 'requests' ? readEnrollmentSearch(list) : {}),
    ...(known === 'secrets' ? readListSearch(list) : {}),
  };
}
