// Finds entities and locations by name or UUID, and the deployment state of a location's certificates.
import { MAX_ITEMS_PER_PAGE } from '@signetry/contract';
import { fieldOf } from '../command-line/field-filter.ts';
import { findNamed } from '../output/find-named.ts';
import type { Connection } from '../platform/connect.ts';

type Client = Connection['client'];
export type ListedEntity = Awaited<ReturnType<Client['entities']['listEntityInstances']>>['entities'][number];
export type Location = Awaited<ReturnType<Client['locations']['getLocation']>>;
export type Deployment = Awaited<ReturnType<Client['locationDeployment']['getLocationDeployment']>>;
export type DeployedCertificate = Deployment['certificates'][number];

/** Path parameters of location operations. */
export interface LocationPath {
  readonly entityUuid: string;
  readonly locationUuid: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** No search field contains the UUID, so the whole list is searched. */
const searchFor = <Filter>(given: string, byName: Filter) => ({
  filters: UUID.test(given) ? [] : [byName],
  itemsPerPage: MAX_ITEMS_PER_PAGE,
});

const ofEntities = fieldOf('entities');
const ofLocations = fieldOf('locations');

export async function findEntity({ client, options }: Connection, given: string): Promise<ListedEntity> {
  const body = searchFor(given, ofEntities('ENTITY_NAME', { condition: 'EQUALS', value: given }));
  const { entities } = await client.entities.listEntityInstances({ body }, options);
  return findNamed(entities, given, { what: 'entity', list: 'signetry entities list' });
}

export interface FoundLocation {
  readonly location: Location;
  readonly place: LocationPath;
}

export async function findLocation({ client, options }: Connection, given: string): Promise<FoundLocation> {
  const body = searchFor(given, ofLocations('LOCATION_NAME', { condition: 'EQUALS', value: given }));
  const { locations } = await client.locations.listLocations({ body }, options);
  const location = findNamed(locations, given, { what: 'location', list: 'signetry locations list' });
  return { location, place: { entityUuid: location.entityInstanceUuid, locationUuid: location.uuid } };
}

export const deploymentOf = ({ client, options }: Connection, params: LocationPath): Promise<Deployment> =>
  client.locationDeployment.getLocationDeployment({ params }, options);
