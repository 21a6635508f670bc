// Creates a notification connector from its kind.
import { IDEMPOTENCY_FEATURE } from '@signetry/contract';
import type { Connector, ConnectorMigration } from '../connector.ts';
import { defineConnector } from '../define-connector.ts';
import { healthOf } from '../health.ts';
import { createIdempotencyJournal } from '../journal/idempotency-journal.ts';
import { Channels } from './channels.ts';
import { InstanceStore } from './instance-store.ts';
import { notificationHandlers } from './notification-handlers.ts';
import type { CreateNotificationKind } from './notification-kind.ts';
import { instanceSecrets, notificationMigrations } from './notification-migrations.ts';

export interface NotificationDefinition<Settings> {
  readonly name: string;
  /** Name of the kind, as sent by callers. */
  readonly kind: string;
  /** Migrations for further tables, in addition to the instance tables. */
  readonly migrations?: readonly ConnectorMigration[];
  readonly create: CreateNotificationKind<Settings>;
}

export const defineNotification = <Settings>({
  name,
  kind: kindName,
  migrations = [],
  create,
}: NotificationDefinition<Settings>): Connector =>
  defineConnector({
    name,
    functions: { notificationProvider: { kinds: [kindName], features: [IDEMPOTENCY_FEATURE] } },
    migrations: [...notificationMigrations, ...migrations],
    sealedValues: [instanceSecrets],
    create(context) {
      const kind = create(context);
      const store = new InstanceStore(context.storage);
      const channels = new Channels(context, kind);
      const idempotency = createIdempotencyJournal(context.storage);
      const database = () =>
        context.storage.query('SELECT 1').catch(() => Promise.reject(new Error('The database does not respond.')));
      return {
        functions: { notificationProvider: notificationHandlers({ context, kind, store, channels, idempotency }) },
        health: () => healthOf({ database }),
        stop: () => channels.closeAll(),
      };
    },
  });
