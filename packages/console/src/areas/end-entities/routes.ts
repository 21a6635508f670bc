// End entity routes, nested below the RA profile that their certificates are issued under.
import { lazyRouteComponent } from '@tanstack/react-router';
import { readListSearch } from '../../kit/list-search.ts';
import type { PageRoute } from '../../kit/routes.ts';

const LIST = '/ra-profiles/$uuid/end-entities';

export const endEntityRoutes: readonly PageRoute[] = [
  {
    path: LIST,
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'EndEntityListPage'),
    validateSearch: readListSearch,
  },
  {
    path: `${LIST}/new`,
    component: lazyRouteComponent(() => import('./edit-page.tsx'), 'NewEndEntityPage'),
    needs: ['certificates', 'issue'],
  },
  {
    path: `${LIST}/$username`,
    component: lazyRouteComponent(() => import('./end-entity-page.tsx'), 'EndEntityPage'),
  },
  {
    path: `${LIST}/$username/edit`,
    component: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditEndEntityPage'),
    needs: ['certificates', 'issue'],
  },
];
