// The days of the expiry calendar: months of days, and what their certificates are found by. Days are in UTC.
import type { CertificateSeriesEntry } from '@signetry/contract';
import { DAY_MS } from '../../format/dates.ts';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { endedBefore, endsFrom, inState, listOf, withArchive } from '../certificates/filters.ts';

/**
 * The longest validities of public TLS certificates, in days, and from when on (CA/Browser Forum Baseline Requirements,
 * section 6.3.2, ballot SC-081v3).
 */
export const VALIDITIES = [
  { days: 47, since: '2029-03-15' },
  { days: 100, since: '2027-03-15' },
  { days: 200, since: '2026-03-15' },
] as const;

export interface CalendarDay {
  /** `2027-03-01` */
  readonly day: string;
  readonly certificates: number;
  /** A certificate of so many days that is issued today ends on this day. */
  readonly validity?: number;
  /** How much of the busiest day, in five steps; 0 for none. */
  readonly shade: number;
}

export interface CalendarMonth {
  /** Its first day. */
  readonly month: string;
  readonly certificates: number;
  /** Columns before its first shown day, in weeks that begin on Monday. */
  readonly offset: number;
  readonly days: readonly CalendarDay[];
}

/** As the address of the page names it: `2027-03`. */
export const keyOf = ({ month }: Pick<CalendarMonth, 'month'>): string => month.slice(0, 7);

const SHADES = 5;

export function monthsOf(entries: readonly CertificateSeriesEntry[]): readonly CalendarMonth[] {
  const most = Math.max(1, ...entries.map(({ certificates }) => certificates));
  const days = entries.map(({ from, certificates }, place): CalendarDay => {
    const validity = VALIDITIES.find((each) => each.days === place)?.days;
    return { day: from, certificates, shade: shadeOf(certificates, most), ...(validity ? { validity } : {}) };
  });
  const months = Map.groupBy(days, ({ day }) => `${day.slice(0, 7)}-01`);
  return [...months].map(([month, ofMonth]) => ({
    month,
    certificates: ofMonth.reduce((sum, { certificates }) => sum + certificates, 0),
    // Sunday is 0.
    offset: (new Date(ofMonth[0]?.day ?? month).getUTCDay() + 6) % 7,
    days: ofMonth,
  }));
}

/** By the logarithm: one busy day must not make all others look empty. */
const shadeOf = (count: number, most: number): number =>
  count === 0 ? 0 : Math.max(1, Math.ceil((Math.log(count + 1) / Math.log(most + 1)) * SHADES));

/** Certificates in state issued that end in these days. */
export const endingIn = (day: string, days: number, includeArchived: boolean): CertificateSearch =>
  withArchive(
    listOf(
      [inState('issued'), endsFrom(new Date(day)), endedBefore(new Date(Date.parse(day) + days * DAY_MS))],
      'notAfter',
    ),
    includeArchived,
  );
