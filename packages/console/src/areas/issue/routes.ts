// Routes for issuing and rekeying certificates.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { issuingProfilesQuery } from '../../queries/ra-profiles.ts';

export const issueRoutes: readonly PageRoute[] = [
  {
    path: paths.issue,
    component: lazyRouteComponent(() => import('./issue-page.tsx'), 'IssuePage'),
    needs: ['certificates', 'issue'],
    validateSearch: ({ raProfile }) => (typeof raProfile === 'string' ? { raProfile } : {}),
    loader: () => void prefetch('raProfiles', issuingProfilesQuery),
  },
  {
    path: paths.locations.issue({ entityUuid: '$entityUuid', locationUuid: '$uuid' }),
    component: lazyRouteComponent(() => import('./issue-at-location-page.tsx'), 'IssueAtLocationPage'),
    needs: ['locations', 'update'],
    loader: () => void prefetch('raProfiles', issuingProfilesQuery),
  },
  {
    path: paths.certificates.rekey('$uuid'),
    component: lazyRouteComponent(() => import('./rekey-page.tsx'), 'RekeyPage'),
    needs: ['certificates', 'renew'],
  },
  {
    path: paths.certificates.issued('$uuid'),
    component: lazyRouteComponent(() => import('./issued-page.tsx'), 'IssuedPage'),
    // UUID of the rekeyed certificate.
    validateSearch: ({ rekeyed }) => (typeof rekeyed === 'string' ? { rekeyed } : {}),
  },
];
