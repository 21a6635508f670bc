// Authority routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes } from '../../kit/routes.ts';
import { authorityListQuery } from '../../queries/authorities.ts';

export const authorityRoutes = objectRoutes(paths.authorities, {
  resource: 'authorities',
  list: lazyRouteComponent(() => import('./list-page.tsx'), 'AuthorityListPage'),
  new: lazyRouteComponent(() => import('./new-page.tsx'), 'NewAuthorityPage'),
  one: lazyRouteComponent(() => import('./authority-page.tsx'), 'AuthorityPage'),
  edit: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditAuthorityPage'),
  askEarly: () => prefetch('authorities', authorityListQuery),
  searchOfNew: ({ connector }) => (typeof connector === 'string' ? { connector } : {}),
});
