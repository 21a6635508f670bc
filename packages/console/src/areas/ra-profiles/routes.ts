// RA profile routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes } from '../../kit/routes.ts';
import { raProfileListQuery } from '../../queries/ra-profiles.ts';

export const raProfileRoutes = objectRoutes(paths.raProfiles, {
  resource: 'raProfiles',
  list: lazyRouteComponent(() => import('./list-page.tsx'), 'RaProfileListPage'),
  new: lazyRouteComponent(() => import('./new-page.tsx'), 'NewRaProfilePage'),
  one: lazyRouteComponent(() => import('./ra-profile-page.tsx'), 'RaProfilePage'),
  edit: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditRaProfilePage'),
  askEarly: () => prefetch('raProfiles', raProfileListQuery),
  searchOfNew: ({ authority }) => (typeof authority === 'string' ? { authority } : {}),
});
