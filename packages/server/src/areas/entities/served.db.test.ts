// A push is finished when the endpoint of its location shows the certificate; otherwise what was there before comes
// back.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestCertificate } from '../certificates/testing/test-certificates.ts';
import { createEntitiesFixture, type EntitiesFixture, type Path } from './testing/entities-fixture.ts';

const TIMEOUT_S = 60;
const PROBE = { host: 'web.test', port: 443, timeoutSeconds: TIMEOUT_S, restorePrevious: true };

let test: EntitiesFixture;
beforeAll(async () => {
  test = await createEntitiesFixture();
});
beforeEach(async () => {
  test.endpoints.shown = [];
  await test.database.query('DELETE FROM location');
});

type Held = TestCertificate & { readonly uuid: string };
const show = (...certificates: readonly { readonly der: Uint8Array }[]) =>
  void (test.endpoints.shown = certificates.map(({ der }) => ({
    address: 'web.test',
    protocol: 'TLSv1.3',
    chain: [der],
  })));
const rowOf = async (place: Path, { uuid }: Held) =>
  (await test.held(place)).find((row) => row.certificate_uuid === uuid);

/** A place for one, with an endpoint, into which one certificate was pushed after another. */
async function replaced(name: string, probe: object = {}) {
  const place = await test.addLocation(name, { single: true });
  await test.call('setLocationProbe', { params: place, body: { ...PROBE, ...probe } });
  const [before, after] = [await test.certificate(`before ${name}`), await test.certificate(`after ${name}`)];
  await test.push(place, before.uuid);
  await test.push(place, after.uuid, { replace: true });
  return { place, before, after };
}

/** Asks once what is due, and returns how often somebody was told that a certificate waits to be put back. */
async function ask(place: Path, held: Held, until: object): Promise<number> {
  let restored = 0;
  const asking = test.newAsking(() => (restored += 1));
  asking.start();
  await expect.poll(() => rowOf(place, held), { timeout: 10_000, interval: 20 }).toMatchObject(until);
  await asking.stop();
  return restored;
}

const eventsAbout = ({ uuid }: Held) =>
  test.database.query<{ payload: object }>(
    `SELECT payload FROM event_outbox WHERE event = 'certificate_not_served' AND payload ->> 'certificateUuid' = $1`,
    [uuid],
  );

describe('a certificate that is pushed to a location with an endpoint', () => {
  it('is asked for at once and until the time is over, with the former one set aside', async () => {
    const { place, before, after } = await replaced('asked');
    const row = await rowOf(place, after);
    expect(row).toMatchObject({ state: 'installed', replaces_uuid: before.uuid });
    expect(row?.ask_at).toEqual(row?.changed_at);
    expect(Number(row?.asked_until) - Number(row?.changed_at)).toBe(TIMEOUT_S * 1_000);
    expect(await rowOf(place, before)).toMatchObject({ state: 'replaced', ask_at: null });
  });

  it('replaces the former one for good where that is not to come back', async () => {
    const { place, after } = await replaced('for good', { restorePrevious: false });
    expect(await test.states(place)).toEqual({ [after.uuid]: 'installed' });
    expect((await rowOf(place, after))?.replaces_uuid).toBeNull();
  });
});

describe('a certificate that the endpoint shows', () => {
  it('is served, and nothing is left of the former one', async () => {
    const { place, after } = await replaced('shown');
    show(after);
    await ask(place, after, { state: 'served', ask_at: null, asked_until: null, replaces_uuid: null, problem: null });
    expect(await test.states(place)).toEqual({ [after.uuid]: 'served' });
    expect((await test.history(after.uuid)).at(-1)).toBe('SUCCESS: Served at web.test:443, from location shown');
    expect((await test.call('getLocation', { params: place })).state).toBe('served');
    await test.call('syncLocation', { params: place });
    expect(await test.states(place)).toEqual({ [after.uuid]: 'served' });
  });
});

describe('a certificate that the endpoint does not show', () => {
  it.each([
    ['after a quarter of the time that has passed', 8_000, (sinceMs: number) => sinceMs / 4],
    ['at the latest after 15 s', 120_000, () => 15_000],
  ])('yet is asked for again %s', async (name, passedMs, pauseAfter) => {
    const { place, before, after } = await replaced(name, { timeoutSeconds: 300 });
    show(before);
    test.clock.advance(passedMs);
    const [beganAt, asked] = [Number(test.clock.now()), test.endpoints.asked.length];
    const problem = expect.stringContaining(`web.test:443 serves before ${name} (serial number`) as string;
    await ask(place, after, { state: 'installed', problem });
    const row = await rowOf(place, after);
    const expectedFor = (now: number) => now + pauseAfter(now - Number(row?.changed_at));
    expect(Number(row?.ask_at)).toBeGreaterThanOrEqual(Math.floor(expectedFor(beganAt)));
    expect(Number(row?.ask_at)).toBeLessThanOrEqual(Math.ceil(expectedFor(Number(test.clock.now()))));
    // A server with several certificates may have shown the one that it likes better.
    const algorithms = test.endpoints.asked.slice(asked).map(({ keyAlgorithm }) => keyAlgorithm);
    expect(algorithms).toEqual([undefined, 'ECDSA']);
  });

  it('yet is asked for a last time when the time is over', async () => {
    const { place, after } = await replaced('at last', { timeoutSeconds: 300 });
    test.clock.advance(290_000);
    await ask(place, after, { state: 'installed', problem: expect.any(String) });
    const row = await rowOf(place, after);
    expect(row?.ask_at).toEqual(row?.asked_until);
  });

  it('in time is not served, and the former one is put back', async () => {
    const { place, before, after } = await replaced('late');
    test.clock.advance(TIMEOUT_S * 1_000);
    expect(await ask(place, after, { state: 'not_served', ask_at: null, asked_until: null })).toBe(1);
    expect(await rowOf(place, before)).toMatchObject({ state: 'waiting', problem: null });
    const problem = 'web.test:443 serves nothing: the connection was refused';
    expect((await rowOf(place, after))?.problem).toBe(problem);
    expect((await test.history(after.uuid)).at(-1)).toBe(
      `FAILED: Not served from location late in 60 s: ${problem}; before late is put back`,
    );
    expect((await test.history(before.uuid)).at(-1)).toBe(
      'SUCCESS: Put back into location late, because after late was not served',
    );
    expect(await eventsAbout(after)).toEqual([
      {
        payload: {
          certificateUuid: after.uuid,
          locationUuid: place.locationUuid,
          locationName: 'late',
          endpoint: 'web.test:443',
          problem,
          restoredCertificateUuid: before.uuid,
        },
      },
    ]);
  });

  it.each([
    ['is revoked since', 'revoked', {}],
    ['is not to come back', 'issued', { restorePrevious: false }],
  ])('in time stays where the former one %s', async (name, state, probe) => {
    const { place, before, after } = await replaced(name, probe);
    await test.database.query('UPDATE certificate SET state = $2 WHERE uuid = $1', [before.uuid, state]);
    test.clock.advance(TIMEOUT_S * 1_000);
    expect(await ask(place, after, { state: 'not_served' })).toBe(0);
    expect(await test.states(place)).toEqual({ [after.uuid]: 'not_served' });
    expect((await test.history(after.uuid)).at(-1)).toMatch(/ in 60 s: [^;]*$/);
    expect(await eventsAbout(after)).toMatchObject([{ payload: { restoredCertificateUuid: null } }]);
  });
});

describe('an endpoint that is taken away', () => {
  it('is asked no longer: what is there is there, and the former one is forgotten', async () => {
    const { place, after } = await replaced('taken away');
    await test.call('removeLocationProbe', { params: place });
    expect(await rowOf(place, after)).toMatchObject({ state: 'installed', ask_at: null, asked_until: null });
    expect(await test.states(place)).toEqual({ [after.uuid]: 'installed' });
    await expect(test.call('lookAtLocation', { params: place })).rejects.toMatchObject({
      parameters: { problems: ['The location taken away has no endpoint to ask: name one first.'] },
    });
  });
});

describe('an endpoint that is looked at now', () => {
  const look = (params: Path) => test.call('lookAtLocation', { params });

  it('tells what it shows, and which of that the inventory has', async () => {
    const { place, before, after } = await replaced('looked at');
    const stranger = await test.make('stranger.test');
    show(after, stranger, before);
    const seen = await look(place);
    expect(seen.asExpected).toBe(false);
    expect(seen.addresses.map(({ asExpected, chain }) => [asExpected, chain[0]?.subject, chain[0]?.certificateUuid])).toEqual([
      [true, 'CN=after looked at, O=Test', after.uuid],
      [false, 'CN=stranger.test, O=Test', undefined],
      [false, 'CN=before looked at, O=Test', before.uuid],
    ]); // prettier-ignore
    show();
    expect(await look(place)).toEqual({ asExpected: false, addresses: [], problems: ['the connection was refused'] });
  });

  it('makes up for a certificate that was not served in time, and leaves one to those who are asking for it', async () => {
    const { place, after } = await replaced('made up', { restorePrevious: false });
    show(after);
    expect((await look(place)).asExpected).toBe(true);
    expect((await rowOf(place, after))?.state).toBe('installed');
    show();
    test.clock.advance(TIMEOUT_S * 1_000);
    await ask(place, after, { state: 'not_served' });
    show(after);
    expect((await look(place)).asExpected).toBe(true);
    expect(await rowOf(place, after)).toMatchObject({ state: 'served', problem: null });
  });

  it('leaves out of what it shows what cannot be read', async () => {
    const { place } = await replaced('garbled');
    show({ der: Uint8Array.of(1, 2, 3) });
    expect((await look(place)).addresses).toEqual([
      { address: 'web.test', protocol: 'TLSv1.3', chain: [], asExpected: false },
    ]);
  });
});
