// Scheduled job routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { readPage } from '../../kit/list-search.ts';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { jobListQuery } from '../../queries/scheduled-jobs.ts';

export const scheduledJobRoutes: readonly PageRoute[] = [
  {
    path: paths.scheduledJobs.list,
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'ScheduledJobListPage'),
    validateSearch: ({ page }) => readPage(page),
    loader: ({ location }) => void prefetch('jobs', jobListQuery(readPage(location.search['page']).page ?? 1)),
  },
  {
    path: paths.scheduledJobs.one('$uuid'),
    component: lazyRouteComponent(() => import('./job-page.tsx'), 'ScheduledJobPage'),
    validateSearch: ({ page }) => readPage(page),
  },
];
