// Users, roles and groups for screenshots: realistic names, all kinds of permissions, and a role with rules on a
// hundred groups.
import type { Client } from '@signetry/client';

export interface PeopleSamples {
  readonly user: string;
  readonly systemUser: string;
  readonly role: string;
  readonly systemRole: string;
  readonly group: string;
}

const LONG =
  'Operators of the machines on the third floor of the main building, including machines that are not installed yet';
const UNBROKEN = 'payments-gateway-eu-central-1-blue-green-canary-platform-internal-example-without-a-break';
const GROUPS = 100;

const names = [
  ['anna', 'Anna', 'Lindqvist'],
  ['ivan.petrov', 'Иван', 'Петров'],
  ['zahra', 'زهرا', 'احمدی'],
  ['sync-agent', undefined, undefined],
  [UNBROKEN, 'Wolfeschlegelsteinhausenbergerdorff', 'von und zu der Ausführlichkeit'],
  ['<b>bold</b>', '"quoted"', "O'Neil"],
] as const;

/** Maximum length of the part before the `@` of a mail address (RFC 5321 §4.5.3.1.1). */
const MAX_LOCAL_PART = 64;

export async function createSamplePeople(client: Client): Promise<PeopleSamples> {
  const groups: string[] = [];
  for (let at = 1; at <= GROUPS; at += 1) {
    const name = at === 1 ? 'Web team' : at === 2 ? UNBROKEN : `Team ${at}`;
    const body = { name, description: at === 1 ? LONG : `Company team ${at}`, email: `team-${at}@example.com` };
    groups.push((await client.groups.createGroup({ body })).uuid);
  }
  const role = await createSampleRole(client, groups);
  const second = await createRole(client, UNBROKEN, ['certificates', 'raProfiles']);
  const users: string[] = [];
  for (const [username, firstName, lastName] of names) {
    const { uuid } = await client.users.createUser({
      body: {
        username,
        ...(firstName === undefined ? {} : { firstName, lastName }),
        email: `${username.replace(/\W/g, '').slice(0, MAX_LOCAL_PART)}@example.com`,
        enabled: username !== 'zahra',
        groupUuids: groups.slice(0, 3),
      },
    });
    users.push(uuid);
    await client.users.updateUserRoles({ params: { userUuid: uuid }, body: [role, second] });
  }
  const [user = ''] = users;
  await client.invitations.createInvitation({ params: { userUuid: user } });
  await client.accessTokens.createAccessToken({ body: { name: 'nightly inventory report' } });
  await client.accessTokens.createAccessToken({ body: { name: UNBROKEN, expiresAt: '2099-01-01T00:00:00Z' } });
  return {
    user,
    role,
    group: groups[0] ?? '',
    systemUser: (await client.users.listUsers({})).find(({ username }) => username === 'acme')?.uuid ?? '',
    systemRole: (await client.roles.listRoles({})).find(({ name }) => name === 'superadmin')?.uuid ?? '',
  };
}

async function createRole(client: Client, name: string, resources: readonly string[]): Promise<string> {
  const { uuid: roleUuid } = await client.roles.createRole({ body: { name, description: LONG } });
  const granted = resources.map((resource) => ({
    name: resource,
    allowAllActions: false,
    actions: ['list', 'detail'],
  }));
  await client.roles.saveRolePermissions({
    params: { roleUuid },
    body: { allowAllResources: false, resources: granted },
  });
  return roleUuid;
}

async function createSampleRole(client: Client, groups: readonly string[]): Promise<string> {
  const { uuid: roleUuid } = await client.roles.createRole({
    body: { name: 'Web team operators', description: LONG, email: 'web@example.com' },
  });
  const objects = groups.map((uuid, at) => ({
    uuid,
    name: `group ${at}`,
    allow: at % 2 === 0 ? ['members', 'update'] : ['members'],
    deny: at % 3 === 0 ? ['delete', 'detail'] : [],
  }));
  await client.roles.saveRolePermissions({
    params: { roleUuid },
    body: {
      allowAllResources: false,
      resources: [
        { name: 'certificates', allowAllActions: true },
        { name: 'raProfiles', allowAllActions: false, actions: ['list', 'detail', 'members', 'ANY'] },
        { name: 'authorities', allowAllActions: false, actions: ['list', 'detail'] },
        { name: 'groups', allowAllActions: false, actions: ['list', 'detail'], objects },
        ...['connectors', 'credentials', 'attributes', 'users', 'roles', 'acmeProfiles', 'keys', 'tokens'].map(
          (name) => ({
            name,
            allowAllActions: false,
            actions: ['list', 'detail'],
          }),
        ),
      ],
    },
  });
  return roleUuid;
}
