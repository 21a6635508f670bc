// Discoveries: runs of a discovery provider that bring certificates into the inventory, and what each found.
// Owns: discovery, discovery_certificate, discovery_finding. Invariants: names are unique; counters are written in the
// transaction of what they count; what a provider gave is taken in once, whichever node does it and however often; a
// discovery ends with its reason, whatever its provider does; what it brought into the inventory outlives it.
//
// run-rules.ts                              polling interval, retry delay and longest duration of a discovery; its end
// run.ts, store-runs.ts                     runs a discovery on one node, with a lease, from page to page until its end
// read-pages.ts, provider.ts                takes certificates of a provider into the inventory; calls of the provider
// service.ts                                creating, listing and deleting discoveries, and removal of old ones
// schedule.ts                               discoveries at the times of a cron expression
// progress.ts, store-found.ts               how far a discovery is, stopping it, and what it found
// difference.ts                             comparison of two discoveries
// forget-at-provider.ts                     deletion at the provider
// checked-discoveries.ts, search-fields.ts  discoveries in conditions of rules, and their filters
// ports.ts, events.ts                       triggers that are asked about what is found, and events
// store.ts, store-old.ts, tables.ts         queries and rows
// routes.ts, present.ts                     operations and their answers
import type { Area, Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { InventoryArea } from '../inventory/index.ts';
import type { Connectors } from '../connectors/index.ts';
import type { Scheduler } from '../scheduler/index.ts';
import { createCheckedDiscoveries, type CheckedDiscoveries } from './checked-discoveries.ts';
import { createDifferences } from './difference.ts';
import { publishDiscoveryEvents } from './events.ts';
import { defaultLimits, type DiscoveryLimits } from './run-rules.ts';
import { createTriggersPort, type DiscoveryTriggers } from './ports.ts';
import { createProgress } from './progress.ts';
import { createProvider } from './provider.ts';
import { discoveryRoutes } from './routes.ts';
import { createRuns } from './run.ts';
import { createScheduling } from './schedule.ts';
import { createDiscoveryService } from './service.ts';
import { discoveries } from './store.ts';

export interface DiscoveryAreas {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly inventory: Pick<InventoryArea, 'discovered' | 'deleteUnusedContents'>;
  readonly scheduler: Scheduler;
  readonly limits?: Partial<DiscoveryLimits> | undefined;
}

export interface Discoveries {
  /** For whoever has conditions on discoveries. */
  readonly checked: CheckedDiscoveries;
  connectTriggers(triggers: DiscoveryTriggers): void;
}

export function createDiscoveriesArea(platform: Platform, areas: DiscoveryAreas): Area & Discoveries {
  publishDiscoveryEvents(platform.events);
  const limits = { ...defaultLimits, ...areas.limits };
  const provider = createProvider(areas);
  const port = createTriggersPort();
  const { discovered: certificates } = areas.inventory;
  const runs = createRuns({ platform, ...areas, certificates, provider, triggers: port.triggers, limits });
  const parts = { ...areas, provider, runs, limits, triggers: port.triggers };
  const service = createDiscoveryService(platform, parts);
  return {
    routes: discoveryRoutes({
      service,
      schedule: createScheduling({ scheduler: areas.scheduler, service }),
      progress: createProgress(platform, parts),
      difference: createDifferences(platform),
    }),
    objectNames: { discoveries: discoveries.findNames },
    retentionPolicies: [
      {
        setting: 'discoveriesKeptDays',
        what: 'discoveries that have been repeated since',
        tables: ['discovery', 'discovery_certificate', 'discovery_finding'],
        remove: service.removeOld,
      },
    ],
    start: async () => runs.start(),
    stop: runs.stop,
    checked: createCheckedDiscoveries(platform),
    connectTriggers: port.connect,
  };
}
