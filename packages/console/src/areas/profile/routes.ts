// Route of the user's own page.
import { lazyRouteComponent } from '@tanstack/react-router';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';

export const profileRoutes: readonly PageRoute[] = [
  { path: paths.profile, component: lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage') },
];
