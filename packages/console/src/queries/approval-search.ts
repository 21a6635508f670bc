// Search parameters for the approvals page: the open tab and the page number of its list.
import { readPage } from '../kit/list-search.ts';

export const APPROVAL_TABS = ['waiting', 'history', 'all'] as const;
export type ApprovalTab = (typeof APPROVAL_TABS)[number];

export interface ApprovalSearch {
  /** Absent for the first tab. */
  readonly tab?: ApprovalTab;
  readonly page?: number;
}

/** Reads the search parameters. URLs are untrusted, so malformed parameters are dropped. */
export function readApprovalSearch({ tab, page }: Record<string, unknown>): ApprovalSearch {
  const known = APPROVAL_TABS.find((each) => each === tab);
  return { ...(known === undefined || known === 'waiting' ? {} : { tab: known }), ...readPage(page) };
}
