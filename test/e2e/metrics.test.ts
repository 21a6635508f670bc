// Access to the metrics of a platform with default settings.
import type { Action, Resource } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { describe, expect, it } from 'vitest';
import { userWithRole } from './testing/limited-user.ts';
import { send } from './testing/raw-request.ts';

const server = sharedTestServer();

const metricsWith = (token?: string) =>
  send(server.ready.http, '/metrics', token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });

const rights = (name: Resource, action: Action) => ({ name, allowAllActions: false, actions: [action] });

describe('the metrics', () => {
  it('are available to callers with permission to view the settings', async () => {
    expect((await metricsWith()).status).toBe(401);
    expect((await metricsWith('nonsense')).status).toBe(401);
    const without = await userWithRole(server, [rights('certificates', 'list')]);
    expect((await metricsWith(without.token)).status).toBe(403);
    const monitoring = await userWithRole(server, [rights('settings', 'detail')]);
    const answer = await metricsWith(monitoring.token);
    expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/^signetry_http/m)]);
  });
});
