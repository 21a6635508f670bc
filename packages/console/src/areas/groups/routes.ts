// Group routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes } from '../../kit/routes.ts';
import { groupListQuery } from '../../queries/people.ts';

export const groupRoutes = objectRoutes(paths.groups, {
  resource: 'groups',
  list: lazyRouteComponent(() => import('./list-page.tsx'), 'GroupListPage'),
  new: lazyRouteComponent(() => import('./edit-page.tsx'), 'NewGroupPage'),
  one: lazyRouteComponent(() => import('./group-page.tsx'), 'GroupPage'),
  edit: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditGroupPage'),
  askEarly: () => prefetch('groups', groupListQuery),
});
