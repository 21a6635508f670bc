// Lifetimes in words, and the certificates that have them.
import type { CertificateLifetimeShare } from '@signetry/contract';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { endsFrom, inState, listOf, livesAtMost, livesLongerThan, withArchive } from '../certificates/filters.ts';

type Bounds = Pick<CertificateLifetimeShare, 'moreThanDays' | 'atMostDays'>;

/** Days of so many years, with their leap days. */
const YEARS: Readonly<Record<number, string>> = { 1_827: '5 years', 3_653: '10 years' };

/** `48 to 100 days`, `more than 398 days, up to 825`, `more than 10 years` */
export function lifetimeWords({ moreThanDays, atMostDays }: Bounds): string {
  if (atMostDays === undefined) return `More than ${amount(moreThanDays ?? 0)}`;
  if (moreThanDays === undefined) return `Up to ${amount(atMostDays)}`;
  if (YEARS[atMostDays] === undefined) return `${moreThanDays + 1} to ${amount(atMostDays)}`;
  return `More than ${amount(moreThanDays)}, up to ${amount(atMostDays)}`;
}

const amount = (days: number): string => YEARS[days] ?? `${days} days`;

/** Those that were counted: in use at that moment. */
export const searchOfLifetime = (
  { moreThanDays, atMostDays }: Bounds,
  { countedAt, includeArchived }: { readonly countedAt: string; readonly includeArchived: boolean },
): CertificateSearch =>
  withArchive(
    listOf([
      inState('issued'),
      endsFrom(new Date(countedAt)),
      ...(moreThanDays === undefined ? [] : [livesLongerThan(moreThanDays)]),
      ...(atMostDays === undefined ? [] : [livesAtMost(atMostDays)]),
    ]),
    includeArchived,
  );
