// Audit log route.
import { lazyRouteComponent } from '@tanstack/react-router';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { readAuditSearch } from '../../queries/audit-search.ts';

export const auditRoutes: readonly PageRoute[] = [
  {
    path: paths.audit,
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'AuditPage'),
    needs: ['auditLogs', 'list'],
    validateSearch: readAuditSearch,
  },
];
