// Notifications to users on the platform, and through notification providers. Owns: notification,
// notification_instance, notification_profile, notification_profile_version, notification_pending,
// notification_delivery. Invariants: users see only their own notifications; profile versions are immutable; an
// instance cannot be removed while a version references it; each cause notifies a recipient once; deliveries are queued
// in the transaction that raises them, and no calls are made in it.
//
// - deliveries/retry-schedule.ts: retry delay of webhooks and emails, and when a delivery fails permanently
// - deliveries/deliver.ts, failure.ts: one attempt, and whether it is retried; queue.ts sends queued deliveries
// - deliveries/addresses.ts, try-out.ts: email addresses and mapped attributes of recipients, and test messages
// - deliveries/service.ts: pending, delivered and failed deliveries, and delivering again
// - sending/texts.ts: text of a notification, also of an expiry email; the rest of an email comes from the connector
//   email-notifications
// - sending/send.ts, recipients.ts: queues the messages of a notification profile; determines its recipients
// - sending/repeat.ts, repetition.ts: how often an expiry notification is repeated; for its lead time see the area
//   expiry
// - sending/without-profiles.ts: notifications that users receive without a profile
// - profiles/: notification profiles and their versions
// - instances/: notification instances at a provider, and their mapped attributes
// - inbox/service.ts, store-inbox.ts: notifications of a user
// - store.ts, store-deliveries.ts: queries; store-pending.ts has those for lasting conditions
// - routes.ts, ports.ts, tables.ts: operations, ports for other areas, and rows
import type { Executor } from '../../platform/database/database.ts';
import type { FindNames } from '../../platform/objects/named-objects.ts';
import type { Area, Belongings, Platform, RetentionPolicy } from '../../platform/platform.ts';
import { createAddresses } from './deliveries/addresses.ts';
import { createDeliverer } from './deliveries/deliver.ts';
import { createDeliveryQueue } from './deliveries/queue.ts';
import { createDeliveryService } from './deliveries/service.ts';
import { createTryOut } from './deliveries/try-out.ts';
import { createInboxService } from './inbox/service.ts';
import { createInstanceService, type InstanceServiceParts } from './instances/service.ts';
import type { NotificationProfileUse, Users } from './ports.ts';
import { createProfileService } from './profiles/service.ts';
import { notificationRoutes } from './routes.ts';
import { createRecipients } from './sending/recipients.ts';
import { createRepetition, checkPending } from './sending/repeat.ts';
import { send, REPORTED_WITHOUT_PROFILE, type Message } from './sending/send.ts';
import { notifyWithoutProfiles } from './sending/without-profiles.ts';
import { instances, profiles } from './store.ts';
import { purgeDeliveries } from './store-deliveries.ts';
import { purgeNotifications } from './store-inbox.ts';

export type { NotificationProfileUse } from './ports.ts';
export type { Message } from './sending/send.ts';

export interface NotificationAreaParts extends InstanceServiceParts {
  readonly identity: Users;
  /** Owners and groups of objects in all areas; available after all areas have been created. */
  readonly belongings: () => Belongings;
}

/** Functions of notifications for other areas. */
export interface Notifications {
  /**
   * Queues the messages for the notification profiles in the caller's transaction. A repeated cause does not send a
   * second message. Profiles that have been removed are skipped; if none remain, the message is rejected. Call `wake`
   * after the commit.
   */
  send(tx: Executor, message: Message & { readonly profileUuids: readonly string[] }): Promise<void>;
  /** Sends queued messages immediately; otherwise they are sent within a second. */
  wake(): void;
  /**
   * Repeats notifications of lasting conditions that are due, and removes those whose condition has ended. Background
   * jobs also do this.
   */
  lookAgain(): Promise<void>;
  readonly findProfileNames: FindNames;
  registerUse(use: NotificationProfileUse): void;
}

export function createNotificationsArea(platform: Platform, areas: NotificationAreaParts): Area & Notifications {
  const { audit, attributes, connectors, identity: users, belongings } = areas;
  const uses: NotificationProfileUse[] = [];
  const recipients = createRecipients({ users, belongings });
  const addresses = createAddresses({ users, attributes });
  const deliverer = createDeliverer({ platform, connectors, addresses });
  const queue = createDeliveryQueue({ platform, deliverer });
  const repetition = createRepetition({ platform, recipients, queued: queue.wake });
  connectors.registerDependants({ what: 'Notification instances', ...instances.referringBy('connector_uuid') });
  platform.events.follow({
    name: 'notifications',
    wants: async () => REPORTED_WITHOUT_PROFILE,
    handle: (tx, events) => notifyWithoutProfiles(recipients, tx, events),
  });

  return {
    routes: notificationRoutes({
      inbox: createInboxService(platform, { audit }),
      instances: createInstanceService(platform, areas),
      profiles: createProfileService(platform, { audit, users, uses }),
      deliveries: createDeliveryService(platform, { audit, queued: queue.wake }),
      tryOut: createTryOut(platform, { audit, connectors, deliverer, recipients }),
    }),
    retentionPolicies,
    send: (tx, message) => send({ platform, recipients }, tx, message),
    wake: queue.wake,
    lookAgain: async () => {
      await checkPending({ platform, recipients });
    },
    findProfileNames: profiles.findNames,
    registerUse: (use) => void uses.push(use),
    async start() {
      queue.start();
      repetition.start();
    },
    async stop() {
      await Promise.all([queue.stop(), repetition.stop()]);
    },
  };
}

const retentionPolicies: readonly RetentionPolicy[] = [
  {
    setting: 'deliveriesKeptDays',
    what: 'notification deliveries',
    tables: ['notification_delivery'],
    remove: purgeDeliveries,
  },
  {
    setting: 'notificationsKeptDays',
    what: 'user notifications',
    tables: ['notification'],
    remove: purgeNotifications,
  },
];
