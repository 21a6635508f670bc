// Object identifier routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes } from '../../kit/routes.ts';
import { oidListQuery } from '../../queries/oids.ts';

export const oidRoutes = objectRoutes(paths.oids, {
  resource: 'oids',
  list: lazyRouteComponent(() => import('./list-page.tsx'), 'OidListPage'),
  new: lazyRouteComponent(() => import('./edit-page.tsx'), 'NewOidPage'),
  one: lazyRouteComponent(() => import('./oid-page.tsx'), 'OidPage'),
  edit: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditOidPage'),
  askEarly: () => prefetch('oids', oidListQuery),
});
