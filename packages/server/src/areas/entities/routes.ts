// Entity and location operations.
import {
  entityInstanceOperations,
  locationDeploymentOperations,
  locationOperations,
  type LocationDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { CertificateAccess } from '../certificates/index.ts';
import { issueInPlace, renewInPlace } from './issue-in-place.ts';
import { push, type DeploymentParts } from './push.ts';
import { removeFromLocation } from './remove-from-location.ts';
import { locationForm, type EntityAccess } from './entity-access.ts';
import type { EntityService } from './entity-service.ts';
import type { LocationPath, LocationService } from './locations.ts';
import type { Probes } from './probes.ts';

export interface EntityRouteParts {
  readonly service: EntityService;
  readonly access: EntityAccess;
  readonly locations: LocationService;
  readonly deployments: DeploymentParts;
  readonly probes: Probes;
  readonly assertVisible: CertificateAccess;
}

export const entityRoutes = (parts: EntityRouteParts): readonly Route[] => [
  ...instanceRoutes(parts),
  ...locationRoutes(parts),
  ...probeRoutes(parts),
];

const instanceRoutes = ({ service, access }: EntityRouteParts): readonly Route[] =>
  routes(entityInstanceOperations, {
    listEntityInstances: ({ body, context }) => service.list(body, context),
    getEntitySearchFields: ({ context }) => service.searchFields(context),
    createEntityInstance: async ({ body, context }) => ({ uuid: await service.create(body, context) }),
    getEntityInstance: ({ params, context }) => service.detail(params.entityUuid, context),
    editEntityInstance: ({ params, body, context }) => service.edit(params.entityUuid, body, context),
    deleteEntityInstance: ({ params, context }) => service.remove(params.entityUuid, context),
    listLocationAttributes: ({ params, context }) =>
      access.definitions(params.entityUuid, locationForm, context.signal),
    validateLocationAttributes: async ({ params, body, context }) => {
      await access.accept(params.entityUuid, locationForm, { requested: body, caller: context });
      return undefined;
    },
  });

const locationRoutes = ({ locations, deployments, assertVisible }: EntityRouteParts): readonly Route[] => {
  const detailAfter = async (
    path: LocationPath,
    context: RequestContext,
    act: Promise<unknown>,
  ): Promise<LocationDto> => {
    await act;
    return locations.detail(path, context);
  };
  const requireVisible = (
    { certificateUuid }: { readonly certificateUuid: string },
    context: RequestContext,
    action: 'detail' | 'renew',
  ) => assertVisible([certificateUuid], { context, action });
  return routes(locationOperations, {
    listLocations: ({ body, context }) => locations.list(body, context),
    getLocationSearchFields: ({ context }) => locations.searchFields(context),
    addLocation: async ({ params, body, context }) => ({
      uuid: await locations.create(params.entityUuid, body, context),
    }),
    getLocation: ({ params, context }) => locations.detail(params, context),
    editLocation: ({ params, body, context }) => locations.edit(params, body, context),
    deleteLocation: ({ params, context }) => locations.remove(params, context),
    enableLocation: ({ params, context }) => locations.enable(params, true, context),
    disableLocation: ({ params, context }) => locations.enable(params, false, context),
    listPushAttributes: ({ params, context }) => locations.pushDefinitions(params, context),
    listCsrAttributes: ({ params, context }) => locations.csrDefinitions(params, context),
    pushCertificate: async ({ params, body, context }) => {
      await requireVisible(params, context, 'detail');
      return detailAfter(params, context, push(deployments, params, { body, context }));
    },
    issueCertificateToLocation: ({ params, body, context }) =>
      detailAfter(params, context, issueInPlace(deployments, params, { request: body, context })),
    renewCertificateInLocation: async ({ params, context }) => {
      await requireVisible(params, context, 'renew');
      return detailAfter(params, context, renewInPlace(deployments, params, context));
    },
    removeCertificateFromLocation: async ({ params, context }) => {
      await requireVisible(params, context, 'detail');
      return detailAfter(params, context, removeFromLocation(deployments, params, context));
    },
    syncLocation: ({ params, context }) => locations.sync(params, context),
  });
};

const probeRoutes = ({ probes, locations }: EntityRouteParts): readonly Route[] =>
  routes(locationDeploymentOperations, {
    countLocationStates: ({ context }) => locations.countStates(context),
    getLocationDeployment: ({ params }) => probes.deployment(params),
    setLocationProbe: ({ params, body, context }) => probes.set(params, body, context),
    removeLocationProbe: ({ params, context }) => probes.remove(params, context),
    probeLocation: ({ params, context }) => probes.lookNow(params, context),
  });
