// Refuses to sign while the clock is behind the newest entry of the journal: a clock that was set back would date
// certificates and CRLs wrongly. If instead the recorded time was wrong, an operator names it in the settings; from the
// next entry on, the check is as before.
import { ConnectorError, type ConnectorContext } from '@signetry/connector-sdk';
import type { CrlStore } from '../revocation/crl-store.ts';
import type { IssuanceJournal } from './issuance-journal.ts';

/** Clocks of nodes may differ a little; a larger difference is a wrong clock. */
const TOLERANCE_MS = 60_000;

export interface ClockGuard {
  /** The time to use, or a refusal. */
  now(): Promise<Date>;
  /** A time that is in the journal now. */
  recorded(instant: Date): void;
  /** What is wrong with the clock and what would help, or undefined while it is right. */
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
    // Read again: another node may have made an entry meanwhile, with a clock that was accepted or corrected.
    const latest = await journal.lastPreparedAt();
    latestMs = latest?.getTime() ?? 0;
    if (!latest || !isBehind()) return undefined;
    if (acceptedClock?.getTime() !== latest.getTime()) return wordsFor({ now, latest });
    log.warn({ now, latest }, 'The clock is accepted although the journal has a later entry, as the settings say');
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

const wordsFor = ({ now, latest }: { readonly now: Date; readonly latest: Date }): string =>
  `the clock of the machine of this node says ${now.toISOString()}, which is ${duration(latest.getTime() - now.getTime())} ` +
  `before the newest entry of the journal of issuance, ${latest.toISOString()}; nothing is signed until it is past that. ` +
  'Set the clock right. If it is right and that entry was made under a wrong one, ' +
  `start with --accept-clock ${latest.toISOString()}`;

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** The two largest units, e.g. `2 h 3 min`. */
function duration(ms: number): string {
  let left = ms;
  const parts = UNITS.flatMap(([unit, unitMs]) => {
    const count = Math.floor(left / unitMs);
    left -= count * unitMs;
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return parts.slice(0, 2).join(' ');
}
