// Removal of notifications and deliveries that are not kept any longer.
import { createRounds, type Rounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Settings } from '../settings/index.ts';
import { purgeDeliveries } from './store-deliveries.ts';
import { purgeNotifications } from './store-inbox.ts';

const DAY_MS = 86_400_000;
const PERIOD_MS = 600_000;
/** Rows that are removed in one statement. */
const BATCH = 1_000;

interface RemovalAreas {
  readonly settings: Pick<Settings, 'retention'>;
}

export const createRemoval = (platform: Platform, areas: RemovalAreas): Rounds =>
  createRounds({
    log: platform.log,
    what: 'removing old notifications',
    periodMs: PERIOD_MS,
    run: () => removeOld(platform, areas),
  });

/** One batch of each; true when there may be more. */
export async function removeOld({ database, clock }: Platform, { settings }: RemovalAreas): Promise<boolean> {
  const { deliveriesKeptDays, notificationsKeptDays } = await settings.retention();
  const old = (days: number) => ({ before: new Date(clock.now().getTime() - days * DAY_MS), limit: BATCH });
  const remove = async (purge: Purge, days: number) => (await purge(database.executor, old(days))) === BATCH;
  const moreDeliveries = await remove(purgeDeliveries, deliveriesKeptDays);
  const moreNotifications = await remove(purgeNotifications, notificationsKeptDays);
  return moreDeliveries || moreNotifications;
}

type Purge = (
  executor: Parameters<typeof purgeDeliveries>[0],
  old: { readonly before: Date; readonly limit: number },
) => Promise<number>;
