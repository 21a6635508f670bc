// Notification provider routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes } from '../../kit/routes.ts';
import { notificationInstanceListQuery } from '../../queries/notification-instances.ts';

export const notificationInstanceRoutes = objectRoutes(paths.notificationInstances, {
  resource: 'notificationInstances',
  list: lazyRouteComponent(() => import('./list-page.tsx'), 'NotificationInstanceListPage'),
  new: lazyRouteComponent(() => import('./new-page.tsx'), 'NewNotificationInstancePage'),
  one: lazyRouteComponent(() => import('./instance-page.tsx'), 'NotificationInstancePage'),
  edit: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditNotificationInstancePage'),
  askEarly: () => prefetch('notificationInstances', notificationInstanceListQuery),
});
