// Entities: servers, devices and stores that hold certificates; and locations, the places in them. Owns: entity,
// location, location_certificate, location_probe, location_operation. Invariants: names are unique; an entity with
// locations is not removed; what is pushed is written down before its provider is asked, and what became of it
// afterwards; one operation at a time is carried out at a location; what a location has in use is not removed where its
// renewal fails; the private key of a location stays there.
//
// push.ts, replace.ts                  pushes a certificate to a location, and its successor to the same place
// asking.ts, arrival.ts                rollback of a push: when the new certificate is not served in time, the former
//                                      one is put back; files are rolled back in the connector file-entities
// probes.ts, served-certificate.ts     the endpoint of a location, and whether it serves a certificate
// issue-in-place.ts, renewing.ts       certificates whose key is made at the location, and their renewal
// made-entries.ts, give-up.ts          removes entries that were made for a certificate which is not issued
// unfinished.ts                        pushes after a crash or without an answer
// location-turns.ts                    one operation at a location at a time, with a lease
// locations.ts, location-values.ts     locations: creating, changing, and the values of their forms
// contents.ts, take-out.ts             what a location holds, and removal of a certificate from it
// entity-service.ts                    entities: creating, changing and removing
// entity-access.ts, ports.ts           calls to the connector of an entity; what looks at an endpoint
// store.ts, tables.ts                  queries and rows; also store-states.ts, store-probes.ts, store-operations.ts
// routes.ts, present.ts, events.ts     operations, their answers, and events; filters: search-fields.ts
import type { Area, Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { CertificatesArea } from '../certificates/index.ts';
import type { InventoryArea } from '../inventory/index.ts';
import type { Connectors } from '../connectors/index.ts';
import { createAsking } from './asking.ts';
import { createContents } from './contents.ts';
import { createEntityAccess, type EntityAccess } from './entity-access.ts';
import { createEntityService } from './entity-service.ts';
import { publishLocationEvents } from './events.ts';
import { createLocationTurns } from './location-turns.ts';
import { createLocationValues } from './location-values.ts';
import { createLocationService } from './locations.ts';
import type { LookAtEndpoint } from './ports.ts';
import { createProbes } from './probes.ts';
import { createRenewing, type RenewingInPlace } from './renewing.ts';
import { replacing } from './replace.ts';
import { entityRoutes } from './routes.ts';
import { createUnfinished } from './unfinished.ts';
import { locationsOfCertificate } from './search-fields.ts';
import { entities, locations } from './store.ts';

export { locationForm } from './entity-access.ts';
export type { LookAtEndpoint } from './ports.ts';

/** What other areas use of entities. */
export interface Entities extends Pick<EntityAccess, 'reach' | 'definitions'> {
  /** For automatic renewal. */
  readonly renewing: RenewingInPlace;
}

export interface EntityAreaParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly certificates: Pick<CertificatesArea, 'assertVisible' | 'locations'>;
  readonly inventory: Pick<InventoryArea, 'held' | 'registerSearchField'>;
  readonly lookAtEndpoint: LookAtEndpoint;
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
  const asking = createAsking({ platform, contents, certificates, look, restored: () => unfinished.wake() });
  const turns = createLocationTurns({ platform, contents });
  const deployments = { ...parts, platform, locations: places, turns, arrived: asking.wake };
  const unfinished = createUnfinished(deployments);
  const probes = createProbes({ ...deployments, look });
  connectors.registerDependants({ what: 'Entities', ...entities.referringBy('connector_uuid') });
  registerSearchField({
    field: 'CERT_LOCATION_NAME',
    reading: locationsOfCertificate,
    list: places.listNames,
  });
  port.connect({
    find: places.holding,
    replacing: (uuid, context) => replacing(deployments, uuid, context),
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
    renewing: createRenewing(deployments),
  };
}
