// Enrollment requests received over CMP, SCEP and EST with their outcomes, and the one-time secrets issued for them.
// Not part of the published interface.
import { z } from 'zod';
import { objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { bounded, dateTime, uuid } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';

/** Maximum lifetime of a one-time secret, in hours. */
export const MAX_SECRET_HOURS = 24 * 365;

export const EnrollmentProtocol = z.enum(['cmp', 'scep', 'est']).meta({ id: 'EnrollmentProtocol' });
export type EnrollmentProtocol = z.output<typeof EnrollmentProtocol>;

/** Protocols of listed requests. For ACME, only rejected external account bindings are listed; orders have a list. */
export const ListedProtocol = z.enum(['acme', ...EnrollmentProtocol.options]).meta({ id: 'ListedProtocol' });
export type ListedProtocol = z.output<typeof ListedProtocol>;

/**
 * `waiting`: waiting for the authority, an approval or an operator. `confirmed`: the certificate was issued, and the
 * client confirmed its receipt. `revoked`: the certificate was issued, then revoked. `refused`: nothing was issued.
 */
export const EnrollmentState = z
  .enum(['waiting', 'issued', 'confirmed', 'revoked', 'refused'])
  .meta({ id: 'EnrollmentState' });
export type EnrollmentState = z.output<typeof EnrollmentState>;

export const EnrollmentDto = z
  .object({
    uuid: uuid(),
    protocol: ListedProtocol,
    profileUuid: uuid(),
    profileName: z.string(),
    raProfileUuid: uuid().optional(),
    /** Assigned by the client. */
    transactionId: z.string(),
    /**
     * Protocol name of the message that started the transaction: `ir`, `PKCSReq`, `simpleenroll`. Empty if the message
     * could not be read.
     */
    kind: z.string(),
    /** Description of the requester. */
    requester: z.string(),
    /** Empty if the request could not be read. */
    subject: z.string(),
    state: EnrollmentState,
    /** Why the request was rejected. */
    problem: z.string().optional(),
    /** IP address of the client. Absent for requests received before the platform recorded addresses. */
    address: z.string().optional(),
    /** Absent if the request was rejected before it reached an authority. */
    certificateUuid: uuid().optional(),
    createdAt: dateTime(),
    updatedAt: dateTime(),
  })
  .meta({ id: 'Enrollment' });
export type EnrollmentDto = z.output<typeof EnrollmentDto>;

export const EnrollmentPage = z
  .object({ ...pageTotals, enrollments: z.array(EnrollmentDto) })
  .meta({ id: 'EnrollmentPage' });
export type EnrollmentPage = z.output<typeof EnrollmentPage>;

export const EnrollmentSecretState = z
  .enum(['usable', 'used', 'expired', 'withdrawn'])
  .meta({ id: 'EnrollmentSecretState' });
export type EnrollmentSecretState = z.output<typeof EnrollmentSecretState>;

const ONE_NAME = /^[\x21-\x7e]+$/;
const nameSchema = (length: number) =>
  bounded(length).regex(ONE_NAME, 'must be a single ASCII name; internationalized domains must start with xn--');

/** Internationalized names are compared in their ASCII form. */
const hostName = () => bounded(253).regex(/^[^\s\p{C}]+$/u, 'must be a single host name');

/** SANs that a request with a one-time secret can contain. If there are none, the common name is used instead. */
const altNames = {
  dnsNames: z.array(hostName()).max(100).optional(),
  ipAddresses: z
    .array(z.union([z.ipv4(), z.ipv6()]))
    .max(100)
    .optional(),
  emails: z.array(nameSchema(254)).max(100).optional(),
};

export const EnrollmentSecretDto = z
  .object({
    uuid: uuid(),
    protocol: EnrollmentProtocol,
    /** Identifier of the secret: the CMP reference value or the EST username. */
    reference: z.string(),
    /**
     * Subject that the request must have (RFC 4514). If absent, the subject must be one of the SANs as the common name
     * or, if there are no SANs, any subject that the RA profile allows.
     */
    subject: z.string().optional(),
    ...altNames,
    state: EnrollmentSecretState,
    createdAt: dateTime(),
    /** Name of the user who created the secret. */
    createdBy: z.string(),
    expiresAt: dateTime(),
    usedAt: dateTime().optional(),
    /** Request in which the secret was used. */
    enrollmentUuid: uuid().optional(),
  })
  .meta({ id: 'EnrollmentSecret' });
export type EnrollmentSecretDto = z.output<typeof EnrollmentSecretDto>;

/**
 * Returns the names for which a secret is valid, or undefined if it is valid for any name that the RA profile allows.
 */
export function namesOfEnrollmentSecret(
  secret: Pick<EnrollmentSecretDto, 'subject' | 'dnsNames' | 'ipAddresses' | 'emails'>,
): string | undefined {
  const { subject, dnsNames = [], ipAddresses = [], emails = [] } = secret;
  const names = [...(subject === undefined ? [] : [subject]), ...dnsNames, ...ipAddresses, ...emails];
  return names.length === 0 ? undefined : names.join(', ');
}

export const EnrollmentSecretRequest = z
  .object({
    protocol: EnrollmentProtocol,
    subject: bounded(1_000).optional(),
    ...altNames,
    /** Default: 24 hours from now. At most one year. */
    expiresAt: dateTime().optional(),
  })
  .meta({ id: 'EnrollmentSecretRequest' });
export type EnrollmentSecretRequest = z.output<typeof EnrollmentSecretRequest>;

/** A newly created secret; its value is shown only once. */
export const HandedOutSecret = EnrollmentSecretDto.extend({ secret: z.string() }).meta({ id: 'HandedOutSecret' });
export type HandedOutSecret = z.output<typeof HandedOutSecret>;

export const enrollmentOperations = operations(
  { tag: 'Enrollments', resource: 'raProfiles', module: 'protocols', errors: plainErrors },
  {
    /**
     * Requests under the RA profiles that the caller can list, newest first. They are retained for several weeks after
     * completion.
     */
    listEnrollments: {
      route: 'GET /x/v1/enrollments',
      summary: 'List enrollment requests received over CMP, SCEP and EST, and rejected ACME registrations',
      query: z.object({
        protocol: ListedProtocol.optional(),
        profileUuid: uuid().optional(),
        raProfileUuid: uuid().optional(),
        state: EnrollmentState.optional(),
        /** Matches part of the subject, transaction ID, requester or IP address. */
        text: bounded(100).optional(),
        ...pageQuery,
      }),
      answer: EnrollmentPage,
      access: { action: 'list' },
    },
  },
);

export const enrollmentSecretOperations = operations(
  { tag: 'Enrollment Secrets', resource: 'raProfiles', module: 'protocols', errors: objectErrors },
  {
    /** Newest first. */
    listEnrollmentSecrets: {
      route: 'GET /x/v1/raProfiles/{raProfileUuid}/enrollmentSecrets',
      summary: 'List one-time secrets for enrollment requests under an RA Profile',
      answer: z.array(EnrollmentSecretDto),
      access: { action: 'detail', object: 'raProfileUuid' },
    },
    createEnrollmentSecret: {
      route: 'POST /x/v1/raProfiles/{raProfileUuid}/enrollmentSecrets',
      summary: 'Issue a one-time secret for an enrollment request under an RA Profile',
      body: EnrollmentSecretRequest,
      created: HandedOutSecret,
      errors: ruleErrors,
      access: { action: 'update', object: 'raProfileUuid' },
      audit: 'add',
    },
    withdrawEnrollmentSecret: {
      route: 'DELETE /x/v1/raProfiles/{raProfileUuid}/enrollmentSecrets/{secretUuid}',
      summary: 'Withdraw a one-time secret',
      access: { action: 'update', object: 'raProfileUuid' },
      audit: 'revoke',
    },
  },
);
