// The search parameters of the insights: the open tab, whether the archive counts, and what is chosen on the tab.
import type { RenewalOutcome } from '@signetry/contract';
import { readPage } from '../../kit/list-search.ts';

export const INSIGHT_TABS = ['expiry', 'renewals', 'lifetimes', 'keys', 'quantum', 'issuers', 'owners'] as const;
export type InsightTab = (typeof INSIGHT_TABS)[number];

export interface InsightsSearch {
  /** Absent: the first one. */
  readonly tab?: InsightTab;
  readonly includeArchived?: true;
  /** Of renewals. */
  readonly outcome?: RenewalOutcome;
  readonly from?: string;
  readonly until?: string;
  readonly page?: number;
  /** Distinguished name of the issuer whose chain is shown. */
  readonly issuer?: string;
}

const OUTCOMES: readonly RenewalOutcome[] = ['inTime', 'late', 'never'];

/** URLs come from anywhere; parameters that cannot be read are dropped. */
export function readInsightsSearch(given: Record<string, unknown>): InsightsSearch {
  const { tab, includeArchived, issuer } = given;
  const known = INSIGHT_TABS.find((each) => each === tab);
  return {
    ...(known === undefined || known === 'expiry' ? {} : { tab: known }),
    ...(includeArchived === true ? { includeArchived } : {}),
    ...(known === 'renewals' ? readRenewals(given) : {}),
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
