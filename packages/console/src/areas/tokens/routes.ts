// Token routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes } from '../../kit/routes.ts';
import { tokenListQuery } from '../../queries/tokens.ts';

export const tokenRoutes = objectRoutes(paths.tokens, {
  resource: 'tokens',
  list: lazyRouteComponent(() => import('./list-page.tsx'), 'TokenListPage'),
  new: lazyRouteComponent(() => import('./new-page.tsx'), 'NewTokenPage'),
  one: lazyRouteComponent(() => import('./token-page.tsx'), 'TokenPage'),
  edit: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditTokenPage'),
  askEarly: () => prefetch('tokens', tokenListQuery),
  searchOfNew: ({ connector }) => (typeof connector === 'string' ? { connector } : {}),
});
