// Users with few rights.
import type { Action, Resource } from '@signetry/contract';
import type { TestServer } from '@signetry/testkit';

export type Right = readonly [Resource, Action];

/** Makes a user with a role of the same name that gives these rights; a sign-in link lets them in. */
export async function userWith(server: TestServer, username: string, rights: readonly Right[]): Promise<string> {
  const { uuid: userUuid } = await server.client.users.createUser({ body: { username, enabled: true } });
  const { uuid: roleUuid } = await server.client.roles.createRole({ body: { name: username } });
  // The interface cannot change the permissions of a role yet.
  for (const [resource, action] of rights)
    await server.running.platform.database.query(
      'INSERT INTO role_permission (role_uuid, resource, action) VALUES ($1, $2, $3)',
      [roleUuid, resource, action],
    );
  await server.client.users.addUserRole({ params: { userUuid, roleUuid } });
  return username;
}
