// The database becomes unavailable while the platform runs, and comes back.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createAcmeTestClient } from '@signetry/testkit/acme';
import { testDatabaseWithConnection } from '@signetry/testkit/database';
import { startDatabaseProxy } from '@signetry/testkit/database-proxy';
import { externalDatabaseArguments } from '@signetry/testkit/external-database';
import { startTestServer, type TestServer } from '@signetry/testkit/platform';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { expectProblem } from './testing/acme-problems.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const WAIT = { timeout: 30_000, interval: 50 };

async function startOverProxy() {
  const { connection } = await testDatabaseWithConnection();
  const proxy = await startDatabaseProxy(connection);
  const server = await startTestServer({ args: externalDatabaseArguments(proxy.connection) });
  onTestFinished(async () => {
    proxy.heal();
    await server.stop();
    await proxy.close();
  });
  return { server, proxy };
}

const readiness = async ({ ready }: TestServer): Promise<number> => (await fetch(`${ready.http}/health/ready`)).status;

const call = ({ ready }: TestServer, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${ready.api}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' },
  });

async function issue(
  server: TestServer,
  { authorityUuid, raProfileUuid }: IssuingPath,
  name: string,
): Promise<Response> {
  const { der } = await makeRequest({ subject: `CN=${name}`, dnsNames: [name] });
  return call(server, `/v2/operations/authorities/${authorityUuid}/raProfiles/${raProfileUuid}/certificates`, {
    method: 'POST',
    body: JSON.stringify({ request: Buffer.from(der).toString('base64'), attributes: [] }),
  });
}

it('responds with 503 and Retry-After, fails its readiness probe, and recovers along with its database', async () => {
  const { server, proxy } = await startOverProxy();
  const profile = await defaultProfile(server.client);
  expect(await readiness(server)).toBe(200);

  proxy.refuse();

  const refused = [
    await issue(server, profile, 'outage.example'),
    await call(server, '/v1/certificates', { method: 'POST', body: '{}' }),
    await call(server, '/v1/statistics'),
  ];
  for (const answer of refused) {
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('database') as string });
  } // prettier-ignore
  await vi.waitFor(async () => expect(await readiness(server)).toBe(503), WAIT);
  expect((await fetch(`${server.ready.http}/health/live`)).status).toBe(200);

  proxy.heal();
  await vi.waitFor(async () => expect(await readiness(server)).toBe(200), WAIT);
  expect((await issue(server, profile, 'outage.example')).status).toBe(200);
});

it('sends ACME clients a problem document, a nonce and Retry-After', async () => {
  const { server, proxy } = await startOverProxy();
  const ca = await readFile(server.ready.rootCertificate);
  const client = createAcmeTestClient({ directoryUrl: server.ready.acmeDirectory, ca });
  expect((await client.newAccount()).status).toBe(201);
  const { newOrder } = await client.directory();

  proxy.refuse();

  const reply = await client.signed(newOrder, { identifiers: [{ type: 'dns', value: 'outage.example' }] });
  expectProblem(reply, 503, 'serverInternal');
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
});

it(
  'responds to requests within their time limit when database connections go silent',
  { timeout: 90_000 },
  async () => {
    const { server, proxy } = await startOverProxy();
    const profile = await defaultProfile(server.client);
    expect((await issue(server, profile, 'before.example')).status).toBe(200);

    proxy.silenceConnections();
    const began = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => issue(server, profile, `silent-${index}.example`)),
    );
    for (const { status } of answers) expect([200, 503]).toContain(status);
    expect(performance.now() - began).toBeLessThan(25_000);
    expect((await issue(server, profile, 'after.example')).status).toBe(200);
  },
);

/** Duration of a partition. After the short one, the earlier connections are still open. */
const PARTITIONS_MS = [6_000, 20_000];
const READY_WITHIN_MS = 5_000;
const SERVED_WITHIN_MS = 15_000;

describe('after a network partition', () => {
  it.each(PARTITIONS_MS)('of %i ms, the platform is ready within 5 s and serves requests within 15 s', { timeout: 90_000 }, async (lengthMs) => {
    const { server, proxy } = await startOverProxy();
    const profile = await defaultProfile(server.client);
    expect((await issue(server, profile, 'before.example')).status).toBe(200);

    proxy.silenceAll();
    const during = Array.from({ length: 6 }, (_, index) => issue(server, profile, `during-${index}.example`));
    await vi.waitFor(async () => expect(await readiness(server)).toBe(503), WAIT);
    await delay(lengthMs);
    proxy.heal();

    const began = performance.now();
    const [readyMs, servedMs] = await Promise.all([
      elapsedUntil(began, async () => expect(await readiness(server)).toBe(200)),
      elapsedUntil(began, async () => expect((await issue(server, profile, `${randomUUID()}.example`)).status).toBe(200)),
    ]);
    for (const { status } of await Promise.all(during)) expect([200, 503]).toContain(status);
    expect(readyMs).toBeLessThan(READY_WITHIN_MS);
    expect(servedMs).toBeLessThan(SERVED_WITHIN_MS);
  });
}); // prettier-ignore

async function elapsedUntil(began: number, check: () => Promise<void>): Promise<number> {
  await vi.waitFor(check, WAIT);
  return performance.now() - began;
}
