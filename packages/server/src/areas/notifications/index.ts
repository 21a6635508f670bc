// Notifications: what users are told by the platform, and what leaves it through notification providers.
// Owns: notification, notification_instance, notification_profile, notification_profile_version, notification_pending,
// notification_delivery. Invariants: users see their own notifications only; a version of a profile never changes; an
// instance stays while a version names it; one cause tells nobody twice; what is to leave is written with what raised
// it, and nothing is called in that transaction.
//
// deliveries/retry-schedule.ts         retry delay of webhooks and mails, and when a delivery is given up
// deliveries/deliver.ts, failure.ts    one attempt, and whether it is tried again; queue.ts sends what waits
// deliveries/addresses.ts, try-out.ts  mail addresses and mapped attributes of recipients, and test messages
// deliveries/service.ts                what waits, was delivered or failed, and delivering again
// sending/texts.ts                     the text of a notification, also of an expiry mail; what stands around it in
//                                      mails is in the connector email-notifications
// sending/send.ts, recipients.ts       queues the messages of a notification profile; who receives them
// sending/repeat.ts, repetition.ts     how often an expiry is told again; how early it is told: the area expiry
// sending/without-profiles.ts          what users are told without a profile
// profiles/                            notification profiles and their versions
// instances/                           notification instances at a provider, and their mapped attributes
// inbox/service.ts, store-inbox.ts     notifications of a user
// store.ts, store-deliveries.ts        queries; of lasting conditions: store-pending.ts
// routes.ts, ports.ts, tables.ts       operations, what other areas connect, and rows
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
import { createRepetition, lookAgain } from './sending/repeat.ts';
import { send, TOLD_WITHOUT_PROFILE, type Message } from './sending/send.ts';
import { tellWithoutProfiles } from './sending/without-profiles.ts';
import { instances, profiles } from './store.ts';
import { purgeDeliveries } from './store-deliveries.ts';
import { purgeNotifications } from './store-inbox.ts';

export type { NotificationProfileUse } from './ports.ts';
export type { Message } from './sending/send.ts';

export interface NotificationAreaParts extends InstanceServiceParts {
  readonly identity: Users;
  /** Of all areas; complete once they were created. */
  readonly belongings: () => Belongings;
}

/** What other areas use of notifications. */
export interface Notifications {
  /**
   * Queues the messages of notification profiles in the caller's transaction. The same cause twice is one message;
   * profiles that are gone are left out, and refused where none is left. Call `wake` after the commit.
   */
  send(tx: Executor, message: Message & { readonly profileUuids: readonly string[] }): Promise<void>;
  /** Sends at once what was queued; it is found within a second anyway. */
  wake(): void;
  /** Tells again of what lasts and is due, and forgets what has ended; rounds do so by themselves. */
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
    wants: async () => TOLD_WITHOUT_PROFILE,
    handle: (tx, events) => tellWithoutProfiles(recipients, tx, events),
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
      await lookAgain({ platform, recipients });
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
    what: 'deliveries of notifications',
    tables: ['notification_delivery'],
    remove: purgeDeliveries,
  },
  {
    setting: 'notificationsKeptDays',
    what: 'notifications of users',
    tables: ['notification'],
    remove: purgeNotifications,
  },
];
