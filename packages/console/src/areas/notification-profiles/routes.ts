// Notification profile routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes } from '../../kit/routes.ts';
import { notificationProfileListQuery } from '../../queries/notification-profiles.ts';

export const notificationProfileRoutes = objectRoutes(paths.notificationProfiles, {
  resource: 'notificationProfiles',
  list: lazyRouteComponent(() => import('./list-page.tsx'), 'NotificationProfileListPage'),
  new: lazyRouteComponent(() => import('./edit-page.tsx'), 'NewNotificationProfilePage'),
  one: lazyRouteComponent(() => import('./profile-page.tsx'), 'NotificationProfilePage'),
  edit: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditNotificationProfilePage'),
  askEarly: () => prefetch('notificationProfiles', notificationProfileListQuery),
  // Absent for the latest version.
  searchOfOne: ({ version }) => (typeof version === 'number' && version >= 1 ? { version: Math.trunc(version) } : {}),
});
