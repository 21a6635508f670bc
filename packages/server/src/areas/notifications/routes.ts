// API operations on notifications, and on notification instances and profiles.
import {
  notificationDeliveryOperations,
  notificationInstanceOperations,
  notificationOperations,
  notificationProfileOperations,
} from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { DeliveryService } from './deliveries/service.ts';
import type { TryOut } from './deliveries/try-out.ts';
import type { InboxService } from './inbox/service.ts';
import type { InstanceService } from './instances/service.ts';
import type { ProfileService } from './profiles/service.ts';

export interface NotificationRouteParts {
  readonly inbox: InboxService;
  readonly instances: InstanceService;
  readonly profiles: ProfileService;
  readonly deliveries: DeliveryService;
  readonly tryOut: TryOut;
}

export const notificationRoutes = (parts: NotificationRouteParts): readonly Route[] => [
  ...inboxRoutes(parts),
  ...instanceRoutes(parts),
  ...deliveryRoutes(parts),
];

const inboxRoutes = ({ inbox }: NotificationRouteParts): readonly Route[] =>
  routes(notificationOperations, {
    listNotifications: ({ query, context }) => inbox.list(query, context),
    bulkMarkNotificationAsRead: ({ body, context }) => inbox.markMany(body, context),
    bulkDeleteNotification: ({ body, context }) => inbox.removeMany(body, context),
    markNotificationAsRead: ({ params, context }) => inbox.mark(params.uuid, context),
    deleteNotification: ({ params, context }) => inbox.remove(params.uuid, context),
  });

const instanceRoutes = ({ instances, profiles }: NotificationRouteParts): readonly Route[] => [
  ...routes(notificationInstanceOperations, {
    listNotificationInstances: () => instances.list(),
    createNotificationInstance: async ({ body, context }) => ({ uuid: await instances.create(body, context) }),
    listMappingAttributes: ({ params, context }) => instances.mappingAttributes(params, context),
    getNotificationInstance: ({ params }) => instances.detail(params.uuid),
    editNotificationInstance: ({ params, body, context }) => instances.edit(params.uuid, body, context),
    deleteNotificationInstance: ({ params, context }) => instances.remove(params.uuid, context),
  }),
  ...routes(notificationProfileOperations, {
    listNotificationProfiles: ({ query }) => profiles.list(query),
    createNotificationProfile: ({ body, context }) => profiles.create(body, context),
    getNotificationProfile: ({ params, query }) => profiles.detail(params.uuid, query.version),
    editNotificationProfile: ({ params, body, context }) => profiles.edit(params.uuid, body, context),
    deleteNotificationProfile: ({ params, context }) => profiles.remove(params.uuid, context),
  }),
];

const deliveryRoutes = ({ deliveries, tryOut, inbox }: NotificationRouteParts): readonly Route[] =>
  routes(notificationDeliveryOperations, {
    listNotificationDeliveries: ({ query }) => deliveries.list(query),
    getNotificationDelivery: ({ params }) => deliveries.detail(params.uuid),
    replayNotificationDelivery: ({ params, context }) => deliveries.replay(params.uuid, context),
    testNotificationInstance: ({ params, body, context }) => tryOut.test(params.uuid, body, context),
    previewNotification: ({ params, body, context }) => tryOut.preview(params.uuid, body, context),
    countUnreadNotifications: ({ context }) => inbox.countUnread(context),
  });
