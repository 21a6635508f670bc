// Deliveries of external notifications, notification instance tests, and the number of unread notifications. Not part
// of the published interface.
import { z } from 'zod';
import { NotificationPreviewDto } from '../connector/notification-shapes.ts';
import { ResourceEvent } from '../enums/workflows.ts';
import { connectorRuleErrors, objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { Resource } from '../platform/resource.ts';
import { sightOf } from '../platform/referenced-objects.ts';
import { dateTime, int32, int64, uuid } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';

/** `waiting`: waiting for the first or next attempt. `failed`: not retried unless a user requests it. */
export const NotificationDeliveryState = z
  .enum(['waiting', 'delivered', 'failed'])
  .meta({ id: 'NotificationDeliveryState' });
export type NotificationDeliveryState = z.output<typeof NotificationDeliveryState>;

export const NotificationDeliveryRecipient = z
  .object({ resource: Resource, uuid: uuid(), name: z.string() })
  .meta({ id: 'NotificationDeliveryRecipient' });
export type NotificationDeliveryRecipient = z.output<typeof NotificationDeliveryRecipient>;

const listed = {
  uuid: uuid(),
  state: NotificationDeliveryState,
  /** Absent if the instance has been removed. */
  instanceUuid: uuid().optional(),
  instanceName: z.string(),
  /** Absent if the profile has been removed. */
  profileUuid: uuid().optional(),
  profileName: z.string(),
  profileVersion: int32(),
  event: ResourceEvent,
  resource: Resource,
  objectUuid: uuid().optional(),
  recipients: z.array(NotificationDeliveryRecipient),
  attempts: int32(),
  raisedAt: dateTime(),
  /** Present only in the state `waiting`. */
  nextAttemptAt: dateTime().optional(),
  endedAt: dateTime().optional(),
  /** Why the last attempt failed, or which recipients it skipped. */
  problem: z.string().optional(),
};

export const NotificationDelivery = z.object(listed).meta({ id: 'NotificationDelivery' });
export type NotificationDelivery = z.output<typeof NotificationDelivery>;

export const NotificationDeliveryDetail = z
  .object({
    ...listed,
    /** Event data; its structure depends on the event. */
    notificationData: z.unknown(),
  })
  .meta({ id: 'NotificationDeliveryDetail' });
export type NotificationDeliveryDetail = z.output<typeof NotificationDeliveryDetail>;

export const NotificationDeliveries = z
  .object({ deliveries: z.array(NotificationDelivery), ...pageTotals })
  .meta({ id: 'NotificationDeliveries' });
export type NotificationDeliveries = z.output<typeof NotificationDeliveries>;

/** At most one user, group or role. If there is none, the instance is called without recipients. */
const recipient = { userUuid: uuid().optional(), groupUuid: uuid().optional(), roleUuid: uuid().optional() };

export const NotificationTestRequest = z.object(recipient).meta({ id: 'NotificationTestRequest' });
export type NotificationTestRequest = z.output<typeof NotificationTestRequest>;

export const NotificationTestResult = z
  .object({
    delivered: z.boolean(),
    /** Why the notification was not delivered. */
    problem: z.string().optional(),
  })
  .meta({ id: 'NotificationTestResult' });
export type NotificationTestResult = z.output<typeof NotificationTestResult>;

export const NotificationPreviewRequest = z
  .object({ event: ResourceEvent, ...recipient })
  .meta({ id: 'NotificationPreviewRequest' });
export type NotificationPreviewRequest = z.output<typeof NotificationPreviewRequest>;

export const UnreadNotifications = z.object({ unread: int64() }).meta({ id: 'UnreadNotifications' });
export type UnreadNotifications = z.output<typeof UnreadNotifications>;

const sightOfRecipient = [sightOf('users', 'userUuid'), sightOf('groups', 'groupUuid'), sightOf('roles', 'roleUuid')];

const ofInstance = { action: 'update', object: 'uuid' } as const;

export const notificationDeliveryOperations = operations(
  {
    tag: 'External Notification Management',
    resource: 'notificationInstances',
    module: 'core',
    errors: objectErrors,
  },
  {
    /** Latest first. */
    listNotificationDeliveries: {
      route: 'GET /x/v1/notificationDeliveries',
      summary: 'List sent and pending deliveries of notification instances',
      query: z.object({
        state: NotificationDeliveryState.optional(),
        instanceUuid: uuid().optional(),
        profileUuid: uuid().optional(),
        objectUuid: uuid().optional(),
        event: ResourceEvent.optional(),
        /** Only notifications raised at or after this time. */
        from: dateTime().optional(),
        /** Only notifications raised before this time. */
        until: dateTime().optional(),
        ...pageQuery,
      }),
      answer: NotificationDeliveries,
      errors: plainErrors,
      access: { action: 'detail' },
    },
    getNotificationDelivery: {
      route: 'GET /x/v1/notificationDeliveries/{uuid}',
      summary: 'Get a delivery with its data',
      answer: NotificationDeliveryDetail,
      access: { action: 'detail' },
    },
    /**
     * A failed delivery is retried with the same key, so that recipients who already received it do not receive it
     * twice. A completed delivery is sent again. Returns 422 if the delivery is waiting or its instance has been
     * removed.
     */
    replayNotificationDelivery: {
      route: 'POST /x/v1/notificationDeliveries/{uuid}/replay',
      summary: 'Deliver a notification again',
      answer: NotificationDeliveryDetail,
      errors: ruleErrors,
      access: { action: 'update' },
      audit: 'update',
    },
    testNotificationInstance: {
      route: 'POST /x/v1/notificationInstances/{uuid}/test',
      summary: 'Send a test notification through an instance',
      body: NotificationTestRequest,
      answer: NotificationTestResult,
      errors: connectorRuleErrors,
      access: ofInstance,
      also: sightOfRecipient,
      audit: 'update',
    },
    /** Returns 422 if the connector does not support previews. Nothing is sent. */
    previewNotification: {
      route: 'POST /x/v1/notificationInstances/{uuid}/preview',
      summary: 'Preview what an instance would send for an event',
      body: NotificationPreviewRequest,
      answer: NotificationPreviewDto,
      errors: connectorRuleErrors,
      access: { action: 'detail', object: 'uuid' },
      also: sightOfRecipient,
    },
    countUnreadNotifications: {
      route: 'GET /x/v1/notifications/unread',
      summary: 'Count your unread notifications',
      answer: UnreadNotifications,
      errors: plainErrors,
      access: 'authenticated',
    },
  },
);
