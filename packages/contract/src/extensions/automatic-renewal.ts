// Certificates that the platform renews automatically if their RA profile enables this: certificates in locations that
// generate their own keys, and certificates whose key is in a token. Also lists certificates without automated renewal,
// with the reasons. Not part of the published interface.
import { z } from 'zod';
import { raProfileMembership } from '../platform/referenced-objects.ts';
import { objectErrors, operations, plainErrors } from '../operations.ts';
import { dateTime, int32, uuid } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';
import { queryInt32 } from '../shared/query.ts';

export const MAX_RENEWAL_DAYS = 3_650;

export const AutomaticRenewalSettings = z
  .object({
    automatic: z.boolean(),
    /**
     * Whether to also renew certificates whose key is in a token, with the same key. Certificates in locations are
     * renewed regardless of this setting.
     */
    tokenKeys: z.boolean().optional(),
    /** Whether planned renewals are paused. */
    paused: z.boolean().optional(),
    /**
     * Number of days before expiry at which renewal starts, limited to the second half of the validity period. Default:
     * the last third of the validity period.
     */
    daysBefore: int32().min(1).max(MAX_RENEWAL_DAYS).optional(),
  })
  .meta({ id: 'AutomaticRenewalSettings' });
export type AutomaticRenewalSettings = z.output<typeof AutomaticRenewalSettings>;

/**
 * `planned`: the renewal will start when it is due, or will be retried after a failure. `renewing`: the renewal is in
 * progress. `renewed`: the successor was issued or is waiting for approval. `ended`: the certificate expired before it
 * could be renewed.
 */
export const AutomaticRenewalState = z
  .enum(['planned', 'renewing', 'renewed', 'ended'])
  .meta({ id: 'AutomaticRenewalState' });
export type AutomaticRenewalState = z.output<typeof AutomaticRenewalState>;

/** Whether the certificate is in a location or its key is in a token. */
export const AutomaticRenewalWay = z.enum(['location', 'token']).meta({ id: 'AutomaticRenewalWay' });
export type AutomaticRenewalWay = z.output<typeof AutomaticRenewalWay>;

/**
 * What a planned renewal is waiting for. `time`: its scheduled time within the window. `retry`: the next attempt after
 * a failure. `pause`: the end of a pause. `turn`: its turn, if many renewals are due or the authority has a limit.
 */
export const AutomaticRenewalWait = z.enum(['time', 'retry', 'pause', 'turn']).meta({ id: 'AutomaticRenewalWait' });
export type AutomaticRenewalWait = z.output<typeof AutomaticRenewalWait>;

export const AutomaticRenewal = z
  .object({
    certificateUuid: uuid(),
    commonName: z.string(),
    notAfter: dateTime(),
    way: AutomaticRenewalWay,
    /** Absent if the key is in a token. */
    entityUuid: uuid().optional(),
    locationUuid: uuid().optional(),
    locationName: z.string().optional(),
    state: AutomaticRenewalState,
    /** Present in the state `planned`. */
    waitsFor: AutomaticRenewalWait.optional(),
    /** Time of the next or most recent attempt. */
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

export const AutomaticRenewalAttempt = z
  .object({
    startedAt: dateTime(),
    /** Absent while the attempt is in progress. */
    endedAt: dateTime().optional(),
    /** Why the attempt failed. */
    problem: z.string().optional(),
    successorUuid: uuid().optional(),
  })
  .meta({ id: 'AutomaticRenewalAttempt' });
export type AutomaticRenewalAttempt = z.output<typeof AutomaticRenewalAttempt>;

/** Maximum number of attempts returned for one certificate, latest first. */
export const MAX_REPORTED_ATTEMPTS = 100;

/**
 * Why a certificate has no automated renewal, or has not been renewed yet. `noRaProfile`: it was discovered or
 * uploaded, so the platform does not know the conditions for its renewal. `raProfileDisabled`, `authorityMissing`: no
 * certificates can be issued. `noLocationNorKey`: it is not in a location, and its key is not in a token.
 * `locationMakesNoKeys`, `locationDisabled`: its location cannot renew it. `notAutomatic`: the RA profile does not
 * enable automatic renewal. `paused`: renewal is paused for the platform or the RA profile. `failed`: the last attempt
 * failed.
 */
export const UnattendedReason = z
  .enum([
    'noRaProfile',
    'raProfileDisabled',
    'authorityMissing',
    'noLocationNorKey',
    'locationMakesNoKeys',
    'locationDisabled',
    'notAutomatic',
    'paused',
    'failed',
  ])
  .meta({ id: 'UnattendedReason' });
export type UnattendedReason = z.output<typeof UnattendedReason>;

/** Planned renewals and previous attempts for a certificate. */
export const CertificateRenewalHistory = z
  .object({
    /** Absent if the certificate has automated renewal or no longer needs renewal. */
    reason: UnattendedReason.optional(),
    renewals: z.array(AutomaticRenewal),
    /** Latest first. */
    attempts: z.array(AutomaticRenewalAttempt),
  })
  .meta({ id: 'CertificateRenewalHistory' });
export type CertificateRenewalHistory = z.output<typeof CertificateRenewalHistory>;

export const UnattendedCertificate = z
  .object({
    uuid: uuid(),
    commonName: z.string(),
    notAfter: dateTime(),
    reason: UnattendedReason,
    /** Explanation of the reason with a suggested fix or, for a failed attempt, the error message. */
    explanation: z.string(),
    raProfileUuid: uuid().optional(),
    raProfileName: z.string().optional(),
  })
  .meta({ id: 'UnattendedCertificate' });
export type UnattendedCertificate = z.output<typeof UnattendedCertificate>;

export const UnattendedCertificates = z
  .object({
    /** Counts for all reasons, even if the request is limited to one reason. */
    counts: z.array(z.object({ reason: UnattendedReason, certificates: int32() })),
    /** Soonest to expire first. */
    certificates: z.array(UnattendedCertificate),
    ...pageTotals,
  })
  .meta({ id: 'UnattendedCertificates' });
export type UnattendedCertificates = z.output<typeof UnattendedCertificates>;

export const RenewalSettings = z
  .object({
    /** If true, automatic renewal is paused. Planned renewals are retained. */
    paused: z.boolean(),
  })
  .meta({ id: 'RenewalSettings' });
export type RenewalSettings = z.output<typeof RenewalSettings>;

export const MAX_RENEWALS_PER_HOUR = 1_000_000;

export const RenewalLimit = z
  .object({
    /** Maximum number of renewals that start within any hour. If absent, there is no limit. */
    perHour: int32().min(1).max(MAX_RENEWALS_PER_HOUR).optional(),
  })
  .meta({ id: 'RenewalLimit' });
export type RenewalLimit = z.output<typeof RenewalLimit>;

const tag = 'Certificate Renewal';

export const automaticRenewalOperations = operations(
  { tag, resource: 'raProfiles', module: 'certificates', errors: objectErrors },
  {
    getAutomaticRenewal: {
      route: 'GET /x/v1/raProfiles/{raProfileUuid}/renewal',
      summary: 'Get the automatic renewal settings of an RA profile',
      answer: AutomaticRenewalSettings,
      access: { action: 'detail', object: 'raProfileUuid' },
    },
    setAutomaticRenewal: {
      route: 'PUT /x/v1/raProfiles/{raProfileUuid}/renewal',
      summary: 'Update the automatic renewal settings of an RA profile',
      body: AutomaticRenewalSettings,
      answer: AutomaticRenewalSettings,
      access: { action: 'update', object: 'raProfileUuid' },
      audit: 'update',
    },
    /** Renewals that are due, have succeeded or have failed. Those to be attempted next come first. */
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

export const renewalSettingsOperations = operations(
  { tag, resource: 'settings', module: 'core', errors: plainErrors },
  {
    getRenewalSettings: {
      route: 'GET /x/v1/renewals/settings',
      summary: 'Get whether automatic renewal is paused',
      answer: RenewalSettings,
      access: { action: 'detail' },
    },
    setRenewalSettings: {
      route: 'PUT /x/v1/renewals/settings',
      summary: 'Pause or resume automatic renewal',
      body: RenewalSettings,
      answer: RenewalSettings,
      access: { action: 'update' },
      audit: 'update',
    },
  },
);

export const renewalLimitOperations = operations(
  { tag, resource: 'authorities', module: 'certificates', errors: objectErrors },
  {
    getRenewalLimit: {
      route: 'GET /x/v1/authorities/{authorityUuid}/renewalLimit',
      summary: 'Get the hourly limit on automatic renewals of an authority',
      answer: RenewalLimit,
      access: { action: 'detail', object: 'authorityUuid' },
    },
    setRenewalLimit: {
      route: 'PUT /x/v1/authorities/{authorityUuid}/renewalLimit',
      summary: 'Set the hourly limit on automatic renewals of an authority',
      body: RenewalLimit,
      answer: RenewalLimit,
      access: { action: 'update', object: 'authorityUuid' },
      audit: 'update',
    },
  },
);

/** Uses the same access rules as the certificate list: returns only certificates that the caller can list. */
export const certificateListAccess = {
  resource: 'certificates',
  action: 'list',
  filtered: true,
  parent: { resource: 'raProfiles', action: 'members', filtered: true },
} as const;

export const unattendedCertificateOperations = operations(
  { tag, resource: 'certificates', module: 'certificates', errors: plainErrors },
  {
    getCertificateRenewalHistory: {
      route: 'GET /x/v1/certificates/{uuid}/automaticRenewal',
      summary: 'Get the planned and attempted renewals of a certificate',
      answer: CertificateRenewalHistory,
      errors: objectErrors,
      access: { action: 'detail', object: 'uuid' },
      also: [raProfileMembership],
    },
    listUnattendedCertificates: {
      route: 'GET /x/v1/renewals/unattended',
      summary: 'List certificates that expire soon and have no automated renewal, with the reason',
      query: z.object({
        /** Number of days from now within which the certificates expire. */
        days: queryInt32(int32().min(1).max(MAX_RENEWAL_DAYS)).default(30),
        reason: UnattendedReason.optional(),
        ...pageQuery,
      }),
      answer: UnattendedCertificates,
      access: certificateListAccess,
    },
  },
);
