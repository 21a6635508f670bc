// The pages of EST profiles.
import { lazyRouteComponent } from '@tanstack/react-router';
import { askEarly } from '../../api/early.ts';
import { objectRoutes, type PageRoute } from '../../kit/routes.ts';
import { paths } from '../../kit/paths.ts';
import { estListQuery } from '../../queries/protocols.ts';
import { readProfileSearch } from '../protocols/profile-search.ts';

export const estRoutes: readonly PageRoute[] = objectRoutes(paths.est, {
  resource: 'raProfiles',
  // EST profiles are no resource of their own: whoever may change RA profiles may create and change them.
  createdBy: 'update',
  list: lazyRouteComponent(() => import('./pages.tsx'), 'EstListPage'),
  new: lazyRouteComponent(() => import('./pages.tsx'), 'EstNewPage'),
  one: lazyRouteComponent(() => import('./pages.tsx'), 'EstProfilePage'),
  edit: lazyRouteComponent(() => import('./pages.tsx'), 'EstEditPage'),
  askEarly: () => askEarly('raProfiles', estListQuery),
  searchOfOne: readProfileSearch,
});
