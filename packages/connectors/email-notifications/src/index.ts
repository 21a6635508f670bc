// The built-in email notification provider: function group notificationProvider, kind EMAIL. It sends an email to each
// recipient through an SMTP server. Owns: accepted_mail.
import type { Connector } from '@signetry/connector-sdk';
import { defineNotification } from '@signetry/connector-sdk/notification';
import { KIND, NAME } from './declaration.ts';
import { createEmailKind } from './email-kind.ts';
import { migrations } from './migrations.ts';

export { EMAIL } from './attributes/email-attributes.ts';

export const emailNotifications: Connector = defineNotification({
  name: NAME,
  kind: KIND,
  migrations,
  create: createEmailKind,
});
