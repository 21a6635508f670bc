// Rate limits per IP address or account: requests beyond the limit get 429 with Retry-After, other callers are
// unaffected, and floods of rejected requests leave few records.
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { once } from 'node:events';
import type { AcmeAuthorization } from '@signetry/testkit/acme';
import { describe, expect, it } from 'vitest';
import { expectProblem } from './testing/acme-problems.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';
import { send } from './testing/raw-request.ts';

const CONNECTIONS = 40;
const acme = sharedAcmeServer([
  `--limit-connections=${CONNECTIONS}`,
  '--limit-failed-sign-ins=5/hour',
  '--limit-failed-enrollments=5/hour',
  '--limit-new-credentials=6/hour',
  '--limit-refused-changes=4/hour',
  '--limit-acme-accounts=11/hour',
  '--limit-acme-orders=24/hour',
  '--limit-acme-pending-orders=5',
  '--limit-acme-failed-validations=2/hour',
]);
const { server } = acme;

const expectRetryAfter = (headers: Readonly<Record<string, unknown>>): void => {
  const seconds = Number(headers['retry-after']);
  expect([Number.isInteger(seconds), seconds > 0 && seconds <= 3_600]).toEqual([true, true]);
};

describe('a caller whose credentials are rejected', () => {
  const guess = (token: string) =>
    send(server.ready.http, '/api/v1/groups', { headers: { authorization: `Bearer ${token}` } });

  it('gets 429 when exceeding the rate limit, while valid credentials from the same IP address are still accepted', async () => {
    const answers = [];
    for (let at = 0; at < 8; at += 1) answers.push(await guess(`guess-${at}`));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    const last = answers.at(-1) ?? expect.unreachable('eight requests were sent');
    expectRetryAfter(last.headers);
    expect(JSON.parse(last.text)).toMatchObject({
      message: expect.stringMatching(/^Too many .+ from your IP address; try/) as string,
    });
    expect((await guess(server.ready.token)).status).toBe(200);
  });

  it('also gets 429 for EST passwords', async () => {
    const { client } = server;
    const profiles = await client.raProfiles.listRaProfiles();
    const raProfileUuid = profiles.find(({ name }) => name === 'default')?.uuid ?? expect.fail('no RA profile');
    const users = [{ username: 'device', password: 'correct horse battery' }];
    const { uuid } = await client.estProfiles.createEstProfile({ body: { name: 'limited', raProfileUuid, users } });
    await client.estProfiles.enableEstProfile({ params: { estProfileUuid: uuid } });
    const ask = async (password: string): Promise<IncomingMessage> => {
      const url = new URL('/.well-known/est/limited/simpleenroll', server.ready.https ?? undefined);
      const headers = { 'content-type': 'application/pkcs10' };
      const ca = readFileSync(server.ready.rootCertificate);
      const asked = httpsRequest(url, { method: 'POST', ca, headers, auth: `device:${password}` }).end('MAA=');
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      return answer.resume();
    };
    const answers = [];
    for (let at = 0; at < 6; at += 1) answers.push(await ask(`guess-${at}`));
    const last = answers.at(-1) ?? expect.unreachable('six requests were sent');
    expect(last.statusCode).toBe(429);
    expectRetryAfter(last.headers);
    // Authenticated, and rejected because the body is not a CSR.
    expect((await ask('correct horse battery')).statusCode).toBe(400);
  });

  it('also gets 429 for nonexistent sign-in links', async () => {
    const open = () => send(server.ready.http, `/sign-in/${'a'.repeat(43)}`);
    for (let at = 0; at < 6; at += 1) await open();
    const answer = await open();
    expect(answer.status).toBe(429);
    expectRetryAfter(answer.headers);
  });
});

describe('unauthenticated changes', () => {
  it('are rejected with 429 when they exceed the rate limit per IP address, and leave one record per minute', async () => {
    const { audit } = server.running.areas;
    await audit.settleRefusals({ everything: true });
    const rows = async () =>
      server.running.platform.database.query<{ message: string; additional_data: object | null }>(
        `SELECT message, additional_data FROM audit_record WHERE actor_type = 'anonymous' AND operation = 'create' ORDER BY id`,
      );
    const before = (await rows()).length;
    const statuses = [];
    for (let at = 0; at < 7; at += 1) {
      const headers = { 'content-type': 'application/json' };
      const { status } = await send(server.ready.http, '/api/v1/groups', { method: 'POST', headers, body: '{}' });
      statuses.push(status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429, 429]);
    expect((await rows()).length).toBe(before + 1);
    await audit.settleRefusals({ everything: true });
    const [sum, ...more] = (await rows()).slice(before + 1);
    expect(more).toEqual([]);
    expect(sum).toMatchObject({ additional_data: { refusedRequests: { 'groups: create': 6 } } });
    expect(sum?.message).toMatch(/ Last of 6 rejected requests from this source within a minute\.$/);
  });
});

describe('access tokens and sign-in links', () => {
  it('can be created at a limited rate per user', async () => {
    const statuses = [];
    for (let at = 0; at < 8; at += 1) {
      const body = JSON.stringify({ name: `token-${at}` });
      const headers = { authorization: `Bearer ${server.ready.token}`, 'content-type': 'application/json' };
      const answer = await send(server.ready.http, '/api/x/v1/accessTokens', { method: 'POST', headers, body });
      statuses.push(answer.status);
    }
    expect(
      statuses.slice(0, 6).every((status) => status < 300),
      String(statuses),
    ).toBe(true);
    expect(statuses.slice(6)).toEqual([429, 429]);
  });
});

describe('ACME validations', () => {
  it('that failed too often for an identifier are not started again, and the authorization stays pending', async () => {
    const client = await acme.account();
    const name = acme.host('failing');
    const respond = async (host: string) => {
      const placed = await client.newOrder([host]);
      const url = placed.body.authorizations[0] ?? expect.unreachable(placed.text);
      const { body } = await client.authorization(url);
      const challenge =
        body.challenges.find(({ type }) => type === 'http-01') ?? expect.unreachable('http-01 is offered');
      const answer = await client.respond(challenge.url);
      return { answer, url };
    };
    for (let at = 0; at < 2; at += 1) {
      const { url } = await respond(name);
      await client.pollUntil<AcmeAuthorization>(url, { until: ({ status }) => status === 'invalid' });
    }
    const { answer, url } = await respond(name);
    expectProblem(answer, 429, 'rateLimited');
    expectRetryAfter(answer.headers);
    expect((await client.authorization(url)).body.status).toBe('pending');
    expect((await respond(acme.host('other'))).answer.status).toBe(200);
  });
});

describe('ACME orders', () => {
  it('that result in certificates do not count towards the limits for their account and IP address', async () => {
    const client = await acme.account();
    for (let at = 0; at < 10; at += 1) await acme.issue(client, [acme.host('done')]);
  });

  it('are limited to a number of open orders per account, and are accepted again when one is no longer open', async () => {
    const client = await acme.account();
    const names = Array.from({ length: 5 }, () => acme.host('open'));
    for (const name of names) expect((await client.newOrder([name])).status).toBe(201);
    const refused = await client.newOrder([acme.host('more')]);
    expectProblem(refused, 429, 'rateLimited');
    expectRetryAfter(refused.headers);
    // An already open order does not count again.
    const again = await client.newOrder([names[1] ?? '']);
    expect([again.status, again.body.status], again.text).toEqual([201, 'pending']);
    const [order] = await server.running.platform.database.query<{ uuid: string }>(
      `UPDATE acme_order SET status = 'invalid' WHERE names = ARRAY['dns:' || $1] RETURNING uuid`,
      [names[0]],
    );
    expect(order).toBeDefined();
    // Orders are recounted after at least a second.
    await expect.poll(async () => (await client.newOrder([acme.host('more')])).status, { timeout: 10_000 }).toBe(201);
  });

  it('that are repeated count only once', async () => {
    const client = await acme.account();
    const name = acme.host('repeated');
    const repeated = await Promise.all(Array.from({ length: 5 }, () => client.newOrder([name])));
    for (let at = 0; at < 25; at += 1) repeated.push(await client.newOrder([name]));
    expect(new Set(repeated.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
    for (let at = 0; at < 4; at += 1) expect((await client.newOrder([acme.host('beside')])).status).toBe(201);
    expectProblem(await client.newOrder([acme.host('beside')]), 429, 'rateLimited');
  });

  it('are counted correctly when an account places them concurrently', async () => {
    const client = await acme.account();
    const names = Array.from({ length: 5 + 2 }, () => acme.host('at-once'));
    const placed = await Promise.all(names.map((name) => client.newOrder([name])));
    expect(placed.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(placed.filter(({ problem }) => problem === 'rateLimited')).toHaveLength(2);
  });

  it('that are never completed are limited per IP address across all accounts', async () => {
    const statuses = [];
    for (const account of await Promise.all([1, 2, 3, 4].map(() => acme.account()))) {
      for (let at = 0; at < 5; at += 1) statuses.push((await account.newOrder([acme.host('left')])).status);
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([201, 429]));
  });
});

describe('ACME accounts', () => {
  it('are created at a limited rate per IP address, but existing accounts can still be found by their keys', async () => {
    const known = await acme.account();
    let reply = await (await acme.client()).newAccount();
    for (let at = 0; at < 11 && reply.status === 201; at += 1) reply = await (await acme.client()).newAccount();
    expectProblem(reply, 429, 'rateLimited');
    expectRetryAfter(reply.headers);
    expect((await known.newAccount()).status).toBe(200);
  });
});

describe('connections from one IP address', () => {
  it('are limited: excess connections are closed immediately, and open connections continue', async () => {
    const { port } = new URL(server.ready.http);
    const sockets = Array.from({ length: CONNECTIONS }, () => connect({ host: '127.0.0.1', port: Number(port) }));
    // Connections held by other clients count as well, so the last of these may already be rejected.
    for (const socket of sockets) socket.on('error', () => undefined);
    try {
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      const more = connect({ host: '127.0.0.1', port: Number(port) });
      more.on('error', () => undefined);
      await once(more, 'close');
      const [first] = sockets;
      first?.write('GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n');
      const [answer] = (await once(first ?? expect.unreachable('there are sockets'), 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});
