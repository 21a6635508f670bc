// The built-in notification provider for systems: function group notificationProvider, kind WEBHOOK. It sends events
// over HTTP in the format that the receiver expects, signed according to Standard Webhooks.
import type { Connector } from '@signetry/connector-sdk';
import { defineNotification } from '@signetry/connector-sdk/notification';
import { createWebhookKind } from './webhook-kind.ts';
import { KIND, NAME } from './declaration.ts';

export { WEBHOOK } from './attributes/webhook-attributes.ts';

export const webhookNotifications: Connector = defineNotification({
  name: NAME,
  kind: KIND,
  create: createWebhookKind,
});
