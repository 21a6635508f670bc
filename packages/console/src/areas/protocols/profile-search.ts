// The search parameters of a profile's page: the open tab, the client that commands are shown for, the rows of a list.
import { readListSearch, type ListSearch } from '../../kit/list-search.ts';
import { readEnrolmentSearch, type EnrolmentSearch } from '../../queries/enrolment-search.ts';

export const PROFILE_TABS = ['clients', 'requests', 'secrets', 'settings'] as const;
export type ProfileTab = (typeof PROFILE_TABS)[number];

export interface ProfileSearch extends EnrolmentSearch, ListSearch {
  /** Absent: the first one. */
  readonly tab?: ProfileTab;
  readonly client?: string;
}

/** URLs come from anywhere; parameters that cannot be read are dropped. */
export function readProfileSearch({ tab, client, ...list }: Record<string, unknown>): ProfileSearch {
  const known = PROFILE_TABS.find((each) => each === tab);
  return {
    ...(known === undefined || known === 'clients' ? {} : { tab: known }),
    ...(typeof client === 'string' ? { client } : {}),
    ...(known === 'requests' ? readEnrolmentSearch(list) : {}),
    ...(known === 'secrets' ? readListSearch(list) : {}),
  };
}
