// Approval profile routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes } from '../../kit/routes.ts';
import { approvalProfileListQuery } from '../../queries/approval-profiles.ts';

export const approvalProfileRoutes = objectRoutes(paths.approvalProfiles, {
  resource: 'approvalProfiles',
  list: lazyRouteComponent(() => import('./list-page.tsx'), 'ApprovalProfileListPage'),
  new: lazyRouteComponent(() => import('./edit-page.tsx'), 'NewApprovalProfilePage'),
  one: lazyRouteComponent(() => import('./profile-page.tsx'), 'ApprovalProfilePage'),
  edit: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditApprovalProfilePage'),
  askEarly: () => prefetch('approvalProfiles', approvalProfileListQuery),
  // Absent for the latest version.
  searchOfOne: ({ version }) => (typeof version === 'number' && version >= 1 ? { version: Math.trunc(version) } : {}),
});
