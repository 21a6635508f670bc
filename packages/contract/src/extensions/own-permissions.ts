// The caller's own permissions, for clients that offer only what the caller may do. Not part of the published
// interface.
import { operations } from '../operations.ts';
import { SubjectPermissionsDto } from '../platform/principals.ts';

export const ownPermissionOperations = operations(
  { tag: 'Own Permissions', resource: 'users', module: 'auth', errors: [401, 403, 500] },
  {
    getOwnPermissions: {
      route: 'GET /x/v1/auth/permissions',
      summary: 'Get own permissions; an object that the caller may not see is named by its UUID',
      answer: SubjectPermissionsDto,
      access: 'authenticated',
    },
  },
);
