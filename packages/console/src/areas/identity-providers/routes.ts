// Identity provider routes. The list of providers is a panel of the settings page.
import { lazyRouteComponent } from '@tanstack/react-router';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';

export const identityProviderRoutes: readonly PageRoute[] = [
  {
    path: paths.identityProviders.new,
    component: lazyRouteComponent(() => import('./edit-page.tsx'), 'NewIdentityProviderPage'),
    needs: ['settings', 'update'],
  },
  {
    path: paths.identityProviders.one('$uuid'),
    component: lazyRouteComponent(() => import('./provider-page.tsx'), 'IdentityProviderPage'),
    needs: ['settings', 'detail'],
  },
  {
    path: paths.identityProviders.edit('$uuid'),
    component: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditIdentityProviderPage'),
    needs: ['settings', 'update'],
  },
];
