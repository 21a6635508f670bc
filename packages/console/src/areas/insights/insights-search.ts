// Search parameters of the insights: the open tab, whether archived certificates are included, and the selection on the
// tab.
import type { RenewalOutcome, UnattendedReason } from '@signetry/contract';
import { readPage } from '../../kit/list-search.ts';
import { REASONS } from './renewal-texts.ts';

export const INSIGHT_TABS = [
  'expiry',
  'renewals',
  'unattended',
  'simulation',
  'lifetimes',
  'keys',
  'quantum',
  'issuers',
  'owners',
] as const;
export type InsightTab = (typeof INSIGHT_TABS)[number];

export interface InsightsSearch {
  /** Absent for the first tab. */
  readonly tab?: InsightTab;
  readonly includeArchived?: true;
  /** Expiry calendar: the month shown, e.g. `2027-03`; absent if the whole year is shown. */
  readonly month?: string;
  /** Renewals tab: the selected outcome. */
  readonly outcome?: RenewalOutcome;
  readonly from?: string;
  readonly until?: string;
  /** Page number on the renewals tab and on the tab for certificates without automated renewal. */
  readonly page?: number;
  /** Tab for certificates without automated renewal: the selected reason, and the number of days until expiry. */
  readonly reason?: UnattendedReason;
  readonly days?: number;
  /** Simulation tab: the validity period in days, and the first day on which it applies. */
  readonly lifetime?: number;
  readonly start?: string;
  /** Distinguished name of the issuer whose chain is shown. */
  readonly issuer?: string;
}

const OUTCOMES: readonly RenewalOutcome[] = ['inTime', 'late', 'never'];

/** Reads the search parameters. URLs are untrusted, so unreadable parameters are dropped. */
export function readInsightsSearch(given: Record<string, unknown>): InsightsSearch {
  const { tab, includeArchived, issuer, month } = given;
  const known = INSIGHT_TABS.find((each) => each === tab);
  const isFirst = known === undefined || known === 'expiry';
  return {
    ...(isFirst ? {} : { tab: known }),
    ...(includeArchived === true ? { includeArchived } : {}),
    ...(isFirst && typeof month === 'string' && /^\d{4}-\d\d$/.test(month) ? { month } : {}),
    ...(known === 'renewals' ? readRenewals(given) : {}),
    ...(known === 'unattended' ? readUnattended(given) : {}),
    ...(known === 'simulation' ? readSimulation(given) : {}),
    ...(known === 'issuers' && typeof issuer === 'string' ? { issuer } : {}),
  };
}

function readRenewals({ outcome, from, until, page }: Record<string, unknown>): InsightsSearch {
  const wanted = OUTCOMES.find((each) => each === outcome);
  const isInstant = (text: unknown): text is string => typeof text === 'string' && !Number.isNaN(Date.parse(text));
  return {
    ...(wanted === undefined ? {} : { outcome: wanted }),
    ...(isInstant(from) ? { from } : {}),
    ...(isInstant(until) ? { until } : {}),
    ...readPage(page),
  };
}

function readUnattended({ reason, days, page }: Record<string, unknown>): InsightsSearch {
  const wanted = REASONS.find((each) => each === reason);
  return {
    ...(wanted === undefined ? {} : { reason: wanted }),
    ...(isDays(days) ? { days } : {}),
    ...readPage(page),
  };
}

const readSimulation = ({ lifetime, start }: Record<string, unknown>): InsightsSearch => ({
  ...(isDays(lifetime) ? { lifetime } : {}),
  ...(typeof start === 'string' && /^\d{4}-\d\d-\d\d$/.test(start) && !Number.isNaN(Date.parse(start))
    ? { start }
    : {}),
});

/** Accepts up to ten years. */
const isDays = (given: unknown): given is number =>
  typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= 3_650;
