// Insights routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { readInsightsSearch } from './insights-search.ts';

export const insightsRoutes: readonly PageRoute[] = [
  {
    path: paths.insights,
    component: lazyRouteComponent(() => import('./insights-page.tsx'), 'InsightsPage'),
    needs: ['certificates', 'list'],
    validateSearch: readInsightsSearch,
  },
];
