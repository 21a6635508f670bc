// Certificates that the platform renews by itself, because their RA profile says so: those in locations that make their
// keys, and those whose key is in a token. And what nobody renews, with the reason. Not part of the published
// interface.
import { z } from 'zod';
import { memberOfItsRaProfile } from '../platform/second-objects.ts';
import { objectErrors, operations, plainErrors } from '../operations.ts';
import { dateTime, int32, uuid } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';
import { queryInt32 } from '../shared/query.ts';

export const MAX_RENEWAL_DAYS = 3_650;

export const AutomaticRenewalSettings = z
  .object({
    automatic: z.boolean(),
    /** Certificates whose key is in a token, too, with the same key; those in locations are renewed anyway. */
    tokenKeys: z.boolean().optional(),
    /** What is planned waits until this is over. */
    paused: z.boolean().optional(),
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

/** In a location, or with a key in a token. */
export const AutomaticRenewalWay = z.enum(['location', 'token']).meta({ id: 'AutomaticRenewalWay' });
export type AutomaticRenewalWay = z.output<typeof AutomaticRenewalWay>;

/**
 * What a planned renewal waits for. `time`: its moment within the window. `retry`: the next try after one that failed.
 * `pause`: the end of a pause. `turn`: its turn, where many are due or the authority has a limit.
 */
export const AutomaticRenewalWait = z.enum(['time', 'retry', 'pause', 'turn']).meta({ id: 'AutomaticRenewalWait' });
export type AutomaticRenewalWait = z.output<typeof AutomaticRenewalWait>;

export const AutomaticRenewal = z
  .object({
    certificateUuid: uuid(),
    commonName: z.string(),
    notAfter: dateTime(),
    way: AutomaticRenewalWay,
    /** Absent where the key is in a token. */
    entityUuid: uuid().optional(),
    locationUuid: uuid().optional(),
    locationName: z.string().optional(),
    state: AutomaticRenewalState,
    /** Of what is planned. */
    waitsFor: AutomaticRenewalWait.optional(),
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

export const AutomaticRenewalAttempt = z
  .object({
    startedAt: dateTime(),
    /** Absent while it is under way. */
    endedAt: dateTime().optional(),
    /** Why it failed. */
    problem: z.string().optional(),
    successorUuid: uuid().optional(),
  })
  .meta({ id: 'AutomaticRenewalAttempt' });
export type AutomaticRenewalAttempt = z.output<typeof AutomaticRenewalAttempt>;

/** Latest tries that are told of one certificate. */
export const MAX_TOLD_ATTEMPTS = 100;

/**
 * Why nothing renews a certificate by itself, or has not yet. `noRaProfile`: it was discovered or uploaded, so the
 * platform does not know under which conditions it would be renewed. `raProfileDisabled`, `authorityMissing`: nobody
 * issues. `noLocationNorKey`: it is in no location, and its key is in no token. `locationMakesNoKeys`,
 * `locationDisabled`: the location that it is in cannot renew it. `notAutomatic`: the RA profile does not say so.
 * `paused`: the platform or the RA profile is paused. `failed`: the last try failed.
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

/** What is planned for one certificate, and what was tried. */
export const CertificateRenewalHistory = z
  .object({
    /** Absent where something renews it, or where it needs no renewal any more. */
    reason: UnattendedReason.optional(),
    renewals: z.array(AutomaticRenewal),
    /** The latest first. */
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
    /** In words, with what would help; of a failed try, what went wrong. */
    explanation: z.string(),
    raProfileUuid: uuid().optional(),
    raProfileName: z.string().optional(),
  })
  .meta({ id: 'UnattendedCertificate' });
export type UnattendedCertificate = z.output<typeof UnattendedCertificate>;

export const UnattendedCertificates = z
  .object({
    /** Of all reasons that there are, whichever was asked for. */
    counts: z.array(z.object({ reason: UnattendedReason, certificates: int32() })),
    /** The first to end comes first. */
    certificates: z.array(UnattendedCertificate),
    ...pageTotals,
  })
  .meta({ id: 'UnattendedCertificates' });
export type UnattendedCertificates = z.output<typeof UnattendedCertificates>;

export const RenewalSettings = z
  .object({
    /** Nothing is renewed automatically until this is over; plans are kept. */
    paused: z.boolean(),
  })
  .meta({ id: 'RenewalSettings' });
export type RenewalSettings = z.output<typeof RenewalSettings>;

export const MAX_RENEWALS_PER_HOUR = 1_000_000;

export const RenewalLimit = z
  .object({
    /** Renewals that begin within any hour; without it there is no limit. */
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
      summary: 'Pause automatic renewal, or resume it',
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
      summary: 'Get how many automatic renewals an authority is asked for in an hour',
      answer: RenewalLimit,
      access: { action: 'detail', object: 'authorityUuid' },
    },
    setRenewalLimit: {
      route: 'PUT /x/v1/authorities/{authorityUuid}/renewalLimit',
      summary: 'Set how many automatic renewals an authority is asked for in an hour',
      body: RenewalLimit,
      answer: RenewalLimit,
      access: { action: 'update', object: 'authorityUuid' },
      audit: 'update',
    },
  },
);

/** As for the list of certificates: only what the caller may list is shown. */
export const listedCertificates = {
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
      summary: 'Get what is planned to renew a certificate, and what was tried',
      answer: CertificateRenewalHistory,
      errors: objectErrors,
      access: { action: 'detail', object: 'uuid' },
      also: [memberOfItsRaProfile],
    },
    listUnattendedCertificates: {
      route: 'GET /x/v1/renewals/unattended',
      summary: 'List the certificates that end soon and that nothing renews by itself, with the reason',
      query: z.object({
        /** Days from now within which they end. */
        days: queryInt32(int32().min(1).max(MAX_RENEWAL_DAYS)).default(30),
        reason: UnattendedReason.optional(),
        ...pageQuery,
      }),
      answer: UnattendedCertificates,
      access: listedCertificates,
    },
  },
);
