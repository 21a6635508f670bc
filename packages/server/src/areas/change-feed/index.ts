// Event feed for client programs, and event retention. Owns: no table. Invariants: a caller receives an event only if a
// list would currently show its object to the caller; positions only increase.
import { createRounds } from '../../platform/jobs/rounds.ts';
import type { Area, ObjectNames, Platform } from '../../platform/platform.ts';
import type { Settings } from '../settings/index.ts';
import { changeFeedRoutes } from './routes.ts';
import { createFeedService } from './service.ts';

export interface ChangeFeedParts {
  readonly settings: Pick<Settings, 'retention'>;
  /** Existing objects of resources whose permissions are granted for individual objects. */
  readonly objectNames: () => ObjectNames;
}

const DAY_MS = 86_400_000;
const HOURLY = '23 * * * *';
const MEASURED_EVERY_MS = 15_000;

export function createChangeFeedArea(platform: Platform, { settings, objectNames }: ChangeFeedParts): Area {
  const { events, clock, jobs, log, metrics } = platform;
  const service = createFeedService(platform, { objectNames });
  jobs.declare({
    name: 'events-deletion',
    schedule: HOURLY,
    retryLimit: 0,
    handle: async (_payload, { signal }) => {
      const { eventsKeptDays } = await settings.retention();
      await events.deleteOld(new Date(clock.now().getTime() - eventsKeptDays * DAY_MS), signal);
    },
  });
  const measuring = createRounds({
    log,
    what: 'measuring event lag',
    periodMs: MEASURED_EVERY_MS,
    run: async () => {
      for (const { name: follower, lag, setAside } of await events.findLags()) {
        metrics.eventsUnread.set({ follower }, lag);
        metrics.eventsSetAside.set({ follower }, setAside);
      }
      return false;
    },
  });
  return {
    routes: changeFeedRoutes(service),
    start: () => Promise.resolve(measuring.start()),
    leave: service.leave,
    stop: () => measuring.stop(),
  };
}
