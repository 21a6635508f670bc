// First administrator: open to loopback callers while there is no enabled administrator.
import { operation } from '../operation.ts';
import { UserDetailDto } from './principals.ts';
import { AddUserRequestDto } from './users.ts';

const tag = 'Local operations';

export const localOperations = {
  addAdmin: operation({
    id: 'addAdmin',
    summary: 'Create Administrator',
    tag,
    method: 'POST',
    path: '/v1/local/admins',
    body: AddUserRequestDto,
    success: { status: 200, body: UserDetailDto },
    errors: [400, 404, 500],
    access: 'bootstrap',
    audit: { module: 'auth', resource: 'users', operation: 'create' },
  }),
};
