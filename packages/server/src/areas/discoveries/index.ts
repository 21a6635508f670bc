// Discoveries: runs of a discovery provider that import certificates into the inventory, and their results. Owns:
// discovery, discovery_certificate, discovery_finding. Invariants: names are unique; counters are updated in the same
// transaction as the results that they count; each result of a provider is imported once, even if several nodes or
// attempts read it; every discovery ends with a reason, however its provider behaves; imported certificates outlive
// their discovery.
//
// run-rules.ts                              polling interval, retry delay, maximum duration and outcome of a discovery
// run.ts, store-runs.ts                     runs a discovery on one node, under a lease, page by page
// read-pages.ts, provider.ts                imports a provider's certificates into the inventory; calls to the provider
// service.ts                                creates, lists and deletes discoveries, and removes old ones
// schedule.ts                               discoveries scheduled with a cron expression
// progress.ts, store-found.ts               progress of a discovery, stopping it, and its results
// difference.ts                             comparison of two discoveries
// search-fields.ts                          discoveries in rule conditions, and their filters
// ports.ts, events.ts                       triggers evaluated for results, and events
// store.ts, store-old.ts, tables.ts         queries and rows
// routes.ts, present.ts                     operations and their responses
import type { Area, Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { InventoryArea } from '../inventory/index.ts';
import type { Connectors } from '../connectors/index.ts';
import type { Scheduler } from '../scheduler/index.ts';
import { createCheckedDiscoveries, type CheckedDiscoveries } from './search-fields.ts';
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
  /** For areas that evaluate conditions on discoveries. */
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
        what: 'superseded discoveries',
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
