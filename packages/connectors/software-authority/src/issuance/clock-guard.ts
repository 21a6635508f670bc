// Rejects signing while the clock is behind the newest journal entry, because a clock that was set back would misdate
// certificates and CRLs. If the recorded time is the one that is wrong, an operator specifies that time in the
// settings. The check resumes with the next entry.
import { ConnectorError, type ConnectorContext } from '@signetry/connector-sdk';
import type { CrlStore } from '../revocation/crl-store.ts';
import type { IssuanceJournal } from './issuance-journal.ts';

/** Allowed clock skew between nodes; a larger difference means that a clock is wrong. */
const TOLERANCE_MS = 60_000;

export interface ClockGuard {
  /** Returns the time to use, or rejects if the clock is behind. */
  now(): Promise<Date>;
  /** Records the time of a new journal entry. */
  recorded(instant: Date): void;
  /** Returns a description of the clock problem and its fix, or undefined if the clock is correct. */
  problem(): Promise<string | undefined>;
}

export interface ClockGuardParts extends Pick<ConnectorContext, 'clock' | 'log' | 'acceptedClock'> {
  readonly journal: Pick<IssuanceJournal, 'lastPreparedAt'>;
  readonly crls: Pick<CrlStore, 'endFutureCrls'>;
}

export function createClockGuard({ clock, log, acceptedClock, journal, crls }: ClockGuardParts): ClockGuard {
  let latestMs: number | undefined;

  async function problem(): Promise<string | undefined> {
    const now = clock.now();
    const isBehind = (): boolean => now.getTime() < (latestMs ?? Infinity) - TOLERANCE_MS;
    if (!isBehind()) return undefined;
    // The journal is read again because another node may have added an entry in the meantime, with an accepted or
    // corrected clock.
    const latest = await journal.lastPreparedAt();
    latestMs = latest?.getTime() ?? 0;
    if (!latest || !isBehind()) return undefined;
    if (acceptedClock?.getTime() !== latest.getTime()) return describeClockProblem({ now, latest });
    log.warn({ now, latest }, 'The clock is accepted although the journal has a later entry, as configured');
    await crls.endFutureCrls(now);
    latestMs = 0;
    return undefined;
  }

  return {
    problem,
    async now() {
      const words = await problem();
      if (words !== undefined) throw new ConnectorError(503, words);
      return clock.now();
    },
    recorded: (instant) => {
      latestMs = Math.max(latestMs ?? 0, instant.getTime());
    },
  };
}

const describeClockProblem = ({ now, latest }: { readonly now: Date; readonly latest: Date }): string =>
  `the clock of this node is at ${now.toISOString()}, ${duration(latest.getTime() - now.getTime())} ` +
  `before the newest entry in the issuance journal (${latest.toISOString()}); nothing is signed until the clock has passed that time. ` +
  'Correct the clock. If it is correct and the entry was recorded by a wrong clock, ' +
  `start with --accept-clock ${latest.toISOString()}`;

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** Returns the two largest units, e.g. `2 h 3 min`. */
function duration(ms: number): string {
  let left = ms;
  const parts = UNITS.flatMap(([unit, unitMs]) => {
    const count = Math.floor(left / unitMs);
    left -= count * unitMs;
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return parts.slice(0, 2).join(' ');
}
