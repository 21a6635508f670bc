// Bodies and permissions: unauthorized requests are rejected before the body arrives, and unread bodies cost nothing.
// Every body here is announced in full and sent in part, so any response shows that the server did not wait for it.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sharedTestServer } from '@signetry/testkit/platform';
import { openConnection, statusesOf } from '@signetry/testkit/raw-connection';
import { beforeAll, describe, expect, it } from 'vitest';
import { requestHead } from './testing/request-head.ts';
import { userWithRole, type LimitedUser } from './testing/limited-user.ts';
import { send } from './testing/raw-request.ts';

const server = sharedTestServer();
let port: number;
let administrator: string;

beforeAll(() => {
  port = Number(new URL(server.ready.http).port);
  administrator = server.ready.token;
});

/** Returns the response to a request of which only the head was sent. */
async function sendHead(head: string): Promise<string> {
  const connection = await openConnection(port, head);
  const text = await connection.until(/\r\n\r\n.*\}$/s);
  connection.socket.destroy();
  return text;
}

describe("an unauthenticated caller's request body", () => {
  it.each([
    'POST /api/v1/certificates/upload',
    'POST /api/v1/groups',
    'DELETE /api/v1/groups',
    'PUT /api/v1/connectors/connect',
    'POST /api/v1/auditLogs',
  ])('is not awaited for %s', async (line) => {
    const text = await sendHead(requestHead(line, { length: 15_000_000 }));
    expect(statusesOf(text)).toEqual([401]);
    expect(text).toMatch(/^www-authenticate: Bearer/im);
    expect(text).toMatch(/^cache-control: no-store/im);
    expect(text).toContain('"code":"UNAUTHORIZED"');
  });

  it('is not awaited for unknown paths, including those under ACME', async () => {
    expect(statusesOf(await sendHead(requestHead('POST /api/v1/nothing')))).toEqual([404]);
    expect(statusesOf(await sendHead(requestHead('PATCH /api/v1/groups')))).toEqual([405]);
    const acme = await sendHead(requestHead('POST /api/v1/protocols/acme/default/nothing'));
    expect(statusesOf(acme)).toEqual([404]);
    expect(acme).toMatch(/^replay-nonce: /im);
  });

  it('is received and discarded, so that the client reads the response and the connection stays open', async () => {
    const connection = await openConnection(port);
    connection.socket.write(requestHead('POST /api/v1/certificates/upload', { length: 15_000_000 }));
    connection.socket.write(Buffer.alloc(15_000_000, '{},'));
    connection.socket.write('GET /api/v1/health/liveness HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(statusesOf(await connection.closed())).toEqual([401, 200]);
  });

  it('is received even from a client that requests Connection: close and reads nothing until it has sent everything', async () => {
    const headers = 'Connection: close\r\n';
    const connection = await openConnection(port);
    connection.socket.pause();
    connection.socket.write(requestHead('POST /api/v1/certificates/upload', { length: 15_000_000, headers }));
    await new Promise((sent) => connection.socket.write(Buffer.alloc(15_000_000, '{},'), sent));
    connection.socket.resume();
    expect(statusesOf(await connection.closed())).toEqual([401]);
  });

  it('is not requested from a client that waits for 100 Continue', async () => {
    const headers = 'Expect: 100-continue\r\n';
    const refused = await openConnection(port, requestHead('POST /api/v1/groups', { headers }));
    expect(statusesOf(await refused.closed())).toEqual([401]);
    const body = '{"name":"asked for"}';
    const head = requestHead('POST /api/v1/groups', { headers, token: administrator, length: body.length });
    const taken = await openConnection(port, head);
    await taken.until(/ 100 Continue\r\n\r\n$/);
    taken.socket.write(body);
    expect(statusesOf(await taken.until(/"uuid":"[^"]+"\}/))).toEqual([100, 201]);
    taken.socket.destroy();
  });
});

describe('the request body from a caller without permission', () => {
  let user: LimitedUser;
  let own: string;
  let other: string;

  beforeAll(async () => {
    const { client } = server;
    ({ uuid: own } = await client.groups.createGroup({ body: { name: 'own' } }));
    ({ uuid: other } = await client.groups.createGroup({ body: { name: 'other' } }));
    const objects = [{ uuid: own, name: 'own', allow: ['delete'] }];
    user = await userWithRole(server, [{ name: 'groups', allowAllActions: false, objects }]);
  });

  const expectHeadRejected = async (line: string): Promise<void> => {
    const text = await sendHead(requestHead(line, { token: user.token, length: 1_000_000 }));
    expect(statusesOf(text)).toEqual([403]);
    expect(text).toContain('"code":"ACCESS_DENIED"');
  };

  it('is not awaited if the path identifies the operation', async () => {
    await expectHeadRejected('POST /api/v1/groups');
    await expectHeadRejected(`PUT /api/v1/groups/${other}`);
  });

  it('is not awaited if the body names objects and the caller does not have permission on any object', async () => {
    await expectHeadRejected('DELETE /api/v1/connectors');
  });

  it('is read if the body names objects, and each of them is checked', async () => {
    const remove = (...uuids: string[]) => user.client.groups.bulkDeleteGroup({ body: uuids });
    await expect(remove(own, other)).rejects.toMatchObject({ status: 403 });
    await expect(remove()).rejects.toMatchObject({ status: 403 });
    await expect(remove(own)).resolves.toBeUndefined();
    expect((await server.client.groups.listGroups()).map(({ uuid }) => uuid)).toContain(other);
  });
});

describe('a request body with too many values', () => {
  const post = (path: string, body: string) =>
    send(server.ready.http, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${administrator}` },
      body,
    });

  it('is rejected with 400, even for file uploads', async () => {
    const many = await post('/api/v1/groups', `{"name":"many","x":[${'0,'.repeat(60_000)}0]}`);
    expect([many.status, many.text]).toEqual([400, expect.stringContaining('more than 50000 values')]);
    const file = await post('/api/v1/certificates/upload', `{"a":[${'{},'.repeat(5_000_000)}{}]}`);
    expect([file.status, file.text]).toEqual([400, expect.stringContaining('more than 10000 values')]);
  });

  it('cannot block other requests, even as 16 bodies of the maximum size from unauthenticated callers', async () => {
    const body = Buffer.from(`{"a":[${'{},'.repeat(5_100_000)}{}]}`);
    const head = requestHead('POST /api/v1/certificates/upload', { length: body.length });
    const memoryBefore = process.memoryUsage.rss();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const answers = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const connection = await openConnection(port, head);
        connection.socket.write(body);
        const text = await connection.until(/ 401 .+\}$/s);
        connection.socket.destroy();
        return statusesOf(text);
      }),
    );
    delay.disable();
    expect(answers).toEqual(Array.from({ length: 16 }, () => [401]));
    // A single one used to block the event loop for seconds and use a gigabyte. This process also runs the 16 clients.
    expect(delay.max / 1e6).toBeLessThan(1_000);
    expect((process.memoryUsage.rss() - memoryBefore) / 1024 / 1024).toBeLessThan(400);
  });
});
