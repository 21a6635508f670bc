// The pages of discoveries.
import { lazyRouteComponent } from '@tanstack/react-router';
import { askEarly } from '../../api/early.ts';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { discoveryListQuery } from '../../queries/discoveries.ts';
import { readDiscoverySearch, readFoundSearch } from '../../queries/discovery-search.ts';

export const discoveryRoutes: readonly PageRoute[] = [
  {
    path: paths.discoveries.list,
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'DiscoveryListPage'),
    validateSearch: readDiscoverySearch,
    loader: ({ location }) => void askEarly('discoveries', discoveryListQuery(readDiscoverySearch(location.search))),
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
