// Tells that certificates end: an event when one reaches a threshold before its end and nothing has taken its place.
// Owns: expiry_threshold_of_ra_profile, expiry_threshold_of_group, expiry_notice. Invariants: a threshold is told once
// for a certificate, with its record in one transaction; what the RA profile and the groups of a certificate say takes
// the place of what the platform says.
import type { Area, Platform } from '../../platform/platform.ts';
import { createRaising } from './raise.ts';
import { expiryRoutes } from './routes.ts';
import { createThresholdService, type ThresholdParts } from './service.ts';

export interface Expiry {
  /** Raises the event for what has reached a threshold; answers how many certificates there were. */
  raiseExpiring(signal: AbortSignal): Promise<number>;
}

export function createExpiryArea(platform: Platform, parts: ThresholdParts): Area & Expiry {
  const service = createThresholdService(platform, parts);
  platform.events.publish('certificate_expiring', {
    resource: 'certificates',
    objectOf: ({ certificateUuid }) => certificateUuid,
  });
  return {
    routes: expiryRoutes(service),
    raiseExpiring: createRaising({ platform, platformDays: service.platformDays }),
  };
}
