// Notification routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { queryClient } from '../../api/query-client.ts';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { inboxQuery, readInboxSearch } from '../../queries/notifications.ts';

export const notificationRoutes: readonly PageRoute[] = [
  {
    path: paths.notifications.list,
    component: lazyRouteComponent(() => import('./inbox-page.tsx'), 'NotificationInboxPage'),
    validateSearch: readInboxSearch,
    // No permission is required: users read their own notifications.
    loader: ({ location }) => void queryClient.prefetchQuery(inboxQuery(readInboxSearch(location.search))),
  },
];
