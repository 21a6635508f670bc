// CMP profile routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { objectRoutes, type PageRoute } from '../../kit/routes.ts';
import { paths } from '../../kit/paths.ts';
import { cmpListQuery } from '../../queries/protocols.ts';
import { readProfileSearch } from '../protocols/profile-search.ts';

export const cmpRoutes: readonly PageRoute[] = objectRoutes(paths.cmp, {
  resource: 'cmpProfiles',
  list: lazyRouteComponent(() => import('./pages.tsx'), 'CmpListPage'),
  new: lazyRouteComponent(() => import('./pages.tsx'), 'CmpNewPage'),
  one: lazyRouteComponent(() => import('./pages.tsx'), 'CmpProfilePage'),
  edit: lazyRouteComponent(() => import('./pages.tsx'), 'CmpEditPage'),
  askEarly: () => prefetch('cmpProfiles', cmpListQuery),
  searchOfOne: readProfileSearch,
});
