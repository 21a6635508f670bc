// Key routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { readKeySearch } from '../../queries/key-search.ts';
import { keyListQuery } from '../../queries/keys.ts';

export const keyRoutes: readonly PageRoute[] = [
  {
    path: paths.keys.list,
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'KeyListPage'),
    validateSearch: readKeySearch,
    loader: ({ location }) => void prefetch('keys', keyListQuery(readKeySearch(location.search))),
  },
  {
    path: paths.keys.new,
    component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewKeyPage'),
    needs: ['keys', 'create'],
    validateSearch: ({ tokenProfile }) => (typeof tokenProfile === 'string' ? { tokenProfile } : {}),
  },
  { path: paths.keys.one('$uuid'), component: lazyRouteComponent(() => import('./key-page.tsx'), 'KeyPage') },
  {
    path: paths.keys.edit('$uuid'),
    component: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditKeyPage'),
    needs: ['keys', 'update'],
  },
];
