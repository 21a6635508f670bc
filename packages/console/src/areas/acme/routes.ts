// The ACME pages: profiles, and the accounts of a profile.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes, type PageRoute } from '../../kit/routes.ts';
import { profileListQuery } from '../../queries/acme.ts';
import { readOrderSearch } from '../../queries/order-search.ts';
import { readProfileSearch } from './profile-search.ts';

export const acmeRoutes: readonly PageRoute[] = [
  ...objectRoutes(paths.acme, {
    resource: 'acmeProfiles',
    list: lazyRouteComponent(() => import('./list-page.tsx'), 'AcmeListPage'),
    new: lazyRouteComponent(() => import('./settings/new-page.tsx'), 'AcmeNewPage'),
    one: lazyRouteComponent(() => import('./profile-page.tsx'), 'AcmeProfilePage'),
    edit: lazyRouteComponent(() => import('./settings/edit-page.tsx'), 'AcmeEditPage'),
    askEarly: () => prefetch('acmeProfiles', profileListQuery),
    searchOfOne: readProfileSearch,
  }),
  {
    path: paths.acme.account('$uuid', '$accountUuid'),
    component: lazyRouteComponent(() => import('./accounts/account-page.tsx'), 'AcmeAccountPage'),
    validateSearch: readOrderSearch,
  },
];
