// EST profile routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { objectRoutes, type PageRoute } from '../../kit/routes.ts';
import { paths } from '../../kit/paths.ts';
import { estListQuery } from '../../queries/protocols.ts';
import { readProfileSearch } from '../protocols/profile-search.ts';

export const estRoutes: readonly PageRoute[] = objectRoutes(paths.est, {
  resource: 'raProfiles',
  // EST profiles are not a separate resource: users who can update RA profiles can create and edit them.
  createdBy: 'update',
  list: lazyRouteComponent(() => import('./pages.tsx'), 'EstListPage'),
  new: lazyRouteComponent(() => import('./pages.tsx'), 'EstNewPage'),
  one: lazyRouteComponent(() => import('./pages.tsx'), 'EstProfilePage'),
  edit: lazyRouteComponent(() => import('./pages.tsx'), 'EstEditPage'),
  askEarly: () => prefetch('raProfiles', estListQuery),
  searchOfOne: readProfileSearch,
});
