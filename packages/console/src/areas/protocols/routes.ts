// Route for the list of requests, which the three protocols share.
import { lazyRouteComponent } from '@tanstack/react-router';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { readEnrolmentSearch } from '../../queries/enrolment-search.ts';

export const enrolmentRoutes: readonly PageRoute[] = [
  {
    path: paths.enrolments.list,
    component: lazyRouteComponent(() => import('./enrolments/enrolments-page.tsx'), 'EnrolmentsPage'),
    validateSearch: readEnrolmentSearch,
    needs: ['raProfiles', 'list'],
  },
];
