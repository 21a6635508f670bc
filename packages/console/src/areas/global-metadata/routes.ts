// Global metadata routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes } from '../../kit/routes.ts';
import { globalMetadataListQuery } from '../../queries/global-metadata.ts';

export const globalMetadataRoutes = objectRoutes(paths.globalMetadata, {
  resource: 'attributes',
  list: lazyRouteComponent(() => import('./list-page.tsx'), 'GlobalMetadataListPage'),
  new: lazyRouteComponent(() => import('./edit-page.tsx'), 'NewGlobalMetadataPage'),
  one: lazyRouteComponent(() => import('./global-metadata-page.tsx'), 'GlobalMetadataPage'),
  edit: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditGlobalMetadataPage'),
  askEarly: () => prefetch('attributes', globalMetadataListQuery),
});
