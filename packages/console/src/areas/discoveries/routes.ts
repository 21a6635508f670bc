// Discovery routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { listingQuery, readFilteredSearch } from '../../kit/filters/listing.ts';
import { discoveryListing } from '../../queries/discoveries.ts';
import { readFoundSearch } from '../../queries/discovery-search.ts';

export const discoveryRoutes: readonly PageRoute[] = [
  {
    path: paths.discoveries.list,
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'DiscoveryListPage'),
    validateSearch: readFilteredSearch,
    loader: ({ location }) =>
      void prefetch('discoveries', listingQuery(discoveryListing, readFilteredSearch(location.search))),
  },
  {
    path: paths.discoveries.new,
    component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewDiscoveryPage'),
    needs: ['discoveries', 'create'],
    validateSearch: ({ connector, when }) => ({
      ...(typeof connector === 'string' && { connector }),
      ...(when === 'scheduled' && { when }),
    }),
  },
  {
    path: paths.discoveries.one('$uuid'),
    component: lazyRouteComponent(() => import('./discovery-page.tsx'), 'DiscoveryPage'),
    validateSearch: readFoundSearch,
  },
];
