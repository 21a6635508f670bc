// Simulation figures for the chart, the table and the CSV file. Pure.
import type { RenewalSimulation } from '@signetry/contract';
import { DAY_MS } from '../../format/dates.ts';
import { methodTexts } from './renewal-texts.ts';

export interface Week {
  /** First day of the week, in UTC; the first week begins today. */
  readonly day: string;
  readonly renewals: number;
  /** Number of renewals with the current validity periods. */
  readonly renewalsNow: number;
}

const dayAt = (firstDay: string, place: number): string =>
  new Date(Date.parse(firstDay) + place * DAY_MS).toISOString().slice(0, 10);

/** Returns whole weeks only: a partial last week would look like a drop. */
export function weeksOf({ firstDay, perDay, perDayNow }: RenewalSimulation): readonly Week[] {
  const sum = (days: readonly number[], from: number) =>
    days.slice(from, from + 7).reduce((total, renewals) => total + renewals, 0);
  return Array.from({ length: Math.floor(perDay.length / 7) }, (_, week) => ({
    day: dayAt(firstDay, week * 7),
    renewals: sum(perDay, week * 7),
    renewalsNow: sum(perDayNow, week * 7),
  }));
}

export interface BusiestDay {
  readonly day: string;
  readonly renewals: number;
}

export function busiestDayOf(perDay: readonly number[], firstDay: string): BusiestDay {
  const renewals = Math.max(0, ...perDay);
  return { day: dayAt(firstDay, Math.max(0, perDay.indexOf(renewals))), renewals };
}

/** Returns one line per day, with a column for each renewal method, authority and group (RFC 4180). */
export function csvOf({ firstDay, perDay, perDayNow, ways, authorities, groups }: RenewalSimulation): string {
  const columns = [
    { title: 'All', perDay },
    { title: 'All, with current validity periods', perDay: perDayNow },
    ...ways.map((each) => ({ title: methodTexts[each.way], perDay: each.perDay })),
    ...authorities.map((each) => ({ title: `Authority ${each.name}`, perDay: each.perDay })),
    ...groups.map((each) => ({ title: `Group ${each.name}`, perDay: each.perDay })),
  ];
  const lines = perDay.map((_, place) => [
    dayAt(firstDay, place),
    ...columns.map((column) => String(column.perDay[place] ?? 0)),
  ]);
  return [['Day', ...columns.map(({ title }) => title)], ...lines]
    .map((line) => line.map(csvField).join(','))
    .join('\r\n')
    .concat('\r\n');
}

/** Escapes names that a spreadsheet would interpret as a formula. */
const csvField = (text: string): string => {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};
