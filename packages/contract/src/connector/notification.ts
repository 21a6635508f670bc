// Operations of the notification provider.
import { z } from 'zod';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { DataAttribute } from '../shared/attributes.ts';
import {
  NotificationPreviewDto,
  NotificationProviderInstanceDto,
  NotificationProviderInstanceRequestDto,
  NotificationProviderNotifyRequestDto,
} from './notification-shapes.ts';

/** Identifier that the connector gave to the instance. */
const instanceParam = z.object({ uuid: z.string() });

export const notificationProviderOperations = operations(
  { tag: 'Notification instances Management', errors: objectErrors },
  {
    listNotificationInstances: {
      route: 'GET /v1/notificationProvider/notifications',
      summary: 'List Notification instances',
      answer: z.array(NotificationProviderInstanceDto),
    },
    createNotificationInstance: {
      route: 'POST /v1/notificationProvider/notifications',
      summary: 'Create Notification instance',
      body: NotificationProviderInstanceRequestDto,
      answer: NotificationProviderInstanceDto,
    },
    getNotificationInstance: {
      route: 'GET /v1/notificationProvider/notifications/{uuid}',
      summary: 'Get Notification instance',
      params: instanceParam,
      answer: NotificationProviderInstanceDto,
    },
    updateNotificationInstance: {
      route: 'PUT /v1/notificationProvider/notifications/{uuid}',
      summary: 'Update Notification instance',
      params: instanceParam,
      body: NotificationProviderInstanceRequestDto,
      answer: NotificationProviderInstanceDto,
    },
    removeNotificationInstance: {
      route: 'DELETE /v1/notificationProvider/notifications/{uuid}',
      summary: 'Remove Notification instance',
      params: instanceParam,
    },
    sendNotification: {
      route: 'POST /v1/notificationProvider/notifications/{uuid}/notify',
      summary: 'Notify by Notification instance',
      params: instanceParam,
      body: NotificationProviderNotifyRequestDto,
    },
    /** Beyond the published interface: what `sendNotification` would send to the first recipient. Nothing is sent. */
    previewNotification: {
      route: 'POST /v1/notificationProvider/notifications/{uuid}/preview',
      summary: 'Preview of what a Notification instance would send',
      params: instanceParam,
      body: NotificationProviderNotifyRequestDto,
      answer: NotificationPreviewDto,
      errors: ruleErrors,
      repeated: 'harmless',
      pace: 'form',
    },
    /** Attributes of recipients that the kind can use, to which custom attributes of users are mapped. */
    listMappingAttributes: {
      route: 'GET /v1/notificationProvider/{kind}/attributes/mapping',
      summary: 'List of mapping attributes',
      params: z.object({ kind: z.string() }),
      answer: z.array(DataAttribute),
    },
  },
);
