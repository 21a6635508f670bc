// Notifications that the platform stores for its users. Users can read, mark and delete only their own.
import { z } from 'zod';
import { objectErrors, operations, plainErrors } from '../operations.ts';
import { dateTime, uuid } from '../primitives.ts';
import { UuidList } from '../shared/objects.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';
import { queryBoolean } from '../shared/query.ts';
import { Resource } from './resource.ts';

export const NotificationDto = z
  .object({
    uuid: uuid(),
    /** Description of the event in one sentence. */
    message: z.string(),
    /** What the event means, and what to do next. */
    detail: z.string().optional(),
    /** Absent if the notification is unread. */
    readAt: dateTime().optional(),
    sentAt: dateTime(),
    targetObjectType: Resource.optional(),
    /** Identifiers of the object that the notification is about, parents first. */
    targetObjectIdentification: z.array(z.string()).optional(),
  })
  .meta({ id: 'NotificationDto' });
export type NotificationDto = z.output<typeof NotificationDto>;

export const NotificationResponseDto = z
  .object({ ...pageTotals, items: z.array(NotificationDto) })
  .meta({ id: 'NotificationResponseDto' });
export type NotificationResponseDto = z.output<typeof NotificationResponseDto>;

export const notificationOperations = operations(
  { tag: 'Internal Notification', resource: 'notifications', module: 'core', errors: plainErrors },
  {
    /** Newest first. */
    listNotifications: {
      route: 'GET /v1/notifications',
      summary: 'List notifications for logged user',
      query: z.object({ ...pageQuery, unread: queryBoolean().default(false) }),
      answer: NotificationResponseDto,
      access: 'authenticated',
    },
    /** Unknown identifiers and identifiers of other users' notifications are ignored. */
    bulkMarkNotificationAsRead: {
      route: 'PATCH /v1/notifications',
      summary: 'Mark a list of notifications as read for logged user',
      body: UuidList,
      access: 'authenticated',
      audit: 'update',
    },
    /** Unknown identifiers and identifiers of other users' notifications are ignored. */
    bulkDeleteNotification: {
      route: 'DELETE /v1/notifications',
      summary: 'Delete a list of notifications for logged user',
      body: UuidList,
      access: 'authenticated',
      audit: 'delete',
    },
    markNotificationAsRead: {
      route: 'PATCH /v1/notifications/{uuid}',
      summary: 'Mark notification as read for logged user',
      errors: objectErrors,
      access: 'authenticated',
      audit: 'update',
    },
    deleteNotification: {
      route: 'DELETE /v1/notifications/{uuid}',
      summary: 'Delete a notification for logged user',
      errors: objectErrors,
      access: 'authenticated',
      audit: 'delete',
    },
  },
);
