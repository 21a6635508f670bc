// Custom attribute routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes } from '../../kit/routes.ts';
import { customAttributeListQuery } from '../../queries/custom-attributes.ts';

export const customAttributeRoutes = objectRoutes(paths.customAttributes, {
  resource: 'attributes',
  list: lazyRouteComponent(() => import('./list-page.tsx'), 'CustomAttributeListPage'),
  new: lazyRouteComponent(() => import('./edit-page.tsx'), 'NewCustomAttributePage'),
  one: lazyRouteComponent(() => import('./custom-attribute-page.tsx'), 'CustomAttributePage'),
  edit: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditCustomAttributePage'),
  askEarly: () => prefetch('attributes', customAttributeListQuery),
});
