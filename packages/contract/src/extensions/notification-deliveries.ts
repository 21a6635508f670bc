// What became of notifications that leave the platform, trying out a notification instance, and how many notifications
// are unread. Not part of the published interface.
import { z } from 'zod';
import { NotificationPreviewDto } from '../connector/notification-shapes.ts';
import { ResourceEvent } from '../enums/workflows.ts';
import { connectorRuleErrors, objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { Resource } from '../platform/resource.ts';
import { sightOf } from '../platform/second-objects.ts';
import { dateTime, int32, int64, uuid } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';

/** `waiting`: for its first attempt or the next one. `failed`: it is not tried again unless somebody asks for it. */
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
  /** Absent when the instance has been removed since. */
  instanceUuid: uuid().optional(),
  instanceName: z.string(),
  /** Absent when the profile has been removed since. */
  profileUuid: uuid().optional(),
  profileName: z.string(),
  profileVersion: int32(),
  event: ResourceEvent,
  resource: Resource,
  objectUuid: uuid().optional(),
  recipients: z.array(NotificationDeliveryRecipient),
  attempts: int32(),
  raisedAt: dateTime(),
  /** Only of those that wait. */
  nextAttemptAt: dateTime().optional(),
  endedAt: dateTime().optional(),
  /** Why the last attempt failed, or whom it left out. */
  problem: z.string().optional(),
};

export const NotificationDelivery = z.object(listed).meta({ id: 'NotificationDelivery' });
export type NotificationDelivery = z.output<typeof NotificationDelivery>;

export const NotificationDeliveryDetail = z
  .object({
    ...listed,
    /** Facts of the event; their form depends on it. */
    notificationData: z.unknown(),
  })
  .meta({ id: 'NotificationDeliveryDetail' });
export type NotificationDeliveryDetail = z.output<typeof NotificationDeliveryDetail>;

export const NotificationDeliveries = z
  .object({ deliveries: z.array(NotificationDelivery), ...pageTotals })
  .meta({ id: 'NotificationDeliveries' });
export type NotificationDeliveries = z.output<typeof NotificationDeliveries>;

/** One of a user, a group and a role at most; without any, the instance gets no recipient. */
const recipient = { userUuid: uuid().optional(), groupUuid: uuid().optional(), roleUuid: uuid().optional() };

export const NotificationTestRequest = z.object(recipient).meta({ id: 'NotificationTestRequest' });
export type NotificationTestRequest = z.output<typeof NotificationTestRequest>;

export const NotificationTestResult = z
  .object({
    delivered: z.boolean(),
    /** Why it was not. */
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
      summary: 'List what was sent through notification instances, or is to be',
      query: z.object({
        state: NotificationDeliveryState.optional(),
        instanceUuid: uuid().optional(),
        profileUuid: uuid().optional(),
        objectUuid: uuid().optional(),
        event: ResourceEvent.optional(),
        /** Raised at this moment or later. */
        from: dateTime().optional(),
        /** Raised before it. */
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
     * One that failed is tried again under its key, so that nobody who got it gets it twice; one that was delivered is
     * sent once more. Refused (422) while it waits, and when its instance has been removed.
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
    /** Refused (422) where the connector has no previews. Nothing is sent. */
    previewNotification: {
      route: 'POST /x/v1/notificationInstances/{uuid}/preview',
      summary: 'Preview what an instance sends for an event',
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
