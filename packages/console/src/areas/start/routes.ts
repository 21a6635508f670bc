// Overview route.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { expiringQuery, statisticsQuery } from '../../queries/statistics.ts';
import { readStartSearch } from './start-search.ts';

export const startRoutes: readonly PageRoute[] = [
  {
    path: paths.start,
    component: lazyRouteComponent(() => import('./start-page.tsx'), 'StartPage'),
    validateSearch: readStartSearch,
    loader: ({ location }) => {
      const { includeArchived } = readStartSearch(location.search);
      void prefetch('certificates', statisticsQuery(includeArchived));
      void prefetch('certificates', expiringQuery(includeArchived));
    },
  },
];
