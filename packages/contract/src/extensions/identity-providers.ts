// People and programs of an identity provider: what is made for them when they come, which users they are, and whether
// the provider answers as its settings say. Not part of the published interface.
import { z } from 'zod';
import { fullPermissions } from '../operation.ts';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { dateTime, line } from '../primitives.ts';
import { powersOfUser } from '../platform/second-objects.ts';

/**
 * When names, e-mail address and roles are taken from the claims. `create-only`: when the user is made. `sync-data`: at
 * every sign-in; roles that are not among the claims are taken away then.
 */
export const ProvisioningSyncPolicy = z.enum(['create-only', 'sync-data']);
export type ProvisioningSyncPolicy = z.output<typeof ProvisioningSyncPolicy>;

export const ProviderProvisioning = z
  .object({
    /** Makes a user for a person or program that comes for the first time. */
    createUnknownUsers: z.boolean(),
    /** Creates the roles of the claim `roles` that do not exist, without permissions, and adds them to the list. */
    createUnknownRoles: z.boolean(),
    syncPolicy: ProvisioningSyncPolicy,
    /** Identifiers of the roles that the claim `roles` assigns and removes; it never touches any other. */
    grantedRoleUuids: z.array(z.uuid()),
    /**
     * Accepts only access tokens whose header names the type `at+jwt` (RFC 9068 §2.1). False when absent; absent in a
     * request leaves it as it is.
     */
    requireAccessTokenType: z.boolean().optional(),
  })
  .meta({ id: 'ProviderProvisioning' });
export type ProviderProvisioning = z.output<typeof ProviderProvisioning>;

export const ProviderCheck = z
  .object({
    /** What was looked at, such as `discovery` or `keys`. */
    check: z.string(),
    passed: z.boolean(),
    /** What was found, in words. */
    message: z.string(),
  })
  .meta({ id: 'ProviderCheck' });
export type ProviderCheck = z.output<typeof ProviderCheck>;

/** The subject of a provider (OpenID Connect Core §2, `iss` and `sub`) that a user signs in as. */
export const ExternalIdentity = z
  .object({
    uuid: z.string(),
    issuerUrl: z.string(),
    subject: z.string(),
    /** The provider that answers for the issuer now; absent when there is none. */
    providerName: z.string().optional(),
    createdAt: dateTime(),
  })
  .meta({ id: 'ExternalIdentity' });
export type ExternalIdentity = z.output<typeof ExternalIdentity>;

export const ExternalIdentityRequest = z
  .object({
    providerName: line(),
    /** `sub` of the tokens of this person or program. */
    subject: line().min(1),
  })
  .meta({ id: 'ExternalIdentityRequest' });
export type ExternalIdentityRequest = z.output<typeof ExternalIdentityRequest>;

const named = z.object({ providerName: z.string() });
const PROVIDER = '/x/v1/settings/authentication/oauth2Providers/{providerName}';

export const identityProviderOperations = operations(
  { tag: 'Identity Providers', resource: 'settings', module: 'core', errors: objectErrors },
  {
    getProviderProvisioning: {
      route: `GET ${PROVIDER}/provisioning`,
      summary: 'Get what is made for people and programs of an OAuth2 provider',
      params: named,
      answer: ProviderProvisioning,
      access: { action: 'detail' },
    },
    updateProviderProvisioning: {
      route: `PUT ${PROVIDER}/provisioning`,
      summary: 'Change what is made for people and programs of an OAuth2 provider',
      params: named,
      body: ProviderProvisioning,
      answer: ProviderProvisioning,
      access: { action: 'update' },
      also: [fullPermissions],
      audit: 'update',
    },
    testProvider: {
      route: `POST ${PROVIDER}/test`,
      summary: 'Check that an OAuth2 provider answers as its settings say',
      params: named,
      answer: z.array(ProviderCheck),
      access: { action: 'update' },
    },
  },
);

const USER = '/x/v1/users/{userUuid}/externalIdentities';

export const externalIdentityOperations = operations(
  { tag: 'External Identities', resource: 'users', module: 'auth', errors: objectErrors },
  {
    listExternalIdentities: {
      route: `GET ${USER}`,
      summary: 'List the identities of providers that a user signs in as',
      answer: z.array(ExternalIdentity),
      access: { action: 'detail', object: 'userUuid' },
    },
    linkExternalIdentity: {
      route: `POST ${USER}`,
      summary: 'Let a user sign in as an identity of a provider',
      body: ExternalIdentityRequest,
      created: ExternalIdentity,
      errors: ruleErrors,
      access: { action: 'update', object: 'userUuid' },
      also: [powersOfUser],
      audit: 'update',
    },
    unlinkExternalIdentity: {
      route: `DELETE ${USER}/{uuid}`,
      summary: 'Take the identity of a provider from a user, and end the sessions of the user',
      errors: ruleErrors,
      access: { action: 'update', object: 'userUuid' },
      audit: 'update',
    },
  },
);
