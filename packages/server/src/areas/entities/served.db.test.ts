// A push is complete once the endpoint of its location serves the certificate; otherwise the previous certificate is
// restored.
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

/** Creates a single-certificate location with an endpoint, and pushes two certificates to it in turn. */
async function replaceCertificate(name: string, probe: object = {}) {
  const place = await test.addLocation(name, { single: true });
  await test.call('setLocationProbe', { params: place, body: { ...PROBE, ...probe } });
  const [before, after] = [await test.certificate(`before ${name}`), await test.certificate(`after ${name}`)];
  await test.push(place, before.uuid);
  await test.push(place, after.uuid, { replace: true });
  return { place, before, after };
}

/** Runs the due probes once, and returns how often a certificate was reported as waiting to be restored. */
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

describe('a certificate pushed to a location with an endpoint', () => {
  it('is probed immediately and then until the deadline, while the previous certificate is set aside', async () => {
    const { place, before, after } = await replaceCertificate('probed');
    const row = await rowOf(place, after);
    expect(row).toMatchObject({ state: 'installed', replaces_uuid: before.uuid });
    expect(row?.ask_at).toEqual(row?.changed_at);
    expect(Number(row?.asked_until) - Number(row?.changed_at)).toBe(TIMEOUT_S * 1_000);
    expect(await rowOf(place, before)).toMatchObject({ state: 'replaced', ask_at: null });
  });

  it('permanently replaces the previous certificate if restoring is disabled', async () => {
    const { place, after } = await replaceCertificate('permanent', { restorePrevious: false });
    expect(await test.states(place)).toEqual({ [after.uuid]: 'installed' });
    expect((await rowOf(place, after))?.replaces_uuid).toBeNull();
  });
});

describe('a certificate that the endpoint serves', () => {
  it('is marked as served, and the previous certificate is discarded', async () => {
    const { place, after } = await replaceCertificate('shown');
    show(after);
    await ask(place, after, { state: 'served', ask_at: null, asked_until: null, replaces_uuid: null, problem: null });
    expect(await test.states(place)).toEqual({ [after.uuid]: 'served' });
    expect((await test.history(after.uuid)).at(-1)).toBe('SUCCESS: Served at web.test:443 from location shown');
    expect((await test.call('getLocation', { params: place })).state).toBe('served');
    await test.call('syncLocation', { params: place });
    expect(await test.states(place)).toEqual({ [after.uuid]: 'served' });
  });
});

describe('a certificate that the endpoint does not serve', () => {
  it.each([
    ['after a quarter of the elapsed time', 8_000, (sinceMs: number) => sinceMs / 4],
    ['after at most 15 s', 120_000, () => 15_000],
  ])('is probed again %s', async (name, passedMs, pauseAfter) => {
    const { place, before, after } = await replaceCertificate(name, { timeoutSeconds: 300 });
    show(before);
    test.clock.advance(passedMs);
    const [beganAt, asked] = [Number(test.clock.now()), test.endpoints.asked.length];
    const problem = expect.stringContaining(`web.test:443 serves before ${name} (serial number`) as string;
    await ask(place, after, { state: 'installed', problem });
    const row = await rowOf(place, after);
    const expectedFor = (now: number) => now + pauseAfter(now - Number(row?.changed_at));
    expect(Number(row?.ask_at)).toBeGreaterThanOrEqual(Math.floor(expectedFor(beganAt)));
    expect(Number(row?.ask_at)).toBeLessThanOrEqual(Math.ceil(expectedFor(Number(test.clock.now()))));
    // A server with multiple certificates may have served the one that it prefers.
    const algorithms = test.endpoints.asked.slice(asked).map(({ keyAlgorithm }) => keyAlgorithm);
    expect(algorithms).toEqual([undefined, 'ECDSA']);
  });

  it('is probed one last time at the deadline', async () => {
    const { place, after } = await replaceCertificate('last probe', { timeoutSeconds: 300 });
    test.clock.advance(290_000);
    await ask(place, after, { state: 'installed', problem: expect.any(String) });
    const row = await rowOf(place, after);
    expect(row?.ask_at).toEqual(row?.asked_until);
  });

  it('by the deadline is marked as not served, and the previous certificate is restored', async () => {
    const { place, before, after } = await replaceCertificate('late');
    test.clock.advance(TIMEOUT_S * 1_000);
    expect(await ask(place, after, { state: 'not_served', ask_at: null, asked_until: null })).toBe(1);
    expect(await rowOf(place, before)).toMatchObject({ state: 'waiting', problem: null });
    const problem = 'web.test:443 serves no certificate: connection refused';
    expect((await rowOf(place, after))?.problem).toBe(problem);
    expect((await test.history(after.uuid)).at(-1)).toBe(
      `FAILED: Not served from location late within 60 s: ${problem}; before late is being restored`,
    );
    expect((await test.history(before.uuid)).at(-1)).toBe(
      'SUCCESS: Restored to location late because after late was not served',
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
    ['was revoked in the meantime', 'revoked', {}],
    ['must not be restored', 'issued', { restorePrevious: false }],
  ])('by the deadline remains in place if the previous certificate %s', async (name, state, probe) => {
    const { place, before, after } = await replaceCertificate(name, probe);
    await test.database.query('UPDATE certificate SET state = $2 WHERE uuid = $1', [before.uuid, state]);
    test.clock.advance(TIMEOUT_S * 1_000);
    expect(await ask(place, after, { state: 'not_served' })).toBe(0);
    expect(await test.states(place)).toEqual({ [after.uuid]: 'not_served' });
    expect((await test.history(after.uuid)).at(-1)).toMatch(/ within 60 s: [^;]*$/);
    expect(await eventsAbout(after)).toMatchObject([{ payload: { restoredCertificateUuid: null } }]);
  });
});

describe('a removed endpoint', () => {
  it('is no longer probed: the certificate remains installed, and the previous one is discarded', async () => {
    const { place, after } = await replaceCertificate('unprobed');
    await test.call('removeLocationProbe', { params: place });
    expect(await rowOf(place, after)).toMatchObject({ state: 'installed', ask_at: null, asked_until: null });
    expect(await test.states(place)).toEqual({ [after.uuid]: 'installed' });
    await expect(test.call('probeLocation', { params: place })).rejects.toMatchObject({
      parameters: { problems: ['Location unprobed has no endpoint. Specify one first.'] },
    });
  });
});

describe('an endpoint probed on demand', () => {
  const probeNow = (params: Path) => test.call('probeLocation', { params });

  it('returns the served certificates, and indicates which of them are in the inventory', async () => {
    const { place, before, after } = await replaceCertificate('on demand');
    const stranger = await test.make('stranger.test');
    show(after, stranger, before);
    const seen = await probeNow(place);
    expect(seen.asExpected).toBe(false);
    expect(seen.addresses.map(({ asExpected, chain }) => [asExpected, chain[0]?.subject, chain[0]?.certificateUuid])).toEqual([
      [true, 'CN=after on demand, O=Test', after.uuid],
      [false, 'CN=stranger.test, O=Test', undefined],
      [false, 'CN=before on demand, O=Test', before.uuid],
    ]); // prettier-ignore
    show();
    expect(await probeNow(place)).toEqual({ asExpected: false, addresses: [], problems: ['connection refused'] });
  });

  it('marks a certificate that missed its deadline as served, and does not change one with pending probes', async () => {
    const { place, after } = await replaceCertificate('overdue', { restorePrevious: false });
    show(after);
    expect((await probeNow(place)).asExpected).toBe(true);
    expect((await rowOf(place, after))?.state).toBe('installed');
    show();
    test.clock.advance(TIMEOUT_S * 1_000);
    await ask(place, after, { state: 'not_served' });
    show(after);
    expect((await probeNow(place)).asExpected).toBe(true);
    expect(await rowOf(place, after)).toMatchObject({ state: 'served', problem: null });
  });

  it('omits unreadable certificates', async () => {
    const { place } = await replaceCertificate('garbled');
    show({ der: Uint8Array.of(1, 2, 3) });
    expect((await probeNow(place)).addresses).toEqual([
      { address: 'web.test', protocol: 'TLSv1.3', chain: [], asExpected: false },
    ]);
  });
});
