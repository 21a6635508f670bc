// What became of requests for certificates that came over CMP, SCEP and EST, and the one-time secrets that are handed
// out for them. Not part of the published interface.
import { z } from 'zod';
import { objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { bounded, dateTime, uuid } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';

/** Longest time for which a one-time secret can be used, in hours. */
export const MAX_SECRET_HOURS = 24 * 365;

export const EnrolmentProtocol = z.enum(['cmp', 'scep', 'est']).meta({ id: 'EnrolmentProtocol' });
export type EnrolmentProtocol = z.output<typeof EnrolmentProtocol>;

/**
 * `waiting`: for the authority, an approval or an operator. `confirmed`: issued, and its client said that it has it.
 * `revoked`: issued, and revoked since. `refused`: nothing was issued.
 */
export const EnrolmentState = z
  .enum(['waiting', 'issued', 'confirmed', 'revoked', 'refused'])
  .meta({ id: 'EnrolmentState' });
export type EnrolmentState = z.output<typeof EnrolmentState>;

export const EnrolmentDto = z
  .object({
    uuid: uuid(),
    protocol: EnrolmentProtocol,
    profileUuid: uuid(),
    profileName: z.string(),
    raProfileUuid: uuid().optional(),
    /** As the client names it. */
    transactionId: z.string(),
    /** The message that began it, as the protocol names it: `ir`, `PKCSReq`, `simpleenroll`. */
    kind: z.string(),
    /** Who asked, in words. */
    requester: z.string(),
    /** Empty where the request could not be read. */
    subject: z.string(),
    state: EnrolmentState,
    /** Why it was refused, in words. */
    problem: z.string().optional(),
    /** Absent where it was refused before anything was asked of an authority. */
    certificateUuid: uuid().optional(),
    createdAt: dateTime(),
    updatedAt: dateTime(),
  })
  .meta({ id: 'Enrolment' });
export type EnrolmentDto = z.output<typeof EnrolmentDto>;

export const EnrolmentPage = z
  .object({ ...pageTotals, enrolments: z.array(EnrolmentDto) })
  .meta({ id: 'EnrolmentPage' });
export type EnrolmentPage = z.output<typeof EnrolmentPage>;

export const EnrolmentSecretState = z
  .enum(['usable', 'used', 'expired', 'withdrawn'])
  .meta({ id: 'EnrolmentSecretState' });
export type EnrolmentSecretState = z.output<typeof EnrolmentSecretState>;

const ONE_NAME = /^[\x21-\x7e]+$/;
const nameOf = (length: number) =>
  bounded(length).regex(ONE_NAME, 'must be one name in ASCII; international names begin with xn-- there');

/** Alternative names that a request with a one-time secret may have. Without any, the common name stands for them. */
const altNames = {
  dnsNames: z.array(nameOf(253)).max(100).optional(),
  ipAddresses: z
    .array(z.union([z.ipv4(), z.ipv6()]))
    .max(100)
    .optional(),
  emails: z.array(nameOf(254)).max(100).optional(),
};

export const EnrolmentSecretDto = z
  .object({
    uuid: uuid(),
    protocol: EnrolmentProtocol,
    /** Names the secret: the reference value of CMP, the user name of EST. */
    reference: z.string(),
    /**
     * The subject that a request with it must have (RFC 4514); absent: one of the alternative names as the common name,
     * and without those whatever the RA profile allows.
     */
    subject: z.string().optional(),
    ...altNames,
    state: EnrolmentSecretState,
    createdAt: dateTime(),
    /** User name. */
    createdBy: z.string(),
    expiresAt: dateTime(),
    usedAt: dateTime().optional(),
    /** Of the request that it was used for. */
    enrolmentUuid: uuid().optional(),
  })
  .meta({ id: 'EnrolmentSecret' });
export type EnrolmentSecretDto = z.output<typeof EnrolmentSecretDto>;

/** The names that a secret is for, in words; undefined: whatever the RA profile allows. */
export function namesOfEnrolmentSecret(
  secret: Pick<EnrolmentSecretDto, 'subject' | 'dnsNames' | 'ipAddresses' | 'emails'>,
): string | undefined {
  const { subject, dnsNames = [], ipAddresses = [], emails = [] } = secret;
  const names = [...(subject === undefined ? [] : [subject]), ...dnsNames, ...ipAddresses, ...emails];
  return names.length === 0 ? undefined : names.join(', ');
}

export const EnrolmentSecretRequest = z
  .object({
    protocol: EnrolmentProtocol,
    subject: bounded(1_000).optional(),
    ...altNames,
    /** 24 hours from now when absent; a year at most. */
    expiresAt: dateTime().optional(),
  })
  .meta({ id: 'EnrolmentSecretRequest' });
export type EnrolmentSecretRequest = z.output<typeof EnrolmentSecretRequest>;

/** A new secret, which is shown this once. */
export const HandedOutSecret = EnrolmentSecretDto.extend({ secret: z.string() }).meta({ id: 'HandedOutSecret' });
export type HandedOutSecret = z.output<typeof HandedOutSecret>;

export const enrolmentOperations = operations(
  { tag: 'Enrolments', resource: 'raProfiles', module: 'protocols', errors: plainErrors },
  {
    /** Of the RA profiles that the caller may list, the newest first. They are kept for some weeks after their end. */
    listEnrolments: {
      route: 'GET /x/v1/enrolments',
      summary: 'List requests that came over CMP, SCEP and EST',
      query: z.object({
        protocol: EnrolmentProtocol.optional(),
        profileUuid: uuid().optional(),
        raProfileUuid: uuid().optional(),
        state: EnrolmentState.optional(),
        /** Within the subject, the transaction or who asked. */
        text: bounded(100).optional(),
        ...pageQuery,
      }),
      answer: EnrolmentPage,
      access: { action: 'list' },
    },
  },
);

export const enrolmentSecretOperations = operations(
  { tag: 'Enrolment Secrets', resource: 'raProfiles', module: 'protocols', errors: objectErrors },
  {
    /** Newest first. */
    listEnrolmentSecrets: {
      route: 'GET /x/v1/raProfiles/{raProfileUuid}/enrolmentSecrets',
      summary: 'List one-time secrets for requests under an RA Profile',
      answer: z.array(EnrolmentSecretDto),
      access: { action: 'detail', object: 'raProfileUuid' },
    },
    handOutEnrolmentSecret: {
      route: 'POST /x/v1/raProfiles/{raProfileUuid}/enrolmentSecrets',
      summary: 'Hand out a one-time secret for a request under an RA Profile',
      body: EnrolmentSecretRequest,
      created: HandedOutSecret,
      errors: ruleErrors,
      access: { action: 'update', object: 'raProfileUuid' },
      audit: 'add',
    },
    withdrawEnrolmentSecret: {
      route: 'DELETE /x/v1/raProfiles/{raProfileUuid}/enrolmentSecrets/{secretUuid}',
      summary: 'Withdraw a one-time secret',
      access: { action: 'update', object: 'raProfileUuid' },
      audit: 'revoke',
    },
  },
);
