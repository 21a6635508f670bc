// Operations of users, roles, the caller's own profile, access tokens and sign-in links.
import {
  accessTokenOperations,
  authOperations,
  localOperations,
  ownPermissionOperations,
  roleOperations,
  signInLinkOperations,
  userOperations,
  type SubjectPermissionsDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { answer, routes, type Route } from '../../platform/http/routes.ts';
import { presentAccessToken, type AccessTokens } from './credentials/access-tokens.ts';
import type { SignInLinks } from './credentials/sign-in-links.ts';
import { presentCatalogue } from './permissions/catalogue.ts';
import type { RolePermissions } from './roles/role-permissions.ts';
import type { RoleService } from './roles/service.ts';
import type { FirstAdministrator } from './users/first-administrator.ts';
import type { Identify } from './credentials/identify-user.ts';
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
  readonly accessTokens: AccessTokens;
  readonly signInLinks: SignInLinks;
  readonly firstAdministrator: FirstAdministrator;
  readonly publicUrl: () => string;
}

export const identityRoutes = (services: IdentityServices): readonly Route[] => [
  ...userRoutes(services),
  ...roleRoutes(services),
  ...ownRoutes(services),
  ...routes(localOperations, { addAdmin: ({ body, context }) => services.firstAdministrator.add(body, context) }),
];

const userRoutes = ({ users, userRoles, identify }: IdentityServices): readonly Route[] =>
  routes(userOperations, {
    listUsers: () => users.list(),
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
  });

const roleRoutes = ({ roles, rolePermissions }: IdentityServices): readonly Route[] =>
  routes(roleOperations, {
    listRoles: () => roles.list(),
    createRole: ({ body, context }) => roles.create(body, context),
    getRole: ({ params, context }) => roles.detail(params.roleUuid, context),
    updateRole: ({ params, body, context }) => roles.update(params.roleUuid, body, context),
    deleteRole: ({ params, context }) => roles.remove(params.roleUuid, context).then(() => undefined),
    getRoleUsers: ({ params }) => roles.usersOf(params.roleUuid),
    updateRoleUsers: ({ params, body, context }) => roles.replaceUsers(params.roleUuid, { userUuids: body, context }),
    getRolePermissions: ({ params }) => rolePermissions.ofRole(params.roleUuid),
    saveRolePermissions: ({ params, body, context }) => rolePermissions.save(params.roleUuid, body, context),
    getRoleResourcePermissions: ({ params }) => rolePermissions.ofResource(params),
    getResourcePermissionObjects: ({ params }) => rolePermissions.objectsOf(params),
    addResourcePermissionObjects: ({ params, body, context }) => rolePermissions.addObjects(params, body, context),
    updateResourcePermissionObject: ({ params, body, context }) => rolePermissions.updateObject(params, body, context),
    removeResourcePermissionObject: ({ params, context }) => rolePermissions.removeObject(params, context),
  });

const ownRoutes = ({
  users,
  profile,
  ownPermissions,
  rolePermissions,
  accessTokens,
  signInLinks,
  publicUrl,
}: IdentityServices): readonly Route[] => [
  ...routes(authOperations, {
    getUserProfile: ({ context }) => profile(context),
    updateUserProfile: ({ body, context }) => users.updateOwn(body, context),
    getAuthResources: () => presentCatalogue(),
    getObjectsForResource: ({ params, context }) => rolePermissions.choices(params.resourceName, context),
  }),
  ...routes(ownPermissionOperations, { getOwnPermissions: ({ context }) => ownPermissions(context) }),
  ...routes(accessTokenOperations, {
    listAccessTokens: async ({ context }) => (await accessTokens.list(context)).map(presentAccessToken),
    createAccessToken: async ({ body, context }) => {
      const { token, ...described } = await accessTokens.createOwn(body, context);
      return answer({ ...presentAccessToken(described), token: token.reveal() }, NOT_STORED);
    },
    revokeAccessToken: ({ params, context }) => accessTokens.revoke(params.uuid, context).then(() => undefined),
  }),
  ...routes(signInLinkOperations, {
    createSignInLink: async ({ context }) => {
      const { path, expiresAt } = await signInLinks.issueOwn(context);
      const url = `${context.origin ?? publicUrl()}${path.reveal()}`;
      return answer({ url, expiresAt: expiresAt.toISOString() }, NOT_STORED);
    },
  }),
];

/** Answers with a secret are shown once and kept by no cache on the way. */
const NOT_STORED = { 'cache-control': 'no-store' } as const;
