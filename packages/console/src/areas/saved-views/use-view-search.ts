// What the address says of a list that has saved views. Without a word it is the user's default view, if there is one.
import type { SavedView, SavedViewResource } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ListSearch } from '../../kit/list-search.ts';
import { useNewSearch, useSearchChange, type SearchChange } from '../../kit/use-list-search.ts';
import { NO_VIEW, savedViewsQuery, type InView } from '../../queries/saved-views.ts';

type Listed = InView & Pick<ListSearch, 'text' | 'page'>;

export interface ViewSearch<Search extends Listed> {
  readonly search: Search;
  /** False until it is known what is to be shown. */
  readonly isReady: boolean;
  readonly change: (change: SearchChange<Search>) => void;
  /** Shows a view, or everything. */
  readonly show: (view: SavedView | undefined) => void;
}

export function useViewSearch<Search extends Listed>(
  resource: SavedViewResource,
  searchOfView: (view: SavedView) => Search,
): ViewSearch<Search> {
  const search: Search = useSearch({ strict: false }) as Search; // the page declares it
  const change = useSearchChange<Search>();
  const replace = useNewSearch<Listed>();
  const views = useQuery(savedViewsQuery(resource));
  const standard = views.data?.find(({ isDefault }) => isDefault);
  const isBare = Object.keys(search).length === 0;
  useEffect(() => {
    if (isBare && standard) replace(searchOfView(standard), { replace: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each default view
  }, [isBare, standard?.uuid]);
  // Else a search that is cleared would turn into the default view.
  const kept = search.view ?? (standard && NO_VIEW);
  return {
    search,
    isReady: !isBare || !(views.isPending || standard),
    change: (next) => change(kept === search.view ? next : { view: kept, ...next }),
    show: (view) => replace(view ? searchOfView(view) : standard ? { view: NO_VIEW } : {}),
  };
}
