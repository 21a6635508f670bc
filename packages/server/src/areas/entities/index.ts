// Entities: servers, devices and stores that hold certificates; and locations, the places in them. Owns: entity,
// location, location_certificate, location_probe, location_operation. Invariants: names are unique; an entity with
// locations cannot be removed; a push is recorded before the provider is called, and its outcome afterwards; a location
// runs one operation at a time; entries in use are not removed if their renewal fails; a location's private key never
// leaves it.
//
// push.ts, replace.ts               pushes a certificate to a location, and its successor to the same location
// probing.ts, arrival.ts             rollback of a push if the new certificate is not served in time
// probes.ts, served-certificate.ts  the endpoint of a location, and whether it serves a certificate
// issue-in-place.ts, in-place-renewal.ts    certificates whose key is generated at the location, and their renewal
// generated-entries.ts, forget-entry.ts       removes entries created for a certificate that was not issued
// unfinished-pushes.ts                     pushes after a crash or without a response
// location-turns.ts                 one operation at a time per location, under a lease
// locations.ts, location-values.ts  creates and edits locations; values of their forms
// contents.ts, remove-from-location.ts          contents of a location, and removal of a certificate from it
// entity-service.ts                 creates, edits and removes entities
// entity-access.ts, ports.ts        calls to an entity's connector; port for endpoint probes
// store.ts, tables.ts               queries and rows; also store-states.ts, store-probes.ts, store-operations.ts
// routes.ts, present.ts, events.ts  operations, their responses, and events; filters: search-fields.ts
import type { Area, Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { CertificatesArea } from '../certificates/index.ts';
import type { InventoryArea } from '../inventory/index.ts';
import type { Connectors } from '../connectors/index.ts';
import { createProbing } from './probing.ts';
import { createContents } from './contents.ts';
import { createEntityAccess, type EntityAccess } from './entity-access.ts';
import { createEntityService } from './entity-service.ts';
import { publishLocationEvents } from './events.ts';
import { createLocationTurns } from './location-turns.ts';
import { createLocationValues } from './location-values.ts';
import { createLocationService } from './locations.ts';
import type { ProbeEndpoint } from './ports.ts';
import { createProbes } from './probes.ts';
import { createInPlaceRenewal, type InPlaceRenewal } from './in-place-renewal.ts';
import { prepareReplacement } from './replace.ts';
import { entityRoutes } from './routes.ts';
import { createUnfinishedPushes } from './unfinished-pushes.ts';
import { locationsOfCertificate } from './search-fields.ts';
import { entities, locations } from './store.ts';

export { locationForm } from './entity-access.ts';
export type { ProbeEndpoint } from './ports.ts';

/** Entity functions for other areas. */
export interface Entities extends Pick<EntityAccess, 'reach' | 'definitions'> {
  /** For automatic renewal. */
  readonly renewing: InPlaceRenewal;
}

export interface EntityAreaParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly certificates: Pick<CertificatesArea, 'assertVisible' | 'locations'>;
  readonly inventory: Pick<InventoryArea, 'held' | 'registerSearchField'>;
  readonly lookAtEndpoint: ProbeEndpoint;
}

export function createEntitiesArea(platform: Platform, areas: EntityAreaParts): Area & Entities {
  publishLocationEvents(platform.events);
  const { audit, attributes, connectors } = areas;
  const { assertVisible, locations: port } = areas.certificates;
  const { held: certificates, registerSearchField } = areas.inventory;
  const access = createEntityAccess(platform, areas);
  const values = createLocationValues(attributes);
  const service = createEntityService(platform, areas);
  const contents = createContents(platform, { attributes, access, values, certificates });
  const parts = { audit, attributes, access, values, contents, certificates };
  const places = createLocationService(platform, parts);
  const look = areas.lookAtEndpoint;
  const asking = createProbing({ platform, contents, certificates, look, restored: () => unfinished.wake() });
  const turns = createLocationTurns({ platform, contents });
  const deployments = { ...parts, platform, locations: places, turns, arrived: asking.wake };
  const unfinished = createUnfinishedPushes(deployments);
  const probes = createProbes({ ...deployments, look });
  connectors.registerDependants({ what: 'Entities', ...entities.referringBy('connector_uuid') });
  registerSearchField({
    field: 'CERT_LOCATION_NAME',
    reading: locationsOfCertificate,
    list: places.listNames,
  });
  port.connect({
    find: places.holding,
    replacing: (uuid, context) => prepareReplacement(deployments, uuid, context),
  });

  return {
    routes: entityRoutes({ service, access, locations: places, deployments, probes, assertVisible }),
    objectNames: { entities: entities.findNames, locations: locations.findNames },
    valueHolders: { locations: places.holder },
    async start() {
      turns.start();
      unfinished.start();
      asking.start();
    },
    async stop() {
      await Promise.all([unfinished.stop(), asking.stop()]);
      await turns.stop();
    },
    reach: access.reach,
    definitions: access.definitions,
    renewing: createInPlaceRenewal(deployments),
  };
}
