// Entity and location routes. A single location is nested below its entity.
import { lazyRouteComponent } from '@tanstack/react-router';
import { prefetch } from '../../api/prefetch.ts';
import { listingQuery, readFilteredSearch } from '../../kit/filters/listing.ts';
import { paths } from '../../kit/paths.ts';
import type { PageRoute } from '../../kit/routes.ts';
import { entityListing, locationListing } from '../../queries/entities.ts';

const ofEntity = paths.locations.of('$entityUuid');
const place = { entityUuid: '$entityUuid', locationUuid: '$uuid' };

export const entityRoutes: readonly PageRoute[] = [
  {
    path: paths.entities.list,
    component: lazyRouteComponent(() => import('./entity-list-page.tsx'), 'EntityListPage'),
    validateSearch: readFilteredSearch,
    loader: ({ location }) =>
      void prefetch('entities', listingQuery(entityListing, readFilteredSearch(location.search))),
  },
  {
    path: paths.entities.new,
    component: lazyRouteComponent(() => import('./new-entity-page.tsx'), 'NewEntityPage'),
    needs: ['entities', 'create'],
    validateSearch: ({ connector }) => (typeof connector === 'string' ? { connector } : {}),
  },
  {
    path: paths.entities.one('$uuid'),
    component: lazyRouteComponent(() => import('./entity-page.tsx'), 'EntityPage'),
  },
  {
    path: paths.entities.edit('$uuid'),
    component: lazyRouteComponent(() => import('./edit-entity-page.tsx'), 'EditEntityPage'),
    needs: ['entities', 'update'],
  },
  {
    path: paths.locations.list,
    component: lazyRouteComponent(() => import('./location-list-page.tsx'), 'LocationListPage'),
    validateSearch: readFilteredSearch,
    loader: ({ location }) =>
      void prefetch('locations', listingQuery(locationListing, readFilteredSearch(location.search))),
  },
  {
    path: paths.locations.new,
    component: lazyRouteComponent(() => import('./new-location-page.tsx'), 'NewLocationPage'),
    needs: ['locations', 'create'],
    validateSearch: ({ entity }) => (typeof entity === 'string' ? { entity } : {}),
  },
  {
    path: ofEntity.one('$uuid'),
    component: lazyRouteComponent(() => import('./location-page.tsx'), 'LocationPage'),
  },
  {
    path: ofEntity.edit('$uuid'),
    component: lazyRouteComponent(() => import('./edit-location-page.tsx'), 'EditLocationPage'),
    needs: ['locations', 'update'],
  },
  {
    path: paths.locations.push(place),
    component: lazyRouteComponent(() => import('./push-page.tsx'), 'PushPage'),
    needs: ['locations', 'update'],
    validateSearch: ({ certificate }) => (typeof certificate === 'string' ? { certificate } : {}),
  },
];
