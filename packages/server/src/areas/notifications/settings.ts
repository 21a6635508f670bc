// How long notifications and deliveries are kept, and their removal afterwards.
import type { NotificationSettings } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import { createRounds, type Rounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import { createSettingsSection } from '../../platform/settings/section.ts';
import type { AuditTrail } from '../audit/index.ts';
import { purgeDeliveries } from './store-deliveries.ts';
import { purgeNotifications } from './store-inbox.ts';

const NAME = 'notifications';
const DAY_MS = 86_400_000;
const PERIOD_MS = 600_000;
/** Rows that are removed in one statement. */
const BATCH = 1_000;
const initial: NotificationSettings = { deliveriesKeptDays: 30, notificationsKeptDays: 365 };

export interface KeptTimes {
  current(): Promise<NotificationSettings>;
  set(settings: NotificationSettings, context: RequestContext): Promise<NotificationSettings>;
  readonly removal: Rounds;
  /** One batch of each; true when there may be more. */
  removeOld(): Promise<boolean>;
}

export function createKeptTimes(platform: Platform, { audit }: { readonly audit: AuditTrail }): KeptTimes {
  const { database, clock, log } = platform;
  const section = createSettingsSection(platform, { name: NAME, initial });

  async function removeOld(): Promise<boolean> {
    const { deliveriesKeptDays, notificationsKeptDays } = await section.current();
    const old = (days: number) => ({ before: new Date(clock.now().getTime() - days * DAY_MS), limit: BATCH });
    const remove = async (purge: Purge, days: number) => (await purge(database.executor, old(days))) === BATCH;
    const moreDeliveries = await remove(purgeDeliveries, deliveriesKeptDays);
    const moreNotifications = await remove(purgeNotifications, notificationsKeptDays);
    return moreDeliveries || moreNotifications;
  }

  return {
    current: section.current,
    async set(settings, context) {
      await database.transaction(async (tx) => {
        await section.change(tx, () => settings);
        await audit.append(tx, context, { objects: [{ name: NAME }], data: settings });
      });
      section.forget();
      return section.current();
    },
    removeOld,
    removal: createRounds({ log, what: 'removing old notifications', periodMs: PERIOD_MS, run: removeOld }),
  };
}

type Purge = (executor: Executor, old: { readonly before: Date; readonly limit: number }) => Promise<number>;
