// Automation routes: the rules, each trigger, and the components of triggers.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes, type PageRoute } from '../../kit/routes.ts';
import { placedTriggersQuery } from '../../queries/workflows.ts';
import { readNewSearch, readPartsSearch } from './new-search.ts';

export const workflowRoutes: readonly PageRoute[] = [
  {
    path: paths.automation.parts,
    component: lazyRouteComponent(() => import('./parts-page.tsx'), 'PartsPage'),
    validateSearch: readPartsSearch,
    needs: ['triggers', 'list'],
  },
  ...objectRoutes(paths.automation, {
    resource: 'triggers',
    list: lazyRouteComponent(() => import('./list-page.tsx'), 'AutomationPage'),
    new: lazyRouteComponent(() => import('./edit-page.tsx'), 'NewTriggerPage'),
    one: lazyRouteComponent(() => import('./trigger-page.tsx'), 'TriggerPage'),
    edit: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditTriggerPage'),
    askEarly: () => prefetch('triggers', placedTriggersQuery),
    searchOfNew: readNewSearch,
  }),
];
