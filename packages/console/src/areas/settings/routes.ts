// Settings route.
import { lazyRouteComponent } from '@tanstack/react-router';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';

export const settingsRoutes: readonly PageRoute[] = [
  {
    path: paths.settings,
    component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
    needs: ['settings', 'detail'],
  },
];
