// Compliance routes: overview, profiles and internal rules.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { readListSearch } from '../../kit/list-search.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes, type PageRoute } from '../../kit/routes.ts';
import { complianceProfileListQuery, ownRuleListQuery, runListQuery } from '../../queries/compliance.ts';

export const complianceRoutes: readonly PageRoute[] = [
  {
    path: paths.compliance.list,
    component: lazyRouteComponent(() => import('./overview-page.tsx'), 'CompliancePage'),
    loader: () => void prefetch('complianceProfiles', runListQuery),
  },
  ...objectRoutes(paths.compliance.profiles, {
    resource: 'complianceProfiles',
    list: lazyRouteComponent(() => import('./profile-list-page.tsx'), 'ComplianceProfileListPage'),
    new: lazyRouteComponent(() => import('./edit-profile-page.tsx'), 'NewComplianceProfilePage'),
    one: lazyRouteComponent(() => import('./profile-page.tsx'), 'ComplianceProfilePage'),
    edit: lazyRouteComponent(() => import('./edit-profile-page.tsx'), 'EditComplianceProfilePage'),
    askEarly: () => prefetch('complianceProfiles', complianceProfileListQuery),
  }),
  {
    path: paths.compliance.rules.list,
    component: lazyRouteComponent(() => import('./rule-list-page.tsx'), 'OwnRuleListPage'),
    validateSearch: readListSearch,
    loader: () => void prefetch('complianceProfiles', ownRuleListQuery),
  },
  {
    path: paths.compliance.rules.new,
    component: lazyRouteComponent(() => import('./edit-rule-page.tsx'), 'NewOwnRulePage'),
    needs: ['complianceProfiles', 'create'],
  },
  {
    path: paths.compliance.rules.edit('$uuid'),
    component: lazyRouteComponent(() => import('./edit-rule-page.tsx'), 'EditOwnRulePage'),
  },
];
