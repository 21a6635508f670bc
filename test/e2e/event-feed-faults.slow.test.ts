// Event streams whose credential expires, and whose node stops while readers are connected.
import { followEvents } from '@signetry/client';
import type { FeedEvent } from '@signetry/contract';
import { sharedTestServer, startTestServer, type TestServer } from '@signetry/testkit/platform';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';

const server = sharedTestServer();

/** Opens a reader that sends a request and then reads nothing. */
async function openSocket({ ready: { http, token } }: TestServer): Promise<void> {
  const { hostname, port } = new URL(http);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `GET /api/x/v1/events/stream HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n` +
      'Accept: text/event-stream\r\n\r\n',
  );
  await once(socket, 'readable');
  socket.pause();
}

const raise = ({ running }: TestServer, count: number, padding = '') =>
  running.platform.database.query(
    `INSERT INTO event_outbox (event, payload) SELECT 'certificate_discovered',
       jsonb_build_object('certificateUuid', gen_random_uuid(), 'number', n, 'padding', $2::text)
     FROM generate_series(1, $1::int) n`,
    [count, padding],
  );

it('a stream ends when the access token with which it was opened expires', { timeout: 20_000 }, async () => {
  const { token, uuid } = await server.client.accessTokens.createAccessToken({ body: { name: 'reader' } });
  const events: FeedEvent[] = [];
  const end = (async () => {
    const options = { baseUrl: `${server.ready.http}/api`, token };
    for await (const event of followEvents(options, { event: 'certificate_discovered' })) events.push(event);
  })();
  end.catch(() => undefined);
  await expect
    .poll(
      async () => {
        await raise(server, 1);
        return events.length;
      },
      { timeout: 5_000 },
    )
    .toBeGreaterThan(0);
  await server.running.platform.database.query('UPDATE access_token SET expires_at = now() WHERE uuid = $1', [uuid]);
  await expect(end).rejects.toMatchObject({ status: 401 });
});

it('a node stops quickly while readers are connected, even if some read nothing', { timeout: 60_000 }, async () => {
  const stopping = await startTestServer();
  const { ready } = stopping;
  let ended = '';
  const response = await fetch(`${ready.http}/api/x/v1/events/stream`, {
    headers: { authorization: `Bearer ${ready.token}` },
  });
  const reading = (async () => {
    for await (const bytes of response.body ?? []) ended += Buffer.from(bytes).toString();
  })();
  reading.catch(() => undefined);
  for (let count = 0; count < 5; count += 1) await openSocket(stopping);
  await raise(stopping, 3_000, 'x'.repeat(2_000));
  await expect.poll(() => ended.length, { timeout: 10_000 }).toBeGreaterThan(1_000_000);
  const began = performance.now();
  await stopping.stop();
  expect(performance.now() - began).toBeLessThan(5_000);
  await reading.catch(() => undefined);
  expect(ended).toContain(': ended: this node is shutting down; other nodes continue');
});
