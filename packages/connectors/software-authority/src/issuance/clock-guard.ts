// Refuses to sign while the clock is behind what was already recorded: a clock that fell back would date certificates and
// CRLs wrongly, and a database that was restored next to a younger one shows up here, too.
import { ConnectorError } from '@signetry/connector-sdk';
import type { IssuanceJournal } from './issuance-journal.ts';

/** Nodes may differ by a little; more is a clock that is wrong. */
const TOLERANCE_MS = 60_000;

export interface ClockGuard {
  /** The time to use, or a refusal. */
  now(): Promise<Date>;
}

export function createClockGuard(clock: { now(): Date }, journal: Pick<IssuanceJournal, 'lastPreparedAt'>): ClockGuard {
  let latestMs: number | undefined;
  return {
    async now() {
      latestMs ??= (await journal.lastPreparedAt())?.getTime() ?? 0;
      const now = clock.now();
      if (now.getTime() < latestMs - TOLERANCE_MS) {
        throw new ConnectorError(
          500,
          `The clock says ${now.toISOString()}, but certificates were issued at ${new Date(latestMs).toISOString()}; nothing is signed until it is right.`,
        );
      }
      latestMs = Math.max(latestMs, now.getTime());
      return now;
    },
  };
}
