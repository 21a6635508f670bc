// Identity and access: users, roles, permissions, credentials, and the decision about every call.
// Owns: platform_user, role, user_role, role_permission, role_object_permission, session, sign_in_link,
// access_token. Invariants: an enabled administrator always remains; system users and roles are as this version writes
// them; of credentials only hashes are kept.
import { coreContext, type Actor, type RequestContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Gatekeeper } from '../../platform/http/binder.ts';
import { networks } from '../../platform/net/networks.ts';
import type { Area, ObjectNames, Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { createAccessTokens, type IssuedToken, type NewAccessToken } from './credentials/access-tokens.ts';
import { createSessions } from './credentials/sessions.ts';
import { endSignIns } from './credentials/store.ts';
import { createSignInLinks, type IssuedLink } from './credentials/sign-in-links.ts';
import { createClientCertificates } from './gatekeeper/client-certificate.ts';
import { createGatekeeper } from './gatekeeper/gatekeeper.ts';
import { createIdentities } from './gatekeeper/identities.ts';
import { createRefusedCredentials } from './gatekeeper/refused-credentials.ts';
import { declareCleanUp } from './jobs.ts';
import { describeOwnPermissions } from './permissions/describe.ts';
import { createPermissionObjects } from './permissions/objects.ts';
import { signInPages } from './pages/sign-in-pages.ts';
import type { UserCertificates } from './ports.ts';
import { createRolePermissions } from './roles/role-permissions.ts';
import { createRoleService } from './roles/service.ts';
import { identityRoutes } from './routes.ts';
import { seedSystemAccounts, type SystemUsername } from './users/system-accounts.ts';
import { createAdministration } from './users/administration.ts';
import { createFirstAdministrator } from './users/first-administrator.ts';
import { createIdentification } from './credentials/identify-user.ts';
import { createProfileService } from './users/profile.ts';
import { createUserService } from './users/service.ts';
import * as users from './users/store.ts';
import { createUserRoles } from './users/user-roles.ts';

export type { UserCertificate, UserCertificates } from './ports.ts';
export type { SystemUsername } from './users/system-accounts.ts';
export type { IssuedLink } from './credentials/sign-in-links.ts';
export type { IssuedToken, NewAccessToken } from './credentials/access-tokens.ts';
export { requirePermission } from './permissions/require-permission.ts';

/** A user as other areas name it, e.g. as an owner. */
export interface UserReference {
  readonly uuid: string;
  readonly username: string;
  readonly enabled: boolean;
}

export interface IdentityArea extends Area {
  readonly gatekeeper: Gatekeeper;
  /**
   * Makes the system roles and users, or brings them to this version. Call at every start, before anything else here.
   */
  seed(): Promise<void>;
  /** Makes the first administrator unless a user exists; tells whether it did. */
  ensureFirstAdministrator(username: string): Promise<boolean>;
  /** An enabled administrator: the one of this name, or else the one that has been there longest. */
  findAdministrator(preferredUsername: string): Promise<UserReference | undefined>;
  /** A one-time link for an enabled user. */
  issueSignInLink(username: string, context?: RequestContext): Promise<IssuedLink>;
  createAccessToken(token: NewAccessToken, context?: RequestContext): Promise<IssuedToken>;
  /** Servers of protocols act as a system user. */
  systemActor(username: SystemUsername): Promise<Actor>;
  findUser(
    executor: Executor,
    by: { readonly uuid: string } | { readonly username: string },
  ): Promise<UserReference | undefined>;
  findUsersOfCertificates(
    executor: Executor,
    certificateUuids: readonly string[],
  ): Promise<readonly (UserReference & { readonly certificateUuid: string })[]>;
  /**
   * Call after a change of certificates that users sign in with, such as a revocation, so that it counts at once on
   * this node.
   */
  forgetCertificates(): void;
}

export interface IdentityParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly userCertificates: () => UserCertificates;
  /** Of all areas; asked for once they were created. */
  readonly objectNames: () => ObjectNames;
  /** Addresses or networks of reverse proxies whose certificate headers are believed. */
  readonly trustedProxies?: readonly string[];
}

export function createIdentityArea(platform: Platform, parts: IdentityParts): IdentityArea {
  const { audit, attributes, userCertificates, trustedProxies = [] } = parts;
  const objects = createPermissionObjects(parts.objectNames);
  const identities = createIdentities(platform);
  const sessions = createSessions(platform);
  const clientCertificates = createClientCertificates(platform, { userCertificates });
  const accessTokens = createAccessTokens(platform, { audit });
  const signInLinks = createSignInLinks(platform, { audit, sessions, accessTokens });
  const forget = () => [identities, sessions, clientCertificates, accessTokens].forEach((memory) => memory.forget());

  const administration = createAdministration(platform, { forget });
  const userService = createUserService(platform, {
    audit,
    attributes,
    administration,
    userCertificates,
    objects,
    endSignIns,
  });
  const firstAdministrator = createFirstAdministrator(platform, {
    audit,
    administration,
    users: userService,
    systemActor: identities.systemActor,
  });
  const roles = createRoleService(platform, { audit, attributes, administration });
  const ownOrigins = () => [new URL(platform.publicUrl()).origin];
  declareCleanUp(platform);

  return {
    routes: identityRoutes({
      users: userService,
      userRoles: createUserRoles(platform, { audit, administration }),
      identify: createIdentification(platform, { accessTokens }),
      profile: createProfileService({ users: userService }),
      ownPermissions: ({ actor }) => describeOwnPermissions(platform.database.executor, actor, objects),
      roles,
      rolePermissions: createRolePermissions(platform, { audit, administration, objects }),
      accessTokens,
      signInLinks,
      firstAdministrator,
      publicUrl: platform.publicUrl,
    }),
    http: signInPages(platform, { audit, sessions, links: signInLinks, ownOrigins }),
    valueHolders: { users: userService.holder, roles: roles.holder },
    gatekeeper: createGatekeeper({
      identities,
      sessions,
      clientCertificates,
      accessTokens,
      firstAdministrator,
      refusedCredentials: createRefusedCredentials(platform, { audit }),
      limits: platform.limits,
      trustedProxies: networks(trustedProxies),
      ownOrigins,
    }),
    seed: () => seedSystemAccounts(platform),
    ensureFirstAdministrator: firstAdministrator.ensure,
    findAdministrator: (preferredUsername) => users.findAdministrator(platform.database.executor, preferredUsername),
    issueSignInLink: (username, context = coreContext(newUuid())) => signInLinks.issue({ username }, context),
    createAccessToken: (token, context = coreContext(newUuid())) => accessTokens.create(token, context),
    systemActor: identities.systemActor,
    findUser: async (executor, by) =>
      'uuid' in by ? users.findOne(executor, by.uuid) : users.findByUsername(executor, by.username),
    findUsersOfCertificates: async (executor, uuids) =>
      (uuids.length === 0 ? [] : await users.findByCertificates(executor, uuids)).flatMap(
        ({ uuid, username, enabled, certificate_uuid }) =>
          certificate_uuid === null ? [] : [{ uuid, username, enabled, certificateUuid: certificate_uuid }],
      ),
    forgetCertificates: clientCertificates.forget,
  };
}
