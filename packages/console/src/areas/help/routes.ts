// Routes of the help pages.
import { lazyRouteComponent } from '@tanstack/react-router';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';

export const helpRoutes: readonly PageRoute[] = [
  { path: paths.glossary, component: lazyRouteComponent(() => import('./glossary-page.tsx'), 'GlossaryPage') },
];
