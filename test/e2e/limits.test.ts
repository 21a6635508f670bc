// What one address or account may do in a time: beyond its limit it is refused with 429 and told when to come again,
// others are served as ever, and floods of refusals leave few records.
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
  '--limit-failed-enrolments=5/hour',
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

describe('a caller with credentials that are refused', () => {
  const guess = (token: string) =>
    send(server.ready.http, '/api/v1/groups', { headers: { authorization: `Bearer ${token}` } });

  it('is told 429 beyond its rate, while good credentials of the same address still pass', async () => {
    const answers = [];
    for (let at = 0; at < 8; at += 1) answers.push(await guess(`guess-${at}`));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    const last = answers.at(-1) ?? expect.unreachable('there were eight');
    expectRetryAfter(last.headers);
    expect(JSON.parse(last.text)).toMatchObject({
      message: expect.stringMatching(/^Too many .+ from your address; try/) as string,
    });
    expect((await guess(server.ready.token)).status).toBe(200);
  });

  it('is told so for passwords of EST too', async () => {
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
    const last = answers.at(-1) ?? expect.unreachable('there were six');
    expect(last.statusCode).toBe(429);
    expectRetryAfter(last.headers);
    // Let in, and refused for what is no request.
    expect((await ask('correct horse battery')).statusCode).toBe(400);
  });

  it('is told so for sign-in links that do not exist too', async () => {
    const open = () => send(server.ready.http, `/sign-in/${'a'.repeat(43)}`);
    for (let at = 0; at < 6; at += 1) await open();
    const answer = await open();
    expect(answer.status).toBe(429);
    expectRetryAfter(answer.headers);
  });
});

describe('changes that are asked for without credentials', () => {
  it('are refused with 429 beyond the rate of an address, and leave one record a minute', async () => {
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
    expect(sum?.message).toMatch(/The last of 6 refused requests from this source within a minute\.$/);
  });
});

describe('access tokens and sign-in links', () => {
  it('are made at a bounded rate by one user', async () => {
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
  it('that failed for an identifier too often are not begun again, and its authorization stays pending', async () => {
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
  it('that become certificates cost their account and address nothing', async () => {
    const client = await acme.account();
    for (let at = 0; at < 10; at += 1) await acme.issue(client, [acme.host('done')]);
  });

  it('may be open in a bounded number by one account, and again when one is issued', async () => {
    const client = await acme.account();
    const names = Array.from({ length: 5 }, () => acme.host('open'));
    for (const name of names) expect((await client.newOrder([name])).status).toBe(201);
    const refused = await client.newOrder([acme.host('more')]);
    expectProblem(refused, 429, 'rateLimited');
    expectRetryAfter(refused.headers);
    // One that is open already is no further one.
    const again = await client.newOrder([names[1] ?? '']);
    expect([again.status, again.body.status], again.text).toEqual([201, 'pending']);
    const [order] = await server.running.platform.database.query<{ uuid: string }>(
      `UPDATE acme_order SET status = 'invalid' WHERE names = ARRAY['dns:' || $1] RETURNING uuid`,
      [names[0]],
    );
    expect(order).toBeDefined();
    // Orders are counted again after a second at the earliest.
    await expect.poll(async () => (await client.newOrder([acme.host('more')])).status, { timeout: 10_000 }).toBe(201);
  });

  it('that are asked for again count once', async () => {
    const client = await acme.account();
    const name = acme.host('repeated');
    const repeated = await Promise.all(Array.from({ length: 5 }, () => client.newOrder([name])));
    for (let at = 0; at < 25; at += 1) repeated.push(await client.newOrder([name]));
    expect(new Set(repeated.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
    for (let at = 0; at < 4; at += 1) expect((await client.newOrder([acme.host('beside')])).status).toBe(201);
    expectProblem(await client.newOrder([acme.host('beside')]), 429, 'rateLimited');
  });

  it('are counted right when an account places them all at once', async () => {
    const client = await acme.account();
    const names = Array.from({ length: 5 + 2 }, () => acme.host('at-once'));
    const placed = await Promise.all(names.map((name) => client.newOrder([name])));
    expect(placed.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(placed.filter(({ problem }) => problem === 'rateLimited')).toHaveLength(2);
  });

  it('that nobody completes are bounded by address, whatever the account', async () => {
    const statuses = [];
    for (const account of await Promise.all([1, 2, 3, 4].map(() => acme.account()))) {
      for (let at = 0; at < 5; at += 1) statuses.push((await account.newOrder([acme.host('left')])).status);
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([201, 429]));
  });
});

describe('ACME accounts', () => {
  it('are made at a bounded rate from one address; known keys still find theirs', async () => {
    const known = await acme.account();
    let reply = await (await acme.client()).newAccount();
    for (let at = 0; at < 11 && reply.status === 201; at += 1) reply = await (await acme.client()).newAccount();
    expectProblem(reply, 429, 'rateLimited');
    expectRetryAfter(reply.headers);
    expect((await known.newAccount()).status).toBe(200);
  });
});

describe('connections of one address', () => {
  it('are bounded; those beyond are closed at once and those that are open go on', async () => {
    const { port } = new URL(server.ready.http);
    const sockets = Array.from({ length: CONNECTIONS }, () => connect({ host: '127.0.0.1', port: Number(port) }));
    // Connections that other clients still keep count too, so the last of these may be refused already.
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
