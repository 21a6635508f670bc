// Goal: a change that ends a user's access on one node ends it on every other node within five seconds (I13),
// regardless of the credential. Method: a user calls one node continuously with a session, an access token and a client
// certificate, so that everything that can be cached is cached; a change is made on the other node, and the last
// successful call is timed.
import { sharedTestServer, type TestServer } from '@signetry/testkit/platform';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { userWithRole, type LimitedUser } from './testing/limited-user.ts';
import { createSharedDatabase } from './testing/shared-database.ts';
import { send, type RawRequest } from './testing/raw-request.ts';
import { resourceRights } from './testing/rights.ts';

const LIMIT_MS = 5_000;
const PAUSE_MS = 50;
const PATH = '/api/v1/groups';

const { nodeArgs } = createSharedDatabase();
const first = sharedTestServer({ args: nodeArgs });
const second = sharedTestServer({ args: nodeArgs });

/** Changes, with the status of the calls that they end. */
const changes: readonly (readonly [string, number, (user: LimitedUser) => Promise<unknown>])[] = [
  ['disabling the user', 401, ({ userUuid }) => first.client.users.disableUser({ params: { userUuid } })],
  [
    'removing the role',
    403,
    ({ userUuid, roleUuid }) => first.client.users.removeUserRole({ params: { userUuid, roleUuid } }),
  ],
  [
    'changing what the role allows',
    403,
    ({ roleUuid }) =>
      first.client.roles.saveRolePermissions({
        params: { roleUuid },
        body: { allowAllResources: false, resources: [resourceRights('groups', 'detail')] },
      }),
  ],
];

/** The same call with each of the user's credentials. */
async function callsOf(user: LimitedUser, node: TestServer): Promise<Readonly<Record<string, () => Promise<number>>>> {
  const cookie = await openSession(user, node);
  const call = (base: string, request: RawRequest) => async () => (await send(base, PATH, request)).status;
  const { http, https } = node.ready;
  return {
    session: call(http, { headers: { cookie } }),
    'access token': call(http, { headers: { authorization: `Bearer ${user.token}` } }),
    'client certificate': call(https, { tls: user.tls }),
  };
}

async function openSession({ username }: LimitedUser, { running, ready }: TestServer): Promise<string> {
  const { path } = await running.areas.identity.issueSignInLink(username);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(ready.http).origin };
  const answer = await send(ready.http, path.reveal(), { method: 'POST', headers });
  expect(answer.status).toBe(303);
  return (answer.headers['set-cookie'] ?? [])[0]?.split(';', 1)[0] ?? expect.fail('no session was opened');
}

it.each(changes)('%s ends access through the other node within five seconds', async (what, refusal, change) => {
  const user = await userWithRole(first, [resourceRights('groups', 'list')]);
  const there = await callsOf(user, second);
  const here = await callsOf(user, first);
  const passed = new Map<string, number>();
  let changedAt = Infinity;
  const probes = Object.entries(there).map(async ([credential, call]) => {
    for (;;) {
      const sentAt = performance.now();
      const status = await call();
      if (status === refusal && changedAt < sentAt) return;
      expect(status, credential).toBe(200);
      passed.set(credential, sentAt - changedAt);
      if (sentAt - changedAt > LIMIT_MS) return;
      await pause(PAUSE_MS);
    }
  });
  await pause(10 * PAUSE_MS);
  await change(user);
  changedAt = performance.now();
  for (const call of Object.values(here)) expect(await call()).toBe(refusal);
  await Promise.all(probes);
  const lines = [...passed].map(([credential, ms]) => `${credential} ${Math.max(0, ms).toFixed(0)} ms`);
  console.log(`${what}: the last call passed after: ${lines.join(', ')}`);
  for (const [credential, ms] of passed) expect(ms, credential).toBeLessThan(LIMIT_MS);
});
