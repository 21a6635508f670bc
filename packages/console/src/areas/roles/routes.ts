// Role routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes, type PageRoute } from '../../kit/routes.ts';
import { roleListQuery } from '../../queries/roles.ts';

export const roleRoutes: readonly PageRoute[] = [
  ...objectRoutes(paths.roles, {
    resource: 'roles',
    list: lazyRouteComponent(() => import('./list-page.tsx'), 'RoleListPage'),
    new: lazyRouteComponent(() => import('./new-page.tsx'), 'NewRolePage'),
    one: lazyRouteComponent(() => import('./role-page.tsx'), 'RolePage'),
    edit: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditRolePage'),
    askEarly: () => prefetch('roles', roleListQuery),
  }),
  {
    path: paths.roles.permissions('$uuid'),
    component: lazyRouteComponent(() => import('./permissions/editor-page.tsx'), 'RolePermissionsPage'),
    needs: ['roles', 'update'],
  },
];
