// The overview.
import { lazyRouteComponent } from '@tanstack/react-router';
import { askEarly } from '../../api/early.ts';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { expiringQuery, statisticsQuery } from '../../queries/statistics.ts';

export const startRoutes: readonly PageRoute[] = [
  {
    path: paths.start,
    component: lazyRouteComponent(() => import('./start-page.tsx'), 'StartPage'),
    loader: () => {
      void askEarly('certificates', statisticsQuery);
      void askEarly('certificates', expiringQuery);
    },
  },
];
