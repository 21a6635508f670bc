import { describe, expect, it } from 'vitest';
import { ask, run, startFakePlatform, TOKEN, writeRunFile } from '../testing/fake-platform.ts';

describe('status', () => {
  const replies = {
    'GET /v1/health': { body: { status: 'UP' } },
    'GET /v1/info': {
      body: { app: { name: 'Signetry', version: '2.16.1' }, db: { system: 'PostgreSQL', version: '18.4' } },
    },
    'GET /v1/auth/profile': { body: { username: 'admin' } },
  };

  it('shows the URL of the platform and the current user', async () => {
    const { code, out } = await ask(replies, ['status']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Platform +running$/m);
    expect(out).toMatch(/^HTTP +http:\/\/127\.0\.0\.1:\d+$/m);
    expect(out).toMatch(/^Since +2026-11-20T10:00:00Z \(2 hours ago\)$/m);
    expect(out).toMatch(/^Database +PostgreSQL 18\.4$/m);
    expect(out).toMatch(/^API version +2\.16\.1$/m);
    expect(out).toMatch(/^Signed in as +admin$/m);
  });

  it('shows the product version in addition to the interface version', async () => {
    const platform = await startFakePlatform(replies);
    writeRunFile(platform.data, { http: platform.url, api: `${platform.url}/api`, version: '7.8.9' });
    const { out } = await run(['status', '--data', platform.data]);
    expect(out).toMatch(/^Version +Signetry 7\.8\.9$/m);
    expect(out).toMatch(/^API version +2\.16\.1$/m);
  });

  it('shows warnings for the administrator', async () => {
    const platform = await startFakePlatform(replies);
    const warnings = ['fsync is off on the database server: a crash can destroy the database. Set it to on.'];
    writeRunFile(platform.data, { http: platform.url, api: `${platform.url}/api`, warnings });
    const text = await run(['status', '--data', platform.data]);
    expect(text.out).toMatch(/^Warning +fsync is off on the database server/m);
    const json = await run(['status', '--json', '--data', platform.data]);
    expect(JSON.parse(json.out)).toMatchObject({ warnings });
  });

  it.each([
    ['token', /^Metrics +http:\/\/127\.0\.0\.1:8080\/metrics, with a token/m],
    ['everybody', /^Metrics +http:\/\/127\.0\.0\.1:8080\/metrics, open to everyone/m],
    ['listener', /^Metrics +http:\/\/127\.0\.0\.1:8080\/metrics, on a separate listener/m],
    ['off', /^Metrics +off$/m],
  ])('shows who can read the metrics: %s', async (metricsAccess, expected) => {
    const platform = await startFakePlatform(replies);
    const metrics = metricsAccess === 'off' ? null : 'http://127.0.0.1:8080/metrics';
    writeRunFile(platform.data, { http: platform.url, api: `${platform.url}/api`, metrics, metricsAccess });
    expect((await run(['status', '--data', platform.data])).out).toMatch(expected);
    const { out } = await run(['status', '--json', '--data', platform.data]);
    expect(JSON.parse(out)).toMatchObject({ metrics, metricsAccess });
  });

  it('never prints the token', async () => {
    const { out } = await ask(replies, ['status', '--json']);
    expect(JSON.parse(out)).toMatchObject({ running: true, health: 'UP', pid: process.pid, user: 'admin' });
    expect(out).not.toContain(TOKEN);
  });

  it('exits with 1 if the platform is unhealthy', async () => {
    const { code, out } = await ask({ ...replies, 'GET /v1/health': { body: { status: 'DOWN' } } }, ['status']);
    expect(code).toBe(1);
    expect(out).toMatch(/^Platform +running, but DOWN$/m);
  });

  it('exits with 3 if no platform is running or responding', async () => {
    const none = await run(['status', '--json']);
    expect([none.code, JSON.parse(none.out)]).toEqual([3, { running: false }]);
    const platform = await startFakePlatform(replies);
    await platform.stop();
    const { code, err } = await run(['status', '--data', platform.data]);
    expect(code).toBe(3);
    expect(err).toContain('ECONNREFUSED');
  });
});
