// Numbers of days before certificate expiry at which users are notified: for the entire platform, and for certificates
// of an RA profile or in a group. Not part of the published interface.
import { z } from 'zod';
import { objectErrors, operations, plainErrors } from '../operations.ts';
import { int32 } from '../primitives.ts';

export const MAX_THRESHOLDS = 20;
/** Ten years. */
export const MAX_THRESHOLD_DAYS = 3_650;

const days = () => z.array(int32().min(1).max(MAX_THRESHOLD_DAYS)).max(MAX_THRESHOLDS);

/** The certificate_expiring event is raised once for each threshold that a certificate reaches. */
export const ExpiryThresholdsUpdate = z
  .object({
    /** Days before expiry. If empty, no notifications are sent. */
    days: days(),
  })
  .meta({ id: 'ExpiryThresholdsUpdate' });
export type ExpiryThresholdsUpdate = z.output<typeof ExpiryThresholdsUpdate>;

export const ExpiryThresholds = z
  .object({
    /** Days before expiry, in descending order. */
    days: days(),
    /** True if no thresholds are configured here, so the platform's thresholds apply. */
    inherited: z.boolean(),
  })
  .meta({ id: 'ExpiryThresholds' });
export type ExpiryThresholds = z.output<typeof ExpiryThresholds>;

const tag = 'Expiry Thresholds';

export const expiryThresholdOperations = operations(
  { tag, resource: 'settings', module: 'core', errors: plainErrors },
  {
    getExpiryThresholds: {
      route: 'GET /x/v1/expiry/thresholds',
      summary: 'Get the expiry thresholds of the platform',
      answer: ExpiryThresholds,
      access: { action: 'detail' },
    },
    setExpiryThresholds: {
      route: 'PUT /x/v1/expiry/thresholds',
      summary: 'Set the expiry thresholds of the platform',
      body: ExpiryThresholdsUpdate,
      answer: ExpiryThresholds,
      access: { action: 'update' },
      audit: 'update',
    },
  },
);

export const raProfileExpiryThresholdOperations = operations(
  { tag, resource: 'raProfiles', module: 'certificates', errors: objectErrors },
  {
    getRaProfileExpiryThresholds: {
      route: 'GET /x/v1/raProfiles/{raProfileUuid}/expiryThresholds',
      summary: 'Get the expiry thresholds for certificates of an RA profile',
      answer: ExpiryThresholds,
      access: { action: 'detail', object: 'raProfileUuid' },
    },
    setRaProfileExpiryThresholds: {
      route: 'PUT /x/v1/raProfiles/{raProfileUuid}/expiryThresholds',
      summary: 'Set the expiry thresholds for certificates of an RA profile',
      body: ExpiryThresholdsUpdate,
      answer: ExpiryThresholds,
      access: { action: 'update', object: 'raProfileUuid' },
      audit: 'update',
    },
    inheritRaProfileExpiryThresholds: {
      route: 'DELETE /x/v1/raProfiles/{raProfileUuid}/expiryThresholds',
      summary: 'Reset the expiry thresholds of an RA profile to those of the platform',
      access: { action: 'update', object: 'raProfileUuid' },
      audit: 'update',
    },
  },
);

export const groupExpiryThresholdOperations = operations(
  { tag, resource: 'groups', module: 'core', errors: objectErrors },
  {
    getGroupExpiryThresholds: {
      route: 'GET /x/v1/groups/{groupUuid}/expiryThresholds',
      summary: 'Get the expiry thresholds for certificates in a group',
      answer: ExpiryThresholds,
      access: { action: 'detail', object: 'groupUuid' },
    },
    setGroupExpiryThresholds: {
      route: 'PUT /x/v1/groups/{groupUuid}/expiryThresholds',
      summary: 'Set the expiry thresholds for certificates in a group',
      body: ExpiryThresholdsUpdate,
      answer: ExpiryThresholds,
      access: { action: 'update', object: 'groupUuid' },
      audit: 'update',
    },
    inheritGroupExpiryThresholds: {
      route: 'DELETE /x/v1/groups/{groupUuid}/expiryThresholds',
      summary: 'Reset the expiry thresholds of a group to those of the platform',
      access: { action: 'update', object: 'groupUuid' },
      audit: 'update',
    },
  },
);
