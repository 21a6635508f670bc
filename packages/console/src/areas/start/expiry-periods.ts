// Certificates by expiry, in periods that each link to a search: expired, expiring soon, a year in steps, and later.
// Expired and expiring soon are relative to the current time, but the platform counts whole days, so the partial days
// at these two boundaries are counted separately.
import type { CertificateSeriesEntry } from '@signetry/contract';
import { DAY_MS, formatDate, formatDay } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import type { Tone } from '../../ui/state.tsx';
import { EXPIRES_SOON_DAYS } from '../certificates/expires-soon.ts';
import {
  expiredFilter,
  expiresBefore,
  expiresFrom,
  expiresWithinDays,
  inState,
  listOf,
} from '../certificates/filters.ts';

/** Twelve periods cover nearly a year. The first one contains the certificates that expire soon. */
const PERIODS = 12;

export interface Period {
  /** Label below the bar. */
  readonly label: string;
  /** Verb that follows the number of certificates, in singular and plural. */
  readonly verb: readonly [one: string, many: string];
  readonly when?: string;
  readonly tone: Tone;
  readonly certificates: number;
  readonly search: CertificateSearch;
}

/** Counts that supplement the daily counts for the coming year. */
export interface SupplementaryCounts {
  readonly expired: number;
  readonly later: number;
  /** Certificates that expire today and have already expired. */
  readonly endedToday: number;
  /** Certificates that expire on the last day of the "soon" period, before the period ends. */
  readonly soonOnLastDay: number;
}

/** Returns midnight UTC, because the platform counts days in UTC. */
const startOfDay = (instant: number): Date => new Date(instant - (instant % DAY_MS));

const startOf = (period: number, now: Date): Date =>
  new Date(startOfDay(now.getTime()).getTime() + period * EXPIRES_SOON_DAYS * DAY_MS);
const endOfSoonPeriod = (now: Date): Date => new Date(now.getTime() + EXPIRES_SOON_DAYS * DAY_MS);

const searchIssued = (...filters: Parameters<typeof listOf>[0]): CertificateSearch =>
  listOf([inState('issued'), ...filters], 'notAfter');

/** Returns the searches for the additional counts. */
export const supplementarySearches = (now: Date): Readonly<Record<keyof SupplementaryCounts, CertificateSearch>> => ({
  expired: searchIssued(expiredFilter),
  later: searchIssued(expiresFrom(startOf(PERIODS, now))),
  endedToday: searchIssued(expiresFrom(startOf(0, now)), expiresBefore(now)),
  soonOnLastDay: searchIssued(expiresFrom(startOf(1, now)), expiresBefore(endOfSoonPeriod(now))),
});

export function periodsOf(
  days: readonly CertificateSeriesEntry[],
  now: Date,
  beyond: SupplementaryCounts,
): readonly Period[] {
  const { expired, later } = supplementarySearches(now);
  const { endedToday, soonOnLastDay } = beyond;
  const year = Array.from({ length: PERIODS }, (_, period) => countInPeriod(period, days, now));
  const [first = 0, second = 0, ...others] = year;
  // The counts may have been taken at different times, so a difference can be negative.
  const counts = [first - endedToday + soonOnLastDay, second - soonOnLastDay, ...others].map((n) => Math.max(n, 0));
  return [
    {
      label: 'Expired',
      verb: ['has expired', 'have expired'],
      tone: 'bad',
      certificates: beyond.expired,
      search: expired,
    },
    ...counts.map((certificates, period) => ({ ...periodFrom(period, now), certificates })),
    {
      label: 'Later',
      verb: EXPIRES,
      when: `on or after ${formatDate(startOf(PERIODS, now))}`,
      tone: 'good',
      certificates: beyond.later,
      search: later,
    },
  ];
}

const EXPIRES = ['expires', 'expire'] as const;

function countInPeriod(period: number, days: readonly CertificateSeriesEntry[], now: Date): number {
  const [start, end] = [startOf(period, now), startOf(period + 1, now)];
  return days
    .filter(({ from }) => Date.parse(from) >= start.getTime() && Date.parse(from) < end.getTime())
    .reduce((sum, { certificates }) => sum + certificates, 0);
}

function periodFrom(period: number, now: Date): Omit<Period, 'certificates'> {
  const [start, end] = [startOf(period, now), startOf(period + 1, now)];
  const label = formatDay(start);
  if (period === 0) {
    const search = searchIssued(expiresWithinDays(EXPIRES_SOON_DAYS));
    return { label, verb: EXPIRES, when: `within ${EXPIRES_SOON_DAYS} days`, tone: 'warn', search };
  }
  return {
    label,
    verb: EXPIRES,
    when: `from ${formatDate(start)} to ${formatDate(new Date(end.getTime() - DAY_MS))}`,
    tone: 'good',
    search: searchIssued(expiresFrom(period === 1 ? endOfSoonPeriod(now) : start), expiresBefore(end)),
  };
}

/** Returns text such as `12 certificates expire from 1 Jan 2027 to 30 Jan 2027`. */
export const describePeriod = ({ verb: [one, many], when, certificates }: Period): string =>
  [formatCount(certificates), ...(certificates === 1 ? ['certificate', one] : ['certificates', many]), when]
    .filter((word) => word !== undefined)
    .join(' ');
