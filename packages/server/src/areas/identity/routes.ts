// Operations on users, roles, the caller's own profile, and the credentials that users sign in with.
import {
  accessTokenOperations,
  authenticationSettingsOperations,
  authOperations,
  effectivePermissionOperations,
  externalIdentityOperations,
  identityProviderOperations,
  invitationOperations,
  localOperations,
  oauth2LoginOperations,
  ownPermissionOperations,
  passkeyOperations,
  roleOperations,
  roleTemplateOperations,
  sessionOperations,
  signInLinkOperations,
  userAccessOperations,
  userOperations,
  type SubjectPermissionsDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { respondWith, routes, type Route } from '../../platform/http/routes.ts';
import { presentAccessToken, type AccessTokens } from './credentials/access-tokens.ts';
import { presentInvitation, type Invitations } from './credentials/invitations.ts';
import type { OwnSessions } from './credentials/own-sessions.ts';
import type { Passkeys } from './credentials/passkeys.ts';
import type { SignInLinks } from './credentials/sign-in-links.ts';
import type { ExternalLinks } from './external/links.ts';
import type { PermissionChoices } from './permissions/choices.ts';
import type { ProviderChecks } from './providers/check-provider.ts';
import type { Providers } from './providers/service.ts';
import type { RolePermissions } from './roles/role-permissions.ts';
import { roleTemplates } from './roles/templates.ts';
import type { RoleService } from './roles/service.ts';
import { providerSignInPath } from './pages/provider-pages.ts';
import type { FirstAdministrator } from './users/first-administrator.ts';
import { invitationBase } from './credentials/relying-party.ts';
import type { Identify } from './gatekeeper/identify-user.ts';
import type { ProfileService } from './users/profile.ts';
import type { UserService } from './users/service.ts';
import type { UserRoles } from './users/user-roles.ts';

export interface IdentityServices {
  readonly users: UserService;
  readonly userRoles: UserRoles;
  readonly identify: Identify;
  readonly profile: ProfileService;
  readonly ownPermissions: (context: RequestContext) => Promise<SubjectPermissionsDto>;
  readonly roles: RoleService;
  readonly rolePermissions: RolePermissions;
  readonly permissionChoices: PermissionChoices;
  readonly accessTokens: AccessTokens;
  readonly signInLinks: SignInLinks;
  readonly invitations: Invitations;
  readonly passkeys: Passkeys;
  readonly ownSessions: OwnSessions;
  readonly firstAdministrator: FirstAdministrator;
  readonly providers: Providers;
  /** Returns the names of the identity providers at which browsers can sign in. */
  readonly usableProviders: () => Promise<readonly string[]>;
  readonly checkProvider: ProviderChecks;
  readonly externalLinks: ExternalLinks;
  readonly publicUrl: () => string;
}

export const identityRoutes = (services: IdentityServices): readonly Route[] => [
  ...userRoutes(services),
  ...roleRoutes(services),
  ...permissionRoutes(services),
  ...ownRoutes(services),
  ...accessTokenRoutes(services),
  ...linkRoutes(services),
  ...passkeyRoutes(services),
  ...sessionRoutes(services),
  ...settingsRoutes(services),
  ...routes(localOperations, { addAdmin: ({ body, context }) => services.firstAdministrator.add(body, context) }),
];

const userRoutes = ({ users, userRoles, identify }: IdentityServices): readonly Route[] => [
  ...routes(userAccessOperations, { listUserAccess: ({ context }) => users.listAccess(context) }),
  ...routes(userOperations, {
    listUsers: ({ context }) => users.list(context),
    createUser: ({ body, context }) => users.create(body, context),
    getUser: ({ params, context }) => users.detail(params.userUuid, context),
    updateUser: ({ params, body, context }) => users.update(params.userUuid, body, context),
    deleteUser: ({ params, context }) => users.remove(params.userUuid, context).then(() => undefined),
    enableUser: ({ params, context }) => users.setEnabled(params.userUuid, { enabled: true, context }),
    disableUser: ({ params, context }) => users.setEnabled(params.userUuid, { enabled: false, context }),
    identifyUser: ({ body }) => identify(body),
    getUserPermissions: ({ params }) => users.permissionsOf(params.userUuid),
    getUserRoles: ({ params }) => userRoles.list(params.userUuid),
    updateUserRoles: ({ params, body, context }) => userRoles.replace(params.userUuid, { roleUuids: body, context }),
    addUserRole: ({ params, context }) => userRoles.add(params.userUuid, { roleUuid: params.roleUuid, context }),
    removeUserRole: ({ params, context }) => userRoles.remove(params.userUuid, { roleUuid: params.roleUuid, context }),
  }),
];

const roleRoutes = ({ roles, rolePermissions }: IdentityServices): readonly Route[] =>
  routes(roleOperations, {
    listRoles: () => roles.list(),
    createRole: ({ body, context }) => roles.create(body, context),
    getRole: ({ params, context }) => roles.detail(params.roleUuid, context),
    updateRole: ({ params, body, context }) => roles.update(params.roleUuid, body, context),
    deleteRole: ({ params, context }) => roles.remove(params.roleUuid, context).then(() => undefined),
    getRoleUsers: ({ params }) => roles.usersOf(params.roleUuid),
    updateRoleUsers: ({ params, body, context }) => roles.replaceUsers(params.roleUuid, { userUuids: body, context }),
    getRolePermissions: ({ params }) => rolePermissions.describeForRole(params.roleUuid),
    saveRolePermissions: ({ params, body, context }) => rolePermissions.save(params.roleUuid, body, context),
    getRoleResourcePermissions: ({ params }) => rolePermissions.describeForResource(params),
    getResourcePermissionObjects: ({ params }) => rolePermissions.objectsOf(params),
    addResourcePermissionObjects: ({ params, body, context }) => rolePermissions.addObjects(params, body, context),
    updateResourcePermissionObject: ({ params, body, context }) => rolePermissions.updateObject(params, body, context),
    removeResourcePermissionObject: ({ params, context }) => rolePermissions.removeObject(params, context),
  });

const permissionRoutes = ({ users, rolePermissions }: IdentityServices): readonly Route[] => [
  ...routes(effectivePermissionOperations, {
    getEffectivePermissionsOfUser: ({ params }) => users.effectivePermissionsOf(params.userUuid),
    getEffectivePermissionsOfRole: ({ params }) => rolePermissions.effectiveOf(params.roleUuid),
  }),
  ...routes(roleTemplateOperations, { listRoleTemplates: () => roleTemplates() }),
];

const ownRoutes = ({ users, profile, ownPermissions, permissionChoices }: IdentityServices): readonly Route[] => [
  ...routes(authOperations, {
    getUserProfile: ({ context }) => profile(context),
    updateUserProfile: ({ body, context }) => users.updateOwn(body, context),
    getAuthResources: () => permissionChoices.resources(),
    getObjectsForResource: ({ params, context }) => permissionChoices.objects(params.resourceName, context),
  }),
  ...routes(ownPermissionOperations, { getOwnPermissions: ({ context }) => ownPermissions(context) }),
];

const accessTokenRoutes = ({ accessTokens }: IdentityServices): readonly Route[] =>
  routes(accessTokenOperations, {
    listAccessTokens: async ({ context }) => (await accessTokens.listOwn(context)).map(presentAccessToken),
    createAccessToken: async ({ body, context }) => {
      const { token, ...described } = await accessTokens.createOwn(body, context);
      return respondWith({ ...presentAccessToken(described), token: token.reveal() }, NOT_STORED);
    },
    revokeAccessToken: ({ params, context }) => accessTokens.revokeOwn(params.uuid, context),
    listAccessTokensOfUser: async ({ params }) => (await accessTokens.listOf(params.userUuid)).map(presentAccessToken),
    revokeAccessTokenOfUser: ({ params, context }) => accessTokens.revokeOf(params.userUuid, params.uuid, context),
  });

/** Links start with the URL through which the caller reached the platform. */
const linkRoutes = ({ signInLinks, invitations, publicUrl }: IdentityServices): readonly Route[] => [
  ...routes(signInLinkOperations, {
    createSignInLink: async ({ context }) => {
      const { path, expiresAt } = await signInLinks.issueOwn(context);
      const url = `${context.origin ?? publicUrl()}${path.reveal()}`;
      return respondWith({ url, expiresAt: expiresAt.toISOString() }, NOT_STORED);
    },
  }),
  ...routes(invitationOperations, {
    listInvitations: ({ params }) => invitations.list(params.userUuid),
    createInvitation: async ({ params, context }) => {
      const { row, path } = await invitations.issue(params.userUuid, context);
      const url = `${invitationBase(context.origin, publicUrl())}${path.reveal()}`;
      return respondWith({ ...presentInvitation(row), url }, NOT_STORED);
    },
    revokeInvitation: ({ params, context }) => invitations.revoke(params.userUuid, params.uuid, context),
  }),
];

const settingsRoutes = ({
  providers,
  usableProviders,
  checkProvider,
  externalLinks,
}: IdentityServices): readonly Route[] => [
  ...routes(oauth2LoginOperations, {
    getOAuth2Providers: async () =>
      (await usableProviders()).map((name) => ({ name, loginUrl: providerSignInPath(name) })),
  }),
  ...routes(authenticationSettingsOperations, {
    getAuthenticationSettings: () => providers.settings(),
    updateAuthenticationSettings: ({ body, context }) => providers.change(body, context),
    getOAuth2ProviderSettings: ({ params }) => providers.detail(params.providerName),
    updateOAuth2ProviderSettings: ({ params, body, context }) =>
      providers.changeProvider(params.providerName, { request: body, context }),
    removeOAuth2Provider: ({ params, context }) => providers.removeProvider(params.providerName, context),
  }),
  ...routes(identityProviderOperations, {
    getProviderProvisioning: ({ params }) => providers.provisioning(params.providerName),
    updateProviderProvisioning: ({ params, body, context }) =>
      providers.changeProvisioning(params.providerName, { request: body, context }),
    testProvider: async ({ params }) => checkProvider(await providers.existing(params.providerName)),
  }),
  ...routes(externalIdentityOperations, {
    listExternalIdentities: ({ params }) => externalLinks.list(params.userUuid),
    linkExternalIdentity: ({ params, body, context }) =>
      externalLinks.link(params.userUuid, { request: body, context }),
    unlinkExternalIdentity: ({ params, context }) =>
      externalLinks.unlink(params.userUuid, { uuid: params.uuid, context }),
  }),
];

const passkeyRoutes = ({ passkeys }: IdentityServices): readonly Route[] =>
  routes(passkeyOperations, {
    listPasskeys: ({ context }) => passkeys.listOwn(context),
    startPasskeyRegistration: ({ context }) => passkeys.start(context),
    registerPasskey: ({ body, context }) => passkeys.register(body, context),
    renamePasskey: ({ params, body, context }) => passkeys.rename(params.uuid, body.name, context),
    removePasskey: ({ params, context }) => passkeys.removeOwn(params.uuid, context),
    listPasskeysOfUser: ({ params }) => passkeys.listOf(params.userUuid),
    removePasskeyOfUser: ({ params, context }) => passkeys.removeOf(params.userUuid, params.uuid, context),
  });

const sessionRoutes = ({ ownSessions }: IdentityServices): readonly Route[] =>
  routes(sessionOperations, {
    listSessions: ({ context }) => ownSessions.list(context),
    endOtherSessions: ({ context }) => ownSessions.endOthers(context),
    endSession: ({ params, context }) => ownSessions.end(params.uuid, context),
  });

/** Responses with a secret are shown once and must not be stored by any cache. */
const NOT_STORED = { 'cache-control': 'no-store' } as const;
