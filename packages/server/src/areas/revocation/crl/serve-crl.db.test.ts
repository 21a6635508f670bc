// CRL downloads, and handling of CRLs that must not be served.
import { testDatabase } from '@signetry/testkit/database';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { findCrlFacts, publishCrl, readCrl } from '../store.ts';
import { setUpCrls } from '../testing/crls.ts';

const HOUR_MS = 3_600_000;
let database: Database;
const setUp = () => setUpCrls(database);

beforeAll(async () => {
  database = await testDatabase();
});

describe('downloading a CRL', () => {
  it('fetches the first CRL on demand, once for concurrent requests', async () => {
    const { authority, download } = await setUp();
    const answers = await Promise.all([download(), download(), download(), download()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(authority.calls.crl).toBe(1);
    const [answer] = answers;
    expect(answer?.headers.get('content-type')).toBe('application/pkix-crl');
    expect(answer?.headers.get('cache-control')).toBe('max-age=300, public, no-transform, must-revalidate');
    expect(answer?.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
    expect(Date.parse(answer?.headers.get('last-modified') ?? '')).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(Date.parse(answer?.headers.get('expires') ?? '')).toBeGreaterThan(Date.now() + 290_000);
  });

  it('returns 304 to a client that has the current CRL, and no body for HEAD', async () => {
    const { authority, node, download } = await setUp();
    const first = await download();
    const again = await download(undefined, { 'if-none-match': first.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    const head = await fetch(`${node.url}/crl/${authority.uuid}.crl`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(Number(head.headers.get('content-length'))).toBe((await first.arrayBuffer()).byteLength);
  });

  it.each(['00000000-0000-4000-8000-000000000000.crl', 'nonsense.crl', '..%2f..%2fetc.crl', 'x'])(
    'returns 404 for %s',
    async (path) => {
      const { download } = await setUp();
      expect((await download(path)).status).toBe(404);
    },
  );

  it('returns 404 if the authority does not offer a delta CRL, without asking repeatedly', async () => {
    const { authority, download } = await setUp();
    expect((await download(`${authority.uuid}-delta.crl`)).status).toBe(404);
    expect((await download(`${authority.uuid}-delta.crl`)).status).toBe(404);
    expect(authority.calls.crl).toBe(1);
  });

  it('serves the delta CRL if there is one', async () => {
    const { authority, crl } = await setUp();
    authority.behaviour.offersDelta = true;
    authority.behaviour.crlNumber = 7n;
    const delta = await crl(`${authority.uuid}-delta.crl`);
    expect(delta).toMatchObject({ crlNumber: 7n, baseCrlNumber: 6n });
  });

  it('returns 503 while the authority fails, without calling it for every download', async () => {
    const { authority, download, endPause } = await setUp();
    authority.behaviour.crlError = new Error('down');
    expect((await download()).status).toBe(503);
    expect((await download()).status).toBe(503);
    expect(authority.calls.crl).toBe(1);
    authority.behaviour.crlError = undefined;
    await endPause();
    expect((await download()).status).toBe(200);
  });

  it('refetches an expired CRL, and serves the last one if this fails', async () => {
    const { authority, clock, crl, download } = await setUp();
    expect((await crl()).crlNumber).toBe(1n);
    clock.advance(25 * HOUR_MS);
    authority.behaviour.crlError = new Error('down');
    const old = await download();
    expect(old.status).toBe(200);
    expect(old.headers.get('cache-control')).toMatch(/^max-age=0,/);
    authority.behaviour.crlError = undefined;
  });

  it('replaces an expired CRL', async () => {
    const { clock, crl } = await setUp();
    await crl();
    clock.advance(25 * HOUR_MS);
    expect((await crl()).crlNumber).toBe(2n);
  });
});

describe("checks of the authority's response", () => {
  it('reject a decreasing CRL number, while the published CRL is still served', async () => {
    const { authority, node, crl } = await setUp();
    authority.behaviour.crlNumber = 10n;
    expect((await crl()).crlNumber).toBe(10n);
    authority.behaviour.crlNumber = 9n;
    const order = {
      authorityUuid: authority.uuid,
      kind: 'full',
      isNeeded: () => true,
      evenIfPaused: true,
      waitMs: 0,
    } as const;
    expect(await node.parts.refresh(order)).toMatchObject({
      outcome: 'failed',
      problem: expect.stringContaining('lower than the published 10'),
    });
    expect((await crl()).crlNumber).toBe(10n);
  });

  it('reject a different CRL with an already published number', async () => {
    const { authority, node, crl, clock } = await setUp();
    await crl();
    authority.behaviour.crlNumber = 1n;
    clock.advance(5_000);
    const order = {
      authorityUuid: authority.uuid,
      kind: 'full',
      isNeeded: () => true,
      evenIfPaused: true,
      waitMs: 0,
    } as const;
    expect(await node.parts.refresh(order)).toMatchObject({ outcome: 'failed' });
  });

  it('reject a CRL signed by a different CA with the same name', async () => {
    const { authority, download } = await setUp();
    const genuine = authority.ca();
    await authority.renewCa();
    const forged = await authority.signCrl();
    authority.behaviour.tamper = () => forged;
    // The platform knows only the former CA.
    authority.behaviour.knownCas = [genuine];
    expect((await download()).status).toBe(503);
  });

  it('reject data that is not a CRL, and a CRL with a thisUpdate in the future', async () => {
    const { authority, download, clock, endPause } = await setUp();
    authority.behaviour.tamper = () => Uint8Array.of(1, 2, 3);
    expect((await download()).status).toBe(503);
    const future = await authority.signCrl({ thisUpdateMs: clock.now().getTime() + HOUR_MS });
    authority.behaviour.tamper = () => future;
    await endPause();
    expect((await download()).status).toBe(503);
  });

  it('never allow an older CRL to replace a newer one in the database, even if called directly', async () => {
    const { authority, crl } = await setUp();
    authority.behaviour.crlNumber = 10n;
    await crl();
    const facts = await findCrlFacts(database.executor, { authorityUuid: authority.uuid, kind: 'full' });
    const der = facts && (await readCrl(database.executor, facts));
    if (!der) throw new Error('There is no CRL.');
    const row = { ...facts, der };
    const later = new Date(row.this_update.getTime() + 1_000);
    expect(await publishCrl(database.executor, { ...row, number: '9', this_update: later })).toBe(false);
    expect(await publishCrl(database.executor, { ...row, number: '10', this_update: later })).toBe(false);
    expect(await publishCrl(database.executor, { ...row, number: '11', this_update: new Date(0) })).toBe(false);
    expect(await publishCrl(database.executor, { ...row, number: '11', this_update: later })).toBe(true);
  });

  it('accept CRL numbers of 20 bytes', async () => {
    const { authority, crl } = await setUp();
    authority.behaviour.crlNumber = 2n ** 159n - 5n;
    expect((await crl()).crlNumber).toBe(2n ** 159n - 5n);
  });
});
