// For tests: users and roles on a separate database, with a first administrator as the caller.
import type { RoleDto, UserDetailDto, UserDto } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { expect } from 'vitest';
import { contextOf, identityFixture } from './identity-fixture.ts';

export const rejection = (problem: RegExp): unknown =>
  expect.objectContaining({ code: 'rejected_by_rules', message: expect.stringMatching(problem) });
export const withCode = (code: string): unknown => expect.objectContaining({ code });

export async function createUsersFixture() {
  const database = await testDatabase();
  const fixture = await identityFixture(database);
  await fixture.area.ensureFirstAdministrator('admin');
  const admin = (await fixture.call<UserDto[]>('listUsers')).find(({ username }) => username === 'admin');
  if (!admin) throw new Error('there is no user admin');
  let made = 0;
  return {
    database,
    fixture,
    admin,
    createUser: (fields: object = {}): Promise<UserDetailDto> =>
      fixture.call('createUser', { body: { username: `user-${++made}`, ...fields }, context: contextOf(admin) }),
    roleNamed: async (name: string): Promise<RoleDto> =>
      (await fixture.call<RoleDto[]>('listRoles')).find((role) => role.name === name) ??
      expect.fail(`there is no role ${name}`),
    auditCount: async (): Promise<number> => {
      const [row] = await database.query<{ records: number }>('SELECT count(*) AS records FROM audit_record');
      return row?.records ?? 0;
    },
  };
}
