// Expiry notifications: an event is raised when a certificate without a successor reaches a threshold before it
// expires. Owns: expiry_threshold_of_ra_profile, expiry_threshold_of_group, expiry_notice. Invariants: each threshold
// is reported once per certificate, in one transaction with its record; thresholds of the certificate's RA profile and
// groups replace the platform's thresholds.
import type { Area, Platform } from '../../platform/platform.ts';
import { createExpiryRaiser } from './raise.ts';
import { expiryRoutes } from './routes.ts';
import { createThresholdService, type ThresholdParts } from './service.ts';

export interface Expiry {
  /** Raises the event for certificates that have reached a threshold; returns the number of such certificates. */
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
    raiseExpiring: createExpiryRaiser({ platform, platformDays: service.platformDays }),
  };
}
