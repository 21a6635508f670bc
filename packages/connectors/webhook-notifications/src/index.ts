// Built-in notification provider for systems: function group notificationProvider, kind WEBHOOK. Sends events over
// HTTP, signed according to Standard Webhooks, in the format that the receiver expects.
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
