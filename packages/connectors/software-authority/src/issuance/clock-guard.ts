// Refuses to sign while the clock is behind what was already recorded: a clock that fell back would date certificates and
// CRLs wrongly, and a database that was restored next to a younger one shows up here, too.
import { ConnectorError } from '@signetry/connector-sdk';
import type { IssuanceJournal } from './issuance-journal.ts';

/** Nodes may differ by a little; more is a clock that is wrong. */
const TOLERANCE_MS = 60_000;

export interface ClockGuard {
  /** The time to use, or a refusal. */
  now(): Promise<Date>;
  /** A time that is in the journal now. */
  recorded(instant: Date): void;
}

export function createClockGuard(clock: { now(): Date }, journal: Pick<IssuanceJournal, 'lastPreparedAt'>): ClockGuard {
  let latestMs: number | undefined;
  return {
    async now() {
      latestMs ??= (await journal.lastPreparedAt())?.getTime() ?? 0;
      const now = clock.now();
      if (now.getTime() >= latestMs - TOLERANCE_MS) return now;
      const latest = new Date(latestMs).toISOString();
      throw new ConnectorError(
        500,
        `The clock says ${now.toISOString()}, but the journal has a certificate of ${latest}; nothing is signed until the clock is past that.`,
      );
    },
    recorded: (instant) => {
      latestMs = Math.max(latestMs ?? 0, instant.getTime());
    },
  };
}
