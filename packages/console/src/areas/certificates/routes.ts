// Certificate routes. The pages for issuing certificates are in areas/issue.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { readListSearch } from '../../kit/list-search.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { readCertificateSearch } from '../../queries/certificate-search.ts';
import { certificateListQuery } from '../../queries/certificates.ts';
import { savedViewsQuery } from '../../queries/saved-views.ts';
import { readCompareSearch } from './compare-search.ts';

export const certificateRoutes: readonly PageRoute[] = [
  {
    path: paths.certificates.list,
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'CertificateListPage'),
    validateSearch: readCertificateSearch,
    loader: ({ location }) => {
      void prefetch('certificates', savedViewsQuery('certificates'));
      void prefetch('certificates', certificateListQuery(readCertificateSearch(location.search)));
    },
  },
  {
    path: paths.certificates.compare,
    component: lazyRouteComponent(() => import('./compare-page.tsx'), 'ComparePage'),
    validateSearch: readCompareSearch,
  },
  {
    path: paths.certificates.changes,
    component: lazyRouteComponent(() => import('./bulk/changes-page.tsx'), 'CertificateChangesPage'),
    validateSearch: readListSearch,
  },
  {
    path: paths.certificates.change('$uuid'),
    component: lazyRouteComponent(() => import('./bulk/change-page.tsx'), 'CertificateChangePage'),
  },
  {
    path: paths.certificates.one('$uuid'),
    component: lazyRouteComponent(() => import('./certificate-page.tsx'), 'CertificatePage'),
  },
  {
    path: paths.certificates.lineage('$uuid'),
    component: lazyRouteComponent(() => import('./lineage-page.tsx'), 'LineagePage'),
  },
];
