// Credential routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes } from '../../kit/routes.ts';
import { credentialListQuery } from '../../queries/credentials.ts';

export const credentialRoutes = objectRoutes(paths.credentials, {
  resource: 'credentials',
  list: lazyRouteComponent(() => import('./list-page.tsx'), 'CredentialListPage'),
  new: lazyRouteComponent(() => import('./new-page.tsx'), 'NewCredentialPage'),
  one: lazyRouteComponent(() => import('./credential-page.tsx'), 'CredentialPage'),
  edit: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditCredentialPage'),
  askEarly: () => prefetch('credentials', credentialListQuery),
});
