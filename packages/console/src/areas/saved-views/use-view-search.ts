// Search parameters for a list with saved views. If the URL has none, the user's default view applies.
import type { SavedView, SavedViewResource } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ListSearch } from '../../kit/list-search.ts';
import { useNewSearch, useSearchChange, type SearchChange } from '../../kit/use-list-search.ts';
import { NO_VIEW, savedViewsQuery, type WithView } from '../../queries/saved-views.ts';

type ListedSearch = WithView & Pick<ListSearch, 'text' | 'page'>;

export interface ViewSearch<Search extends ListedSearch> {
  readonly search: Search;
  /** False until it is known which view to show. */
  readonly isReady: boolean;
  readonly change: (change: SearchChange<Search>) => void;
  /** Shows the given view, or the whole list if it is undefined. */
  readonly show: (view: SavedView | undefined) => void;
}

export function useViewSearch<Search extends ListedSearch>(
  resource: SavedViewResource,
  searchOfView: (view: SavedView) => Search,
): ViewSearch<Search> {
  const search: Search = useSearch({ strict: false }) as Search; // The page's route declares these parameters.
  const change = useSearchChange<Search>();
  const replace = useNewSearch<ListedSearch>();
  const views = useQuery(savedViewsQuery(resource));
  const standard = views.data?.find(({ isDefault }) => isDefault);
  const isBare = Object.keys(search).length === 0;
  useEffect(() => {
    if (isBare && standard) replace(searchOfView(standard), { replace: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each default view
  }, [isBare, standard?.uuid]);
  // Otherwise, clearing the search would switch to the default view.
  const kept = search.view ?? (standard && NO_VIEW);
  return {
    search,
    isReady: !isBare || !(views.isPending || standard),
    change: (next) => change(kept === search.view ? next : { view: kept, ...next }),
    show: (view) => replace(view ? searchOfView(view) : standard ? { view: NO_VIEW } : {}),
  };
}
