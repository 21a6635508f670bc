// Days and months of the expiry calendar, and the searches for their certificates. Days are in UTC.
import type { CertificateSeriesEntry } from '@signetry/contract';
import { DAY_MS } from '../../format/dates.ts';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { expiresBefore, expiresFrom, inState, listOf, withArchive } from '../certificates/filters.ts';

/**
 * Maximum validity periods of public TLS certificates, in days, and their effective dates (CA/Browser Forum Baseline
 * Requirements, section 6.3.2, ballot SC-081v3).
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
  /** Set if a certificate issued today for this number of days would expire on this day. */
  readonly validity?: number;
  /** Shade for the count relative to the busiest day, in five steps; 0 if there are no certificates. */
  readonly shade: number;
}

export interface CalendarMonth {
  /** First day of the month. */
  readonly month: string;
  readonly certificates: number;
  /** Empty columns before the first shown day; weeks begin on Monday. */
  readonly offset: number;
  readonly days: readonly CalendarDay[];
}

/** Returns the month in the format used in the URL, e.g. `2027-03`. */
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
    // getUTCDay() is 0 on Sundays.
    offset: (new Date(ofMonth[0]?.day ?? month).getUTCDay() + 6) % 7,
    days: ofMonth,
  }));
}

/** Logarithmic, so that one busy day does not make all others look empty. */
const shadeOf = (count: number, most: number): number =>
  count === 0 ? 0 : Math.max(1, Math.ceil((Math.log(count + 1) / Math.log(most + 1)) * SHADES));

/**
 * Returns the search for certificates in the issued state that expire within this number of days, starting on the given
 * day.
 */
export const searchExpiring = (day: string, days: number, includeArchived: boolean): CertificateSearch =>
  withArchive(
    listOf(
      [inState('issued'), expiresFrom(new Date(day)), expiresBefore(new Date(Date.parse(day) + days * DAY_MS))],
      'notAfter',
    ),
    includeArchived,
  );
