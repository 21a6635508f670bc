// Automatic renewal of certificates whose RA profile enables it, if the platform can renew them end to end: in
// locations that generate their keys, and for keys in tokens. Also lists certificates without automated renewal, and
// simulates shorter validity periods. Owns: renewal_setting, renewal, renewal_limit, renewal_attempt. Invariants: a
// certificate in a location is renewed by one node at a time; an authority with a limit receives no more requests than
// this limit within any hour; failed renewals are retried until the certificate expires, and the reason for the failure
// is shown.
import type { RenewalSettings } from '@signetry/contract';
import type { Area, Platform } from '../../platform/platform.ts';
import { createSettingsSection } from '../../platform/settings/section.ts';
import type { CertificatesArea } from '../certificates/index.ts';
import type { InventoryArea } from '../inventory/index.ts';
import type { LocationRenewals } from './ports.ts';
import { createSimulation } from './simulation.ts';
import { renewalRoutes } from './routes.ts';
import { createRenewalService, type RenewalServiceParts } from './service.ts';
import { createUnattended } from './unattended.ts';
import { createRenewalWork, renewAfterFailure } from './work.ts';

export interface RenewalAreaParts extends Omit<RenewalServiceParts, 'changed' | 'section'> {
  readonly certificates: Pick<CertificatesArea, 'assertVisible'>;
  readonly inventory: Pick<InventoryArea, 'held'>;
  readonly places: LocationRenewals;
  /** Interval between checks for due renewals. */
  readonly renewalPeriodMs?: number | undefined;
}

export function createRenewalsArea(platform: Platform, areas: RenewalAreaParts): Area {
  const { inventory, places, renewalPeriodMs: periodMs } = areas;
  const { assertVisible } = areas.certificates;
  const section = createSettingsSection<RenewalSettings>(platform, { name: 'renewals', initial: { paused: false } });
  const isPaused = async (): Promise<boolean> => (await section.current()).paused;
  const work = createRenewalWork({ platform, places, certificates: inventory.held, isPaused, periodMs });
  platform.events.subscribe({
    event: 'certificate_not_served',
    queue: 'renewals.not-served',
    handle: ({ locationUuid, certificateUuid, problem }) =>
      renewAfterFailure(platform, { locationUuid, certificateUuid, problem }),
  });
  return {
    routes: renewalRoutes({
      service: createRenewalService(platform, { ...areas, section, changed: work.wake }),
      unattended: createUnattended(platform, { certificates: inventory.held, assertVisible, isPaused }),
      simulate: createSimulation(platform, { isPaused }),
    }),
    start: () => Promise.resolve(work.start()),
    stop: work.stop,
  };
}
