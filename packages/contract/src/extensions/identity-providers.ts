// Users and programs from an identity provider: how they are provisioned, which users they sign in as, and a test of
// the provider's settings. Not part of the published interface.
import { z } from 'zod';
import { fullPermissions } from '../operation.ts';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { dateTime, line } from '../primitives.ts';
import { privilegesOfUser } from '../platform/referenced-objects.ts';

/**
 * When names, email address, roles and groups are taken from the claims. `create-only`: only when the user is created.
 * `sync-data`: at every sign-in, which also removes roles and groups that are not in the claims.
 */
export const ProvisioningSyncPolicy = z.enum(['create-only', 'sync-data']);
export type ProvisioningSyncPolicy = z.output<typeof ProvisioningSyncPolicy>;

/**
 * Names of claims, in order. A dot separates the names of nested claims, e.g. `realm_access.roles`; a claim whose own
 * name contains dots is found too.
 */
const claimNames = () => z.array(line().regex(/\S/, 'must not be blank')).min(1).max(10).optional();

/**
 * Claims that describe a user. For `username`, names and `email`, the first claim with a text counts; for `groups` and
 * `roles`, all claims count together, each a text or a list of texts. An absent member has its default.
 */
export const ProviderClaims = z
  .object({
    username: claimNames(),
    firstName: claimNames(),
    lastName: claimNames(),
    email: claimNames(),
    groups: claimNames(),
    roles: claimNames(),
  })
  .meta({ id: 'ProviderClaims' });
export type ProviderClaims = z.output<typeof ProviderClaims>;

export const defaultProviderClaims = {
  username: ['username', 'preferred_username', 'upn', 'email', 'sub'],
  firstName: ['given_name'],
  lastName: ['family_name'],
  email: ['email'],
  groups: ['groups'],
  roles: ['roles'],
} as const satisfies ProviderClaims;

export const ProviderProvisioning = z
  .object({
    /** Whether to create a user when an unknown identity signs in for the first time. */
    createUnknownUsers: z.boolean(),
    /**
     * Whether to create missing roles from the roles claim. Created roles have no permissions and are added to
     * `grantedRoleUuids`.
     */
    createUnknownRoles: z.boolean(),
    syncPolicy: ProvisioningSyncPolicy,
    /** Identifiers of the roles that the roles claim can assign and remove; all other roles are unaffected. */
    grantedRoleUuids: z.array(z.uuid()),
    /**
     * Whether to accept only access tokens with the header type `at+jwt` (RFC 9068 §2.1). Default: false. If absent in
     * a request, the setting is unchanged.
     */
    requireAccessTokenType: z.boolean().optional(),
    /** Claims from which users are read. If absent in a request, the setting is unchanged. */
    claims: ProviderClaims.optional(),
    /**
     * Identifiers of the groups that the groups claim can add users to and remove them from, by the group's name. All
     * other groups are unaffected. Default: none. If absent in a request, the setting is unchanged.
     */
    grantedGroupUuids: z.array(z.uuid()).optional(),
  })
  .meta({ id: 'ProviderProvisioning' });
export type ProviderProvisioning = z.output<typeof ProviderProvisioning>;

export const ProviderCheck = z
  .object({
    /** Name of the check, such as `discovery` or `keys`. */
    check: z.string(),
    passed: z.boolean(),
    /** Result of the check. */
    message: z.string(),
  })
  .meta({ id: 'ProviderCheck' });
export type ProviderCheck = z.output<typeof ProviderCheck>;

/**
 * A subject at an identity provider (OpenID Connect Core §2, `iss` and `sub`) that signs in as a user of the platform.
 */
export const ExternalIdentity = z
  .object({
    uuid: z.string(),
    issuerUrl: z.string(),
    subject: z.string(),
    /** Provider currently configured for the issuer; absent if there is none. */
    providerName: z.string().optional(),
    createdAt: dateTime(),
  })
  .meta({ id: 'ExternalIdentity' });
export type ExternalIdentity = z.output<typeof ExternalIdentity>;

export const ExternalIdentityRequest = z
  .object({
    providerName: line(),
    /** `sub` claim in the tokens of this user or program. */
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
      summary: 'Get the provisioning settings of an OAuth2 provider',
      params: named,
      answer: ProviderProvisioning,
      access: { action: 'detail' },
    },
    updateProviderProvisioning: {
      route: `PUT ${PROVIDER}/provisioning`,
      summary: 'Update the provisioning settings of an OAuth2 provider',
      params: named,
      body: ProviderProvisioning,
      answer: ProviderProvisioning,
      access: { action: 'update' },
      also: [fullPermissions],
      audit: 'update',
    },
    testProvider: {
      route: `POST ${PROVIDER}/test`,
      summary: 'Check that an OAuth2 provider matches its settings',
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
      summary: 'List the external identities of a user',
      answer: z.array(ExternalIdentity),
      access: { action: 'detail', object: 'userUuid' },
    },
    linkExternalIdentity: {
      route: `POST ${USER}`,
      summary: 'Link an external identity to a user',
      body: ExternalIdentityRequest,
      created: ExternalIdentity,
      errors: ruleErrors,
      access: { action: 'update', object: 'userUuid' },
      also: [privilegesOfUser],
      audit: 'update',
    },
    unlinkExternalIdentity: {
      route: `DELETE ${USER}/{uuid}`,
      summary: "Unlink an external identity from a user and end the user's sessions",
      errors: ruleErrors,
      access: { action: 'update', object: 'userUuid' },
      audit: 'update',
    },
  },
);
