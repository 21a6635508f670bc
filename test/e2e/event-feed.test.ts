// The event feed of two nodes of one platform: order, resumption, permissions and deleted events.
import { followEvents } from '@signetry/client';
import type { FeedEvent } from '@signetry/contract';
import { sharedTestServer, type TestServer } from '@signetry/testkit/platform';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { userWithRole } from './testing/limited-user.ts';
import { createSharedDatabase } from './testing/shared-database.ts';
import { send } from './testing/raw-request.ts';
import { issueUnderTwoProfiles, objectRights, resourceRights } from './testing/rights.ts';

const GONE = '00000000-0000-7000-8000-0000000000ee';

const { nodeArgs, query } = createSharedDatabase();
const first = sharedTestServer({ args: nodeArgs });
const second = sharedTestServer({ args: nodeArgs });
let profiles: Awaited<ReturnType<typeof issueUnderTwoProfiles>>;
let ends = new AbortController();

beforeAll(async () => {
  profiles = await issueUnderTwoProfiles(first.client);
});
afterEach(() => {
  ends.abort();
  ends = new AbortController();
});

/** Raises events like a discovery does. */
const raise = (certificateUuid: string, count: number, from = 1) =>
  query(
    `INSERT INTO event_outbox (event, payload) SELECT 'certificate_discovered',
       jsonb_build_object('certificateUuid', $1::text, 'number', n) FROM generate_series($2::int, $3::int) n`,
    [certificateUuid, from, from + count - 1],
  );
const optionsOf = ({ ready }: TestServer, token: string) => ({ baseUrl: `${ready.http}/api`, token });
const positionOf = async ({ client }: TestServer) => (await client.eventFeed.listEvents()).position;
const numbers = (events: readonly FeedEvent[]) => events.map(({ data }) => data['number']);
const series = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Reads the stream in the background. */
function startReading(node: TestServer, { token, after }: { readonly token: string; readonly after: number }) {
  const events: FeedEvent[] = [];
  const end = (async () => {
    const wanted = { after: String(after), event: 'certificate_discovered', signal: ends.signal };
    for await (const event of followEvents(optionsOf(node, token), wanted)) events.push(event);
  })();
  end.catch(() => undefined);
  return { events, end };
}

describe('the event stream', () => {
  it('delivers every event once and in order on both nodes', async () => {
    const { token } = await userWithRole(first, [
      resourceRights('certificates', 'list'),
      resourceRights('raProfiles', 'members'),
    ]);
    const after = await positionOf(first);
    const readers = [first, second].map((node) => startReading(node, { token, after }));
    await raise(profiles.ofFirst.uuid, 1);
    for (const { events } of readers) await expect.poll(() => numbers(events), { timeout: 2_000 }).toEqual([1]);
    await raise(profiles.ofFirst.uuid, 1_500, 2);
    for (const { events } of readers)
      await expect.poll(() => numbers(events), { timeout: 10_000 }).toEqual(series(1_501));
  });

  it('resumes after a disconnect without losing or duplicating events', async () => {
    const { token } = await userWithRole(first, [
      resourceRights('certificates', 'list'),
      resourceRights('raProfiles', 'members'),
    ]);
    const after = await positionOf(first);
    let cuts = 0;
    const fetchWithCuts: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      let left = 40_000;
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          controller.enqueue(bytes.subarray(0, left));
          left -= bytes.length;
          if (left <= 0) controller.error(new Error(`cut ${++cuts}`));
        },
      });
      return new Response(response.body?.pipeThrough(cut), response);
    };
    await raise(profiles.ofFirst.uuid, 600);
    const seen: FeedEvent[] = [];
    const options = { ...optionsOf(second, token), fetch: fetchWithCuts };
    const wanted = { after: String(after), event: 'certificate_discovered', signal: ends.signal };
    for await (const event of followEvents(options, wanted)) if (seen.push(event) === 600) break;
    expect(numbers(seen)).toEqual(series(600));
    expect(cuts).toBeGreaterThan(1);
  });

  it('ends when the caller loses access', async () => {
    const user = await userWithRole(first, [
      resourceRights('certificates', 'list'),
      resourceRights('raProfiles', 'members'),
    ]);
    const { events, end } = startReading(second, { token: user.token, after: await positionOf(first) });
    await raise(profiles.ofFirst.uuid, 1);
    await expect.poll(() => numbers(events), { timeout: 3_000 }).toEqual([1]);
    await first.client.users.disableUser({ params: { userUuid: user.userUuid } });
    await expect(end).rejects.toMatchObject({ status: 401 });
  }, 15_000);

  it('contains only events that the caller can see, as in the lists, and none for deleted objects', async () => {
    const { token, client } = await userWithRole(first, [
      resourceRights('certificates', 'list'),
      objectRights('raProfiles', profiles.second.raProfileUuid, { allow: ['members'] }),
    ]);
    const after = await positionOf(first);
    const { events } = startReading(first, { token, after });
    await raise(profiles.ofFirst.uuid, 3);
    await raise(GONE, 3, 4);
    await raise(profiles.ofSecond.uuid, 3, 7);
    await expect.poll(() => numbers(events), { timeout: 3_000 }).toEqual([7, 8, 9]);
    const page = await client.eventFeed.listEvents({ query: { after: String(after) } });
    expect(numbers(page.events)).toEqual([7, 8, 9]);
    const all = await first.client.eventFeed.listEvents({ query: { after: String(after), objectUuid: GONE } });
    expect(numbers(all.events)).toEqual([4, 5, 6]);
  });
});

describe('a page of events', () => {
  it('returns the position from which to continue, even if all events were hidden, and waits on request', async () => {
    const { client } = await userWithRole(first, []);
    const after = await positionOf(first);
    await raise(profiles.ofFirst.uuid, 5);
    await expect.poll(() => positionOf(first), { timeout: 3_000 }).toBeGreaterThanOrEqual(after + 5);
    const hidden = await client.eventFeed.listEvents({ query: { after: String(after) } });
    expect(hidden.events).toEqual([]);
    expect(hidden.position).toBeGreaterThanOrEqual(after + 5);

    const admin = first.client.eventFeed;
    const page = await admin.listEvents({
      query: { after: String(after), limit: 2, objectUuid: profiles.ofFirst.uuid },
    });
    const rest = await admin.listEvents({ query: { after: String(page.position), objectUuid: profiles.ofFirst.uuid } });
    expect(numbers([...page.events, ...rest.events])).toEqual(series(5));

    const awaited = admin.listEvents({ query: { waitS: 20, objectUuid: GONE } });
    await raise(GONE, 1);
    expect(numbers((await awaited).events)).toEqual([1]);
  });

  it('explains what to do if events after the specified position have been deleted', async () => {
    const after = await positionOf(first);
    await raise(GONE, 3);
    await expect.poll(() => positionOf(first), { timeout: 3_000 }).toBeGreaterThanOrEqual(after + 3);
    await query('DELETE FROM event_log WHERE position <= $1', [after + 2]);
    const listed = first.client.eventFeed.listEvents({ query: { after: String(after) } });
    await expect(listed).rejects.toMatchObject({ status: 422 });
    await expect(listed).rejects.toThrow(`continue with after=${after + 2}`);
    const { events } = await first.client.eventFeed.listEvents({ query: { after: String(after + 2) } });
    expect(events[0]).toMatchObject({ position: after + 3 });
  });

  it.each(['after=-1', 'after=1.5', 'after=99999999999', 'limit=0', 'limit=1001', 'waitS=31', 'event=nothing', 'resource=x', "objectUuid=';--"])(
    'rejects %s',
    async (parameter) => {
      const authorization = first.client && `Bearer ${(await userWithRole(first, [])).token}`;
      const { status } = await send(first.ready.http, `/api/x/v1/events?${parameter}`, { headers: { authorization } });
      expect([400, 422]).toContain(status);
    },
  ); // prettier-ignore

  it('requires authentication, as does the stream, and a malformed Last-Event-ID is rejected', async () => {
    for (const path of ['/api/x/v1/events', '/api/x/v1/events/stream'])
      expect((await send(first.ready.http, path)).status).toBe(401);
    const authorization = `Bearer ${(await userWithRole(first, [])).token}`;
    const headers = { authorization, 'last-event-id': 'x\tid: 5' };
    expect((await send(first.ready.http, '/api/x/v1/events/stream', { headers })).status).toBe(400);
  });
});
