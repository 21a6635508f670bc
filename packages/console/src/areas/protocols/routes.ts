// Route for the list of requests, which the three protocols share.
import { lazyRouteComponent } from '@tanstack/react-router';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { readEnrollmentSearch } from '../../queries/enrollment-search.ts';

export const enrollmentRoutes: readonly PageRoute[] = [
  {
    path: paths.enrollments.list,
    component: lazyRouteComponent(() => import('./enrollments/enrollments-page.tsx'), 'EnrollmentsPage'),
    validateSearch: readEnrollmentSearch,
    needs: ['raProfiles', 'list'],
  },
];
