// Delivery routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { readDeliverySearch } from '../../queries/notification-deliveries.ts';

export const notificationDeliveryRoutes: readonly PageRoute[] = [
  {
    path: paths.notificationDeliveries.list,
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'DeliveryListPage'),
    needs: ['notificationInstances', 'detail'],
    validateSearch: readDeliverySearch,
  },
  {
    path: paths.notificationDeliveries.one('$uuid'),
    component: lazyRouteComponent(() => import('./delivery-page.tsx'), 'DeliveryPage'),
  },
];
