// User routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes } from '../../kit/routes.ts';
import { userListQuery } from '../../queries/people.ts';

export const userRoutes = objectRoutes(paths.users, {
  resource: 'users',
  list: lazyRouteComponent(() => import('./list-page.tsx'), 'UserListPage'),
  new: lazyRouteComponent(() => import('./edit-page.tsx'), 'NewUserPage'),
  one: lazyRouteComponent(() => import('./user-page.tsx'), 'UserPage'),
  edit: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditUserPage'),
  askEarly: () => prefetch('users', userListQuery),
});
