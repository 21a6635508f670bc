// When certificates expire, in periods that each can be pointed at: what has expired, a year in steps, and the rest.
import type { CertificateSeriesEntry } from '@signetry/contract';
import { DAY_MS, formatDate, formatDay } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import type { Tone } from '../../ui/state.tsx';
import { EXPIRES_SOON_DAYS } from '../certificates/expires-soon.ts';
import { endedBefore, endsFrom, inState, listOf } from '../certificates/filters.ts';

/** Twelve of them are nearly a year; the first one is what expires soon. */
const PERIODS = 12;

export interface Period {
  /** Below the bar. */
  readonly label: string;
  /** In the middle of a sentence, after `expire`. */
  readonly when: string;
  readonly tone: Tone;
  readonly certificates: number;
  readonly search: CertificateSearch;
}

/** What is counted apart from the days of the coming year. */
export interface Beyond {
  readonly expired: number;
  readonly later: number;
}

export const expiredBefore = (today: Date): CertificateSearch =>
  listOf([inState('issued'), endedBefore(today)], 'notAfter');
export const laterThan = (today: Date): CertificateSearch =>
  listOf([inState('issued'), endsFrom(startOf(PERIODS, today))], 'notAfter');

/** Midnight in UTC, as the platform counts days. */
export const startOfDay = (instant: number): Date => new Date(instant - (instant % DAY_MS));

const startOf = (period: number, today: Date): Date => new Date(today.getTime() + period * EXPIRES_SOON_DAYS * DAY_MS);

export function periodsOf(days: readonly CertificateSeriesEntry[], today: Date, beyond: Beyond): readonly Period[] {
  const end = startOf(PERIODS, today);
  return [
    {
      label: 'Expired',
      when: `before ${formatDate(today)}`,
      tone: 'bad',
      certificates: beyond.expired,
      search: expiredBefore(today),
    },
    ...Array.from({ length: PERIODS }, (_, period) => periodOf(period, days, today)),
    {
      label: 'Later',
      when: `on or after ${formatDate(end)}`,
      tone: 'good',
      certificates: beyond.later,
      search: laterThan(today),
    },
  ];
}

function periodOf(period: number, days: readonly CertificateSeriesEntry[], today: Date): Period {
  const [start, end] = [startOf(period, today), startOf(period + 1, today)];
  const within = days.filter(({ from }) => Date.parse(from) >= start.getTime() && Date.parse(from) < end.getTime());
  return {
    label: formatDay(start),
    when: `from ${formatDate(start)} to ${formatDate(new Date(end.getTime() - DAY_MS))}`,
    tone: period === 0 ? 'warn' : 'good',
    certificates: within.reduce((sum, { certificates }) => sum + certificates, 0),
    search: listOf([inState('issued'), endsFrom(start), endedBefore(end)], 'notAfter'),
  };
}

/** `12 certificates expire from 1 Jan 2027 to 30 Jan 2027`. */
export const wordsOf = ({ label, when, certificates }: Period): string => {
  const isOne = certificates === 1;
  const verb = label === 'Expired' ? 'expired' : isOne ? 'expires' : 'expire';
  return `${formatCount(certificates)} ${isOne ? 'certificate' : 'certificates'} ${verb} ${when}`;
};
