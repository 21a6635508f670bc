// Connector routes.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { paths } from '../../kit/paths.ts';
import { objectRoutes } from '../../kit/routes.ts';
import { connectorListQuery } from '../../queries/connectors.ts';

export const connectorRoutes = objectRoutes(paths.connectors, {
  resource: 'connectors',
  list: lazyRouteComponent(() => import('./list-page.tsx'), 'ConnectorListPage'),
  new: lazyRouteComponent(() => import('./edit-page.tsx'), 'NewConnectorPage'),
  one: lazyRouteComponent(() => import('./connector-page.tsx'), 'ConnectorPage'),
  edit: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditConnectorPage'),
  askEarly: () => prefetch('connectors', connectorListQuery),
});
