// Identity and access: users, roles, permissions, credentials, and the access decision for every request. Owns:
// platform_user, role, user_role, role_permission, role_object_permission, session, sign_in_link, invitation, passkey,
// passkey_challenge, access_token, oauth2_provider, external_identity, provider_sign_in, provider_session. Invariants:
// an enabled administrator always remains; system users and roles are as defined by this version; of our own
// credentials, only hashes and public keys are stored.
//
// credentials/sessions.ts         session lifetime (settings sessionHours, sessionIdleMinutes)
// credentials/                    access-tokens.ts, passkeys.ts, invitations.ts, sign-in-links.ts (one-time links)
// credentials/failed-sign-ins.ts  limit on failed sign-ins by user and address
// gatekeeper/gatekeeper.ts        authentication: client-certificate.ts, session-cookie.ts; network.ts detects CSRF
// gatekeeper/                     presented-certificate.ts: whether a connection's certificate is the client's
// permissions/authorize.ts        whether a request is allowed; held.ts: callers cannot grant more than they have
// permissions/                    read-request.ts, permission-rows.ts, effective.ts: permissions as sent and in effect
// roles/                          roles and their permissions; templates.ts contains the predefined roles
// users/                          users; administration.ts ensures that an enabled administrator remains
// users/first-administrator.ts    the first administrator; system users: system-accounts.ts
// providers/                      OAuth 2.0 providers: client.ts, verify-token.ts, key-sets.ts, check-provider.ts
// external/                       sign-in.ts at a provider, external-users.ts, claimed-roles.ts (roles by claims)
// pages/                          sign-in, sign-out, invitation and passkey pages without the console
// sign-ins.ts, jobs.ts            the sign-in methods, assembled; removal of expired credentials
// ports.ts, routes.ts, tables.ts  ports for other areas, operations and rows
import { coreContext, type Actor, type PermissionSet, type RequestContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Gatekeeper } from '../../platform/http/binder.ts';
import { networks } from '../../platform/net/networks.ts';
import type { FindNames } from '../../platform/objects/named-objects.ts';
import type { Area, Belongings, ObjectNames, Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { createAccessTokens, type IssuedToken, type NewAccessToken } from './credentials/access-tokens.ts';
import { createSessions } from './credentials/sessions.ts';
import { createTokenScopes } from './credentials/token-scope.ts';
import type { IssuedLink } from './credentials/sign-in-links.ts';
import type { ProxyTrust } from './gatekeeper/presented-certificate.ts';
import { createExternalSignIns } from './external/sign-ins.ts';
import { createClientCertificates } from './gatekeeper/client-certificate.ts';
import { createGatekeeper } from './gatekeeper/gatekeeper.ts';
import { createIdentities } from './gatekeeper/identities.ts';
import { createRejectedCredentials } from './gatekeeper/rejected-credentials.ts';
import { createAccessEvaluator } from './gatekeeper/shared-objects.ts';
import { declareCleanUp } from './jobs.ts';
import { createPermissionChoices } from './permissions/choices.ts';
import { describeOwnPermissions } from './permissions/describe.ts';
import { mergePermissions } from './permissions/permission-rows.ts';
import { createPermissionObjects } from './permissions/objects.ts';
import type { Privileges, UserCertificates } from './ports.ts';
import { endSignInsEverywhere, sessionTokensColumn } from './external/provider-sessions.ts';
import { clientSecretColumn } from './providers/service.ts';
import { createRolePermissions } from './roles/role-permissions.ts';
import { createRoleService } from './roles/service.ts';
import * as permissionRows from './permissions/store.ts';
import { roles as roleRows } from './permissions/store-roles.ts';
import { identityRoutes } from './routes.ts';
import { createSignIns, type SignInSettings } from './sign-ins.ts';
import { seedSystemAccounts, type SystemUsername } from './users/system-accounts.ts';
import { createAdministration } from './users/administration.ts';
import { createFirstAdministrator } from './users/first-administrator.ts';
import { createIdentification } from './gatekeeper/identify-user.ts';
import { createProfileService } from './users/profile.ts';
import { createUserService } from './users/service.ts';
import * as users from './users/store.ts';
import { createUserRoles } from './users/user-roles.ts';

export type { Privileges, PrivilegeHolder, UserCertificate, UserCertificates } from './ports.ts';
export type { SystemUsername } from './users/system-accounts.ts';
export type { IssuedLink } from './credentials/sign-in-links.ts';
export type { SignInSettings } from './sign-ins.ts';
export type { IssuedToken, NewAccessToken } from './credentials/access-tokens.ts';
export { isDirectConnection, presentedCertificate, type ProxyTrust } from './gatekeeper/presented-certificate.ts';
export { assertMayTransfer, ownerPrivileges } from './permissions/held.ts';
export { requirePermission } from './permissions/require-permission.ts';

/** A user as referenced by other areas, e.g. as an owner. */
export interface UserReference {
  readonly uuid: string;
  readonly username: string;
  readonly enabled: boolean;
}

/** Possible recipient of a message. */
export interface Addressee {
  readonly uuid: string;
  /** Display name, e.g. first and last name. */
  readonly name: string;
  readonly email: string | null;
}

export interface IdentityArea extends Area {
  readonly gatekeeper: Gatekeeper;
  /**
   * Creates the system roles and users, or updates them to this version. Call this at every startup, before anything
   * else in this area.
   */
  seed(): Promise<void>;
  /** Creates the first administrator unless a user exists; returns whether it did. */
  ensureFirstAdministrator(username: string): Promise<boolean>;
  /** Returns an enabled administrator: the one with this name, or otherwise the oldest. */
  findAdministrator(preferredUsername: string): Promise<UserReference | undefined>;
  /** Creates a one-time link for an enabled user. */
  issueSignInLink(username: string, context?: RequestContext): Promise<IssuedLink>;
  createAccessToken(token: NewAccessToken, context?: RequestContext): Promise<IssuedToken>;
  /** Returns the system user that a protocol server acts as. */
  systemActor(username: SystemUsername): Promise<Actor>;
  /**
   * Returns an actor for work on behalf of an enabled user, with the user's current permissions; rejects all other
   * users.
   */
  actorOf(userUuid: string): Promise<Actor>;
  findUser(
    executor: Executor,
    by: { readonly uuid: string } | { readonly username: string },
  ): Promise<UserReference | undefined>;
  /** Returns those of the given users that exist, or all users if none are given, sorted by name. */
  findUsernames(
    executor: Executor,
    uuids?: readonly string[],
  ): Promise<readonly Pick<UserReference, 'uuid' | 'username'>[]>;
  /** Returns the enabled users among the given users, or the enabled users with a role. System users are excluded. */
  findActiveUsers(
    executor: Executor,
    among: { readonly userUuids: readonly string[] } | { readonly roleUuid: string },
  ): Promise<readonly string[]>;
  /** Returns enabled users with their display names and email addresses. */
  findPeople(executor: Executor, uuids: readonly string[]): Promise<readonly Addressee[]>;
  /** Returns roles with their email addresses. */
  findRoleAddresses(executor: Executor, uuids: readonly string[]): Promise<readonly Addressee[]>;
  findRoleNames: FindNames;
  /** Returns the UUIDs of a user's roles. */
  rolesOf(executor: Executor, userUuid: string): Promise<readonly string[]>;
  /** Returns the current permissions of a user's roles. */
  permissionsOf(executor: Executor, userUuid: string): Promise<PermissionSet>;
  findUsersOfCertificates(
    executor: Executor,
    certificateUuids: readonly string[],
  ): Promise<readonly (UserReference & { readonly certificateUuid: string })[]>;
  /**
   * Call after a change to certificates that users sign in with, such as a revocation, so that it takes effect
   * immediately on this node.
   */
  forgetCertificates(): void;
  /** Call while areas are being created. */
  registerPowers(powers: Privileges): void;
}

const HOUR_MS = 3_600_000;
const defaultSignIn: SignInSettings = {
  sessions: { idleMs: HOUR_MS, lifetimeMs: 8 * HOUR_MS },
  invitationLifetimeMs: 72 * HOUR_MS,
};

export interface IdentityParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly userCertificates: () => UserCertificates;
  /** From all areas; called only after they have been created. */
  readonly objectNames: () => ObjectNames;
  readonly belongings: () => Belongings;
  /** IP addresses or networks of reverse proxies whose certificate headers are trusted. */
  readonly trustedProxies?: readonly string[];
  /** Fingerprints of the certificates with which these proxies connect. */
  readonly proxyCertificates?: readonly string[];
  readonly signIn?: SignInSettings | undefined;
}

const createProxyTrust = (
  { log }: Pick<Platform, 'log'>,
  { trustedProxies = [], proxyCertificates }: Pick<IdentityParts, 'trustedProxies' | 'proxyCertificates'>,
): ProxyTrust => ({ addresses: networks(trustedProxies), certificates: new Set(proxyCertificates), log });

export function createIdentityArea(platform: Platform, parts: IdentityParts): IdentityArea {
  const { audit, attributes, userCertificates, signIn = defaultSignIn } = parts;
  const objects = createPermissionObjects(parts.objectNames);
  const identities = createIdentities(platform);
  const sessions = createSessions(platform, signIn.sessions);
  const clientCertificates = createClientCertificates(platform, { userCertificates });
  const scopes = createTokenScopes(platform, { objects });
  const accessTokens = createAccessTokens(platform, { audit, scopes });
  const caches = () => [identities, sessions, clientCertificates, accessTokens, scopes, external];
  const administration = createAdministration(platform, () => caches().forEach((memory) => memory.forget()));
  const guarded = { audit, administration };
  const endSignIns = endSignInsEverywhere(platform);
  const userService = createUserService(platform, { ...guarded, attributes, userCertificates, objects, endSignIns });
  const external = createExternalSignIns(platform, { ...guarded, users: userService, sessions });
  const { providers, providerTokens } = external;
  const firstAdministrator = createFirstAdministrator(platform, { ...guarded, ...identities, users: userService });
  const roles = createRoleService(platform, { ...guarded, attributes });
  const ownOrigins = () => [new URL(platform.publicUrl()).origin];
  const openings = { ...guarded, sessions, accessTokens, signIn, ownOrigins, external };
  const { pages, ...signIns } = createSignIns(platform, openings);
  declareCleanUp(platform, signIn.sessions);

  return {
    routes: identityRoutes({
      users: userService,
      userRoles: createUserRoles(platform, guarded),
      identify: createIdentification(platform, { accessTokens, providerTokens }),
      profile: createProfileService({ users: userService }),
      ownPermissions: ({ actor }) => describeOwnPermissions(platform.database.executor, actor, objects),
      roles,
      permissionChoices: createPermissionChoices(platform.database.executor, objects),
      rolePermissions: createRolePermissions(platform, { ...guarded, objects }),
      accessTokens,
      ...signIns,
      firstAdministrator,
      ...external.services,
      publicUrl: platform.publicUrl,
    }),
    http: (server) => pages.forEach((serve) => serve(server)),
    belongings: { users: users.findBelongings },
    valueHolders: { users: userService.holder, roles: roles.holder },
    gatekeeper: createGatekeeper({
      identities,
      sessions,
      clientCertificates,
      accessTokens,
      firstAdministrator,
      providers,
      providerTokens,
      providerSessions: external.browsers,
      decide: createAccessEvaluator(platform, parts.belongings),
      refusedCredentials: createRejectedCredentials(platform, { audit }),
      limits: platform.limits,
      proxies: createProxyTrust(platform, parts),
      ownOrigins,
    }),
    sealedColumns: () => [clientSecretColumn, sessionTokensColumn],
    stop: external.close,
    seed: () => seedSystemAccounts(platform),
    ensureFirstAdministrator: firstAdministrator.ensure,
    findAdministrator: (preferred) => users.findAdministrator(platform.database.executor, preferred),
    issueSignInLink: (username, context = coreContext(newUuid())) => signIns.signInLinks.issue({ username }, context),
    createAccessToken: (token, context = coreContext(newUuid())) => accessTokens.create(token, context),
    systemActor: identities.systemActor,
    actorOf: (userUuid) => identities.actorOf(userUuid, 'userProxy'),
    ...directory,
    forgetCertificates: clientCertificates.forget,
    registerPowers: administration.registerPowers,
  };
}

/** Reads users and roles for other areas. */
const directory: Directory = {
  findUser: async (executor, by) =>
    'uuid' in by ? users.findOne(executor, by.uuid) : users.findByUsername(executor, by.username),
  findUsernames: users.findNames,
  findActiveUsers: users.findActive,
  findPeople: users.findPeople,
  findRoleAddresses: roleRows.findMany,
  findRoleNames: roleRows.findNames,
  rolesOf: async (executor, userUuid) => (await users.rolesOf(executor, userUuid)).map(({ uuid }) => uuid),
  permissionsOf: async (executor, userUuid) => {
    const { rows, objectRows } = await permissionRows.findByUser(executor, userUuid);
    return mergePermissions(rows, objectRows);
  },
  findUsersOfCertificates: users.findByCertificates,
};

type Directory = Pick<
  IdentityArea,
  | 'findUser'
  | 'findUsernames'
  | 'findActiveUsers'
  | 'findPeople'
  | 'findRoleAddresses'
  | 'findRoleNames'
  | 'rolesOf'
  | 'permissionsOf'
  | 'findUsersOfCertificates'
>;
