// Creation of the first administrator: open to loopback callers while there is no enabled administrator.
import { operations } from '../operations.ts';
import { UserDetailDto } from './principals.ts';
import { AddUserRequestDto } from './users.ts';

export const localOperations = operations(
  { tag: 'Local operations', resource: 'users', module: 'auth', errors: [400, 404, 500] },
  {
    addAdmin: {
      route: 'POST /v1/local/admins',
      summary: 'Create Administrator',
      body: AddUserRequestDto,
      answer: UserDetailDto,
      access: 'bootstrap',
      audit: 'create',
    },
  },
);
