// Automatic renewal of certificates whose RA profile says so, where the platform can do it from end to end: in
// locations that make their keys. Owns: renewal_setting, renewal. Invariants: a certificate in a location is renewed by
// one node at a time; what fails is tried again until the certificate ends, and says why.
import type { Area, Platform } from '../../platform/platform.ts';
import type { RenewingPlaces } from './ports.ts';
import { renewalRoutes } from './routes.ts';
import { createRenewalService, type RenewalServiceParts } from './service.ts';
import { createRenewalWork, renewAfterFailure } from './work.ts';

export interface RenewalAreaParts extends Omit<RenewalServiceParts, 'changed'> {
  readonly places: RenewingPlaces;
  /** Between two looks for what is due. */
  readonly renewalPeriodMs?: number | undefined;
}

export function createRenewalsArea(platform: Platform, areas: RenewalAreaParts): Area {
  const work = createRenewalWork({ platform, places: areas.places, periodMs: areas.renewalPeriodMs });
  platform.events.subscribe({
    event: 'certificate_not_served',
    queue: 'renewals.not-served',
    handle: ({ locationUuid, certificateUuid, problem }) =>
      renewAfterFailure(platform, { locationUuid, certificateUuid, problem }),
  });
  return {
    routes: renewalRoutes(createRenewalService(platform, { ...areas, changed: work.wake })),
    start: () => Promise.resolve(work.start()),
    stop: work.stop,
  };
}
