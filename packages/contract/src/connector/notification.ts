// Notification provider operations.
import { z } from 'zod';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { DataAttribute } from '../shared/attributes.ts';
import {
  NotificationPreviewDto,
  NotificationProviderInstanceDto,
  NotificationProviderInstanceRequestDto,
  NotificationProviderNotifyRequestDto,
} from './notification-shapes.ts';

/** Identifier that the connector assigned to the instance. */
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
    /**
     * Returns what `sendNotification` would send to the first recipient, without sending it. Not part of the published
     * interface.
     */
    previewNotification: {
      route: 'POST /v1/notificationProvider/notifications/{uuid}/preview',
      summary: 'Preview a notification without sending it',
      params: instanceParam,
      body: NotificationProviderNotifyRequestDto,
      answer: NotificationPreviewDto,
      errors: ruleErrors,
      repeated: 'harmless',
      pace: 'form',
    },
    /** Lists the recipient attributes that the kind can use. Users' custom attributes are mapped to them. */
    listMappingAttributes: {
      route: 'GET /v1/notificationProvider/{kind}/attributes/mapping',
      summary: 'List of mapping attributes',
      params: z.object({ kind: z.string() }),
      answer: z.array(DataAttribute),
    },
  },
);
