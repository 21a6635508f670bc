// Certificates that the platform renews by itself, because their RA profile says so: those in locations that make their
// keys. Not part of the published interface.
import { z } from 'zod';
import { objectErrors, operations } from '../operations.ts';
import { dateTime, int32, uuid } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';

export const MAX_RENEWAL_DAYS = 3_650;

export const AutomaticRenewalSettings = z
  .object({
    automatic: z.boolean(),
    /**
     * Days before the end from which certificates are renewed, the last half of their lifetime at most; when absent,
     * the last third.
     */
    daysBefore: int32().min(1).max(MAX_RENEWAL_DAYS).optional(),
  })
  .meta({ id: 'AutomaticRenewalSettings' });
export type AutomaticRenewalSettings = z.output<typeof AutomaticRenewalSettings>;

/**
 * `planned`: it is renewed when its time has come, or again after it failed. `renewing`: under way. `renewed`: the
 * successor was issued, or waits for approval. `ended`: the certificate ended before it could be renewed.
 */
export const AutomaticRenewalState = z
  .enum(['planned', 'renewing', 'renewed', 'ended'])
  .meta({ id: 'AutomaticRenewalState' });
export type AutomaticRenewalState = z.output<typeof AutomaticRenewalState>;

export const AutomaticRenewal = z
  .object({
    certificateUuid: uuid(),
    commonName: z.string(),
    notAfter: dateTime(),
    entityUuid: uuid(),
    locationUuid: uuid(),
    locationName: z.string(),
    state: AutomaticRenewalState,
    /** When it is tried next, or was tried last. */
    at: dateTime(),
    attempts: int32(),
    /** Why the last attempt failed. */
    problem: z.string().optional(),
    successorUuid: uuid().optional(),
  })
  .meta({ id: 'AutomaticRenewal' });
export type AutomaticRenewal = z.output<typeof AutomaticRenewal>;

export const AutomaticRenewals = z
  .object({ renewals: z.array(AutomaticRenewal), ...pageTotals })
  .meta({ id: 'AutomaticRenewals' });
export type AutomaticRenewals = z.output<typeof AutomaticRenewals>;

export const automaticRenewalOperations = operations(
  { tag: 'Certificate Renewal', resource: 'raProfiles', module: 'certificates', errors: objectErrors },
  {
    getAutomaticRenewal: {
      route: 'GET /x/v1/raProfiles/{raProfileUuid}/renewal',
      summary: 'Get whether the certificates of an RA profile are renewed automatically',
      answer: AutomaticRenewalSettings,
      access: { action: 'detail', object: 'raProfileUuid' },
    },
    setAutomaticRenewal: {
      route: 'PUT /x/v1/raProfiles/{raProfileUuid}/renewal',
      summary: 'Have the certificates of an RA profile renewed automatically, or not',
      body: AutomaticRenewalSettings,
      answer: AutomaticRenewalSettings,
      access: { action: 'update', object: 'raProfileUuid' },
      audit: 'update',
    },
    /** What is due, was renewed or failed; those that are tried next come first. */
    listAutomaticRenewals: {
      route: 'GET /x/v1/raProfiles/{raProfileUuid}/renewal/certificates',
      summary: 'List the automatic renewals of an RA profile',
      query: z.object({ state: AutomaticRenewalState.optional(), ...pageQuery }),
      answer: AutomaticRenewals,
      access: { action: 'detail', object: 'raProfileUuid' },
      also: [
        { resource: 'certificates', action: 'list' },
        { resource: 'locations', action: 'list' },
      ],
    },
  },
);
