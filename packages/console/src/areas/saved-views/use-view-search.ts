// What the address says of the inventory. Without a word it is the user's default view, if there is one.
import type { SavedView } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useNewSearch, useSearchChange, type SearchChange } from '../../kit/use-list-search.ts';
import { NO_VIEW, type CertificateSearch } from '../../queries/certificate-search.ts';
import { savedViewsQuery } from '../../queries/saved-views.ts';
import { searchOfView } from './views.ts';

export interface InventorySearch {
  readonly search: CertificateSearch;
  /** False until it is known what is to be shown. */
  readonly isReady: boolean;
  readonly change: (change: SearchChange<CertificateSearch>) => void;
  /** Shows a view, or everything. */
  readonly show: (view: SavedView | undefined) => void;
}

export function useInventorySearch(): InventorySearch {
  const search: CertificateSearch = useSearch({ strict: false });
  const change = useSearchChange<CertificateSearch>();
  const replace = useNewSearch<CertificateSearch>();
  const views = useQuery(savedViewsQuery('certificates'));
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
