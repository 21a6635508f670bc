// Creates the first administrator; available to loopback callers as long as no administrator is enabled.
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
