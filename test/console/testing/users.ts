// Users with limited permissions, who sign in with a link.
import type { Action, Resource } from '@signetry/contract';
import type { TestServer } from '@signetry/testkit/platform';

export type Right = readonly [Resource, Action];

/** Creates a user with a role of the same name that grants these permissions. */
export async function userWith(
  { client }: TestServer,
  username: string,
  rights: readonly Right[],
): Promise<{ readonly roleUuid: string }> {
  const { uuid: userUuid } = await client.users.createUser({ body: { username, enabled: true } });
  const { uuid: roleUuid } = await client.roles.createRole({ body: { name: username } });
  const resources = [...Map.groupBy(rights, ([resource]) => resource)].map(([name, granted]) => ({
    name,
    allowAllActions: false,
    actions: granted.map(([, action]) => action),
  }));
  await client.roles.saveRolePermissions({ params: { roleUuid }, body: { allowAllResources: false, resources } });
  await client.users.addUserRole({ params: { userUuid, roleUuid } });
  return { roleUuid };
}
