// The caller's own permissions, for clients that offer only permitted operations. Not part of the published interface.
import { operations } from '../operations.ts';
import { SubjectPermissionsDto } from '../platform/principals.ts';

export const ownPermissionOperations = operations(
  { tag: 'Own Permissions', resource: 'users', module: 'auth', errors: [401, 403, 500] },
  {
    getOwnPermissions: {
      route: 'GET /x/v1/auth/permissions',
      summary: 'Get your permissions; objects that you cannot see are identified by UUID',
      answer: SubjectPermissionsDto,
      access: 'authenticated',
    },
  },
);
