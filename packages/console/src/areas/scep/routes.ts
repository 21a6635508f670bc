// SCEP profile routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { objectRoutes, type PageRoute } from '../../kit/routes.ts';
import { paths } from '../../kit/paths.ts';
import { scepListQuery } from '../../queries/protocols.ts';
import { readProfileSearch } from '../protocols/profile-search.ts';

export const scepRoutes: readonly PageRoute[] = objectRoutes(paths.scep, {
  resource: 'scepProfiles',
  list: lazyRouteComponent(() => import('./pages.tsx'), 'ScepListPage'),
  new: lazyRouteComponent(() => import('./pages.tsx'), 'ScepNewPage'),
  one: lazyRouteComponent(() => import('./pages.tsx'), 'ScepProfilePage'),
  edit: lazyRouteComponent(() => import('./pages.tsx'), 'ScepEditPage'),
  askEarly: () => prefetch('scepProfiles', scepListQuery),
  searchOfOne: readProfileSearch,
});
