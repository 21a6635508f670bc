// Token profile routes: the list, and the pages for a profile under its token.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { readListSearch } from '../../kit/list-search.ts';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { tokenProfileListQuery } from '../../queries/tokens.ts';

const ofToken = paths.tokenProfiles.of('$tokenUuid');

export const tokenProfileRoutes: readonly PageRoute[] = [
  {
    path: paths.tokenProfiles.list,
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'TokenProfileListPage'),
    validateSearch: readListSearch,
    loader: () => void prefetch('tokenProfiles', tokenProfileListQuery),
  },
  {
    path: paths.tokenProfiles.new,
    component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewTokenProfilePage'),
    needs: ['tokenProfiles', 'create'],
    validateSearch: ({ token }) => (typeof token === 'string' ? { token } : {}),
  },
  {
    path: ofToken.one('$uuid'),
    component: lazyRouteComponent(() => import('./token-profile-page.tsx'), 'TokenProfilePage'),
  },
  {
    path: ofToken.edit('$uuid'),
    component: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditTokenProfilePage'),
    needs: ['tokenProfiles', 'update'],
  },
];
