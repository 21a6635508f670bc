// Queries for the entity and location pages. Locations with pending work are polled.
import type { LocationState, SearchFilterRequestDto } from '@signetry/contract';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { Listing } from '../kit/filters/listing.ts';
import type { LocationPath } from '../kit/paths.ts';
import { definitionsOf } from '../ui/attributes/definitions.ts';
import type { Callback } from '../ui/attributes/use-callbacks.ts';

/** Entities and locations as returned by the platform. */
type EntityPage = Awaited<ReturnType<typeof api.entities.listEntityInstances>>;
export type ListedEntity = EntityPage['entities'][number];
export type EntityDetail = Awaited<ReturnType<typeof api.entities.getEntityInstance>>;
type LocationPage = Awaited<ReturnType<typeof api.locations.listLocations>>;
export type ListedLocation = LocationPage['locations'][number];
export type LocationDetail = Awaited<ReturnType<typeof api.locations.getLocation>>;
export type Deployment = Awaited<ReturnType<typeof api.locationDeployment.getLocationDeployment>>;
export type DeployedCertificate = Deployment['certificates'][number];
export type Probe = NonNullable<Deployment['probe']>;

export const entityListing: Listing<EntityPage> = {
  resource: 'entities',
  nameField: 'ENTITY_NAME',
  list: (body, signal) => api.entities.listEntityInstances({ body }, { signal }),
  fields: (signal) => api.entities.getEntitySearchFields({}, { signal }),
};

/** The platform requests the status from the connector, so the response is current. */
export const entityQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['entities', 'one', uuid],
    queryFn: ({ signal }) => api.entities.getEntityInstance({ params: { entityUuid: uuid } }, { signal }),
  });

export const locationListing: Listing<LocationPage> = {
  resource: 'locations',
  nameField: 'LOCATION_NAME',
  list: (body, signal) => api.locations.listLocations({ body }, { signal }),
  fields: (signal) => api.locations.getLocationSearchFields({}, { signal }),
  isUnderWay: ({ locations }) => locations.some(({ state }) => state === 'waiting'),
};

export const inEntity = (name: string): SearchFilterRequestDto => ({
  fieldSource: 'property',
  fieldIdentifier: 'LOCATION_ENTITY_INSTANCE',
  condition: 'EQUALS',
  value: [name],
});

export const inLocationState = (...states: readonly LocationState[]): SearchFilterRequestDto => ({
  fieldSource: 'property',
  fieldIdentifier: 'LOCATION_STATE',
  condition: 'EQUALS',
  value: [...states],
});

/** Number of locations per state, most urgent first. */
export const locationStatesQuery = queryOptions({
  queryKey: ['locations', 'states'],
  queryFn: ({ signal }) => api.locationDeployment.countLocationStates({}, { signal }),
});

/** The attributes that an entity defines for its locations; not fetched until an entity is selected. */
export const locationDefinitionsQuery = (entityUuid: string | undefined) =>
  queryOptions({
    queryKey: ['entities', 'locationDefinitions', entityUuid],
    queryFn:
      entityUuid === undefined
        ? skipToken
        : async ({ signal }) =>
            definitionsOf(await api.entities.listLocationAttributes({ params: { entityUuid } }, { signal })),
    staleTime: 60_000,
  });

export const entityCallback =
  (parentObjectUuid: string): Callback =>
  (body, signal) =>
    api.callbacks.resourceCallback({ params: { resource: 'locations', parentObjectUuid }, body }, { signal });

export const locationQuery = (place: LocationPath) =>
  queryOptions({
    queryKey: ['locations', 'one', place.locationUuid],
    queryFn: ({ signal }) => api.locations.getLocation({ params: place }, { signal }),
  });

const POLL_MS = 2_000;

/** Deployment status of each certificate in a location, and the endpoint that serves it. */
export const deploymentQuery = (place: LocationPath) =>
  queryOptions({
    queryKey: ['locations', 'one', place.locationUuid, 'deployment'],
    queryFn: ({ signal }) => api.locationDeployment.getLocationDeployment({ params: place }, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.certificates.some(isUnderWay) === true ? POLL_MS : false),
  });

/** Whether the platform is working on the deployment without user action. */
const isUnderWay = ({ state, askedUntil }: Pick<DeployedCertificate, 'state' | 'askedUntil'>): boolean =>
  state === 'waiting' || state === 'pushing' || askedUntil !== undefined;

export const pushDefinitionsQuery = (place: LocationPath) =>
  queryOptions({
    queryKey: ['locations', 'pushDefinitions', place.locationUuid],
    queryFn: async ({ signal }) => definitionsOf(await api.locations.listPushAttributes({ params: place }, { signal })),
    staleTime: 60_000,
  });

export const csrDefinitionsQuery = (place: LocationPath) =>
  queryOptions({
    queryKey: ['locations', 'csrDefinitions', place.locationUuid],
    queryFn: async ({ signal }) => definitionsOf(await api.locations.listCsrAttributes({ params: place }, { signal })),
    staleTime: 60_000,
  });

/** Locations that hold or await the certificate, limited to those that the user can list. */
export const locationsOfCertificateQuery = (certificateUuid: string) =>
  queryOptions({
    queryKey: ['locations', 'holding', certificateUuid],
    queryFn: ({ signal }) => api.certificates.listCertificateLocations({ params: { certificateUuid } }, { signal }),
  });
