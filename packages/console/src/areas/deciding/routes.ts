// Approval routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { queryClient } from '../../api/query-client.ts';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { readApprovalSearch } from '../../queries/approval-search.ts';
import { approvalListQuery } from '../../queries/approvals.ts';

export const decidingRoutes: readonly PageRoute[] = [
  {
    path: paths.approvals.list,
    component: lazyRouteComponent(() => import('./inbox-page.tsx'), 'InboxPage'),
    validateSearch: readApprovalSearch,
    // All users can query the approvals that wait for them.
    loader: () => void queryClient.prefetchQuery(approvalListQuery({})),
  },
  {
    path: paths.approvals.one('$uuid'),
    component: lazyRouteComponent(() => import('./approval-page.tsx'), 'ApprovalPage'),
  },
];
