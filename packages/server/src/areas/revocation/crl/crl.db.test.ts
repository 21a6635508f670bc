import { findRevoked, parseCrl, revokedEntries } from '@signetry/pki';
import { closing, createFakeClock, testDatabase, testPlatform } from '@signetry/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { findCrlFacts, publishCrl, readCrl } from '../store.ts';
import { createTestAuthority } from '../test-authority.ts';
import { startTestNode, type TestNode } from '../test-node.ts';

const HOUR_MS = 3_600_000;
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});

async function onSchedule({ parts }: TestNode): Promise<void> {
  await parts.jobs.onSchedule();
  await parts.jobs.idle();
}

async function setUp() {
  const clock = createFakeClock();
  const platform = testPlatform(database, { clock });
  const authority = await createTestAuthority(platform);
  const node = await startTestNode(platform, authority.ports);
  closing(node.close);
  const download = (path = `${authority.uuid}.crl`, headers: Record<string, string> = {}) =>
    fetch(`${node.url}/crl/${path}`, { headers });
  const crl = async (path?: string) => parseCrl(new Uint8Array(await (await download(path)).arrayBuffer()));
  const event = (uuid: string) => ({
    certificateUuid: uuid,
    raProfileUuid: null,
    issuerCertificateUuid: authority.ca().uuid,
  });
  const announce = async (uuid: string) => {
    await node.parts.issuers.of(authority.uuid);
    await node.parts.jobs.afterRevocation(event(uuid));
    await node.parts.jobs.idle();
  };
  const schedule = () => onSchedule(node);
  /** As if the pause after a failure were over. */
  const endPause = () =>
    database.query('UPDATE revocation_duty SET due_at = now() WHERE authority_uuid = $1', [authority.uuid]);
  /** As if the pause before the next attempt for a revocation were over. */
  const tryAgain = async () => {
    await database.query('UPDATE awaited_revocation SET due_at = now() WHERE authority_uuid = $1', [authority.uuid]);
    await node.parts.awaited.fill();
    await node.parts.awaited.idle();
  };
  const secondNode = async () => {
    const other = await startTestNode(testPlatform(database, { clock }), authority.ports);
    closing(other.close);
    return other;
  };
  return { clock, platform, authority, node, download, crl, announce, schedule, endPause, tryAgain, secondNode };
}

describe('downloading a CRL', () => {
  it('fetches the first one on demand, once for many who ask at the same time', async () => {
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

  it('answers 304 to a client that has it, and HEAD without the bytes', async () => {
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
    'answers 404 for %s',
    async (path) => {
      const { download } = await setUp();
      expect((await download(path)).status).toBe(404);
    },
  );

  it('answers 404 where the authority offers no delta CRL, and does not ask it again and again', async () => {
    const { authority, download } = await setUp();
    expect((await download(`${authority.uuid}-delta.crl`)).status).toBe(404);
    expect((await download(`${authority.uuid}-delta.crl`)).status).toBe(404);
    expect(authority.calls.crl).toBe(1);
  });

  it('serves the delta CRL where there is one', async () => {
    const { authority, crl } = await setUp();
    authority.behaviour.offersDelta = true;
    authority.behaviour.crlNumber = 7n;
    const delta = await crl(`${authority.uuid}-delta.crl`);
    expect(delta).toMatchObject({ crlNumber: 7n, baseCrlNumber: 6n });
  });

  it('answers 503 while the authority fails, without asking it for every download', async () => {
    const { authority, download, endPause } = await setUp();
    authority.behaviour.crlError = new Error('down');
    expect((await download()).status).toBe(503);
    expect((await download()).status).toBe(503);
    expect(authority.calls.crl).toBe(1);
    authority.behaviour.crlError = undefined;
    await endPause();
    expect((await download()).status).toBe(200);
  });

  it('fetches anew when the list has ended, and serves the last one when that fails', async () => {
    const { authority, clock, crl, download } = await setUp();
    expect((await crl()).crlNumber).toBe(1n);
    clock.advance(25 * HOUR_MS);
    authority.behaviour.crlError = new Error('down');
    const old = await download();
    expect(old.status).toBe(200);
    expect(old.headers.get('cache-control')).toMatch(/^max-age=0,/);
    authority.behaviour.crlError = undefined;
  });

  it('replaces a list that has ended', async () => {
    const { clock, crl } = await setUp();
    await crl();
    clock.advance(25 * HOUR_MS);
    expect((await crl()).crlNumber).toBe(2n);
  });
});

describe('what an authority answers is checked', () => {
  it('refuses a number that goes back, and serves the published list on', async () => {
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
      problem: expect.stringContaining('lower than 10'),
    });
    expect((await crl()).crlNumber).toBe(10n);
  });

  it('refuses another list under a published number', async () => {
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

  it('refuses a list that another CA signed under the same name', async () => {
    const { authority, download } = await setUp();
    const genuine = authority.ca();
    await authority.renewCa();
    const forged = await authority.signCrl();
    authority.behaviour.tamper = () => forged;
    // The platform knows the former CA only.
    authority.behaviour.knownCas = [genuine];
    expect((await download()).status).toBe(503);
  });

  it('refuses octets that are no list, and a list from the future', async () => {
    const { authority, download, clock, endPause } = await setUp();
    authority.behaviour.tamper = () => Uint8Array.of(1, 2, 3);
    expect((await download()).status).toBe(503);
    const future = await authority.signCrl({ thisUpdateMs: clock.now().getTime() + HOUR_MS });
    authority.behaviour.tamper = () => future;
    await endPause();
    expect((await download()).status).toBe(503);
  });

  it('never replaces a list by an older one in the database, whatever was checked before', async () => {
    const { authority, crl } = await setUp();
    authority.behaviour.crlNumber = 10n;
    await crl();
    const facts = await findCrlFacts(database.executor, { authorityUuid: authority.uuid, kind: 'full' });
    const der = facts && (await readCrl(database.executor, facts));
    if (!der) throw new Error('There is no list.');
    const row = { ...facts, der };
    const later = new Date(row.this_update.getTime() + 1_000);
    expect(await publishCrl(database.executor, { ...row, number: '9', this_update: later })).toBe(false);
    expect(await publishCrl(database.executor, { ...row, number: '10', this_update: later })).toBe(false);
    expect(await publishCrl(database.executor, { ...row, number: '11', this_update: new Date(0) })).toBe(false);
    expect(await publishCrl(database.executor, { ...row, number: '11', this_update: later })).toBe(true);
  });

  it('accepts numbers of 20 octets', async () => {
    const { authority, crl } = await setUp();
    authority.behaviour.crlNumber = 2n ** 159n - 5n;
    expect((await crl()).crlNumber).toBe(2n ** 159n - 5n);
  });
});

describe('a revocation', () => {
  it('is in the CRL at once, on every node within seconds', async () => {
    const { authority, crl, announce, secondNode, clock } = await setUp();
    const leaf = await authority.issue();
    await crl();
    const other = await secondNode();
    const fromOther = async () =>
      parseCrl(new Uint8Array(await (await fetch(`${other.url}/crl/${authority.uuid}.crl`)).arrayBuffer()));
    expect(findRevoked(await fromOther(), leaf.certificate.serialBytes)).toBeUndefined();
    authority.revoke(leaf, 'superseded');
    await announce(leaf.uuid);
    expect(findRevoked(await crl(), leaf.certificate.serialBytes)?.reason).toBe('superseded');
    clock.advance(5_000);
    expect(findRevoked(await fromOther(), leaf.certificate.serialBytes)?.reason).toBe('superseded');
  });

  it('makes no further CRL when one names it already', async () => {
    const { authority, crl, announce } = await setUp();
    const leaves = await Promise.all([authority.issue(), authority.issue(), authority.issue()]);
    for (const leaf of leaves) authority.revoke(leaf);
    await crl();
    expect(authority.calls.crl).toBe(1);
    for (const leaf of leaves) await announce(leaf.uuid);
    expect(authority.calls.crl).toBe(1);
  });

  it('shares a CRL with others that come within a second', async () => {
    const { authority, crl, announce } = await setUp();
    const [first, ...others] = await Promise.all([authority.issue(), authority.issue(), authority.issue()]);
    await crl();
    if (first) authority.revoke(first);
    await announce(first?.uuid ?? '');
    expect(authority.calls.crl).toBe(2);
    for (const leaf of others) authority.revoke(leaf);
    const startMs = performance.now();
    await Promise.all(others.map((leaf) => announce(leaf.uuid)));
    expect(performance.now() - startMs).toBeGreaterThan(800);
    expect(authority.calls.crl).toBe(3);
    expect([...revokedEntries(await crl())]).toHaveLength(3);
  });

  it('is waited for until a CRL names it, when the authority leaves it out at first', async () => {
    const { authority, crl, announce, tryAgain } = await setUp();
    const leaf = await authority.issue();
    authority.revoke(leaf);
    authority.behaviour.hidden.add(leaf.uuid);
    await announce(leaf.uuid);
    expect(findRevoked(await crl(), leaf.certificate.serialBytes)).toBeUndefined();
    authority.behaviour.hidden.clear();
    await tryAgain();
    expect(findRevoked(await crl(), leaf.certificate.serialBytes)).toBeDefined();
    const { crl: calls } = authority.calls;
    await tryAgain();
    expect(authority.calls.crl).toBe(calls);
  });

  it('of a certificate that has expired ends without being in the CRL', async () => {
    const { authority, announce, clock } = await setUp();
    const leaf = await authority.issue({ validityMs: 1_000 });
    clock.advance(10_000);
    authority.revoke(leaf);
    authority.behaviour.hidden.add(leaf.uuid);
    await announce(leaf.uuid);
  });

  it('is in the next CRL also when the connector was down at first', async () => {
    const { authority, crl, announce, schedule, endPause } = await setUp();
    const leaf = await authority.issue();
    await crl();
    authority.revoke(leaf);
    authority.behaviour.crlError = new Error('down');
    await announce(leaf.uuid);
    expect(findRevoked(await crl(), leaf.certificate.serialBytes)).toBeUndefined();
    authority.behaviour.crlError = undefined;
    await endPause();
    await schedule();
    expect(findRevoked(await crl(), leaf.certificate.serialBytes)).toBeDefined();
  });

  it('renews the delta CRL where one is served', async () => {
    const { authority, crl, announce } = await setUp();
    authority.behaviour.offersDelta = true;
    await crl();
    const delta = await crl(`${authority.uuid}-delta.crl`);
    const leaf = await authority.issue();
    authority.revoke(leaf);
    await announce(leaf.uuid);
    const next = await crl(`${authority.uuid}-delta.crl`);
    expect(next.crlNumber).toBeGreaterThan(delta.crlNumber ?? 0n);
    expect(findRevoked(next, leaf.certificate.serialBytes)).toBeDefined();
  });
});

describe('the lists in memory of a node', () => {
  it('are the latest ones, each read from the database at most once, also when many ask', async () => {
    const { authority, crl, announce, secondNode, clock } = await setUp();
    const leaf = await authority.issue();
    await crl();
    const other = await secondNode();
    const { published } = other.parts;
    const key = { authorityUuid: authority.uuid, kind: 'full' } as const;
    const before = await Promise.all([published.find(key), published.find(key), published.find(key)]);
    expect(new Set(before.map((list) => list?.der)).size).toBe(1);
    authority.revoke(leaf);
    await announce(leaf.uuid);
    clock.advance(5_000);
    const after = await published.find(key);
    expect(after?.der).not.toBe(before[0]?.der);
    expect((await published.find(key))?.der).toBe(after?.der);
  });

  it('are read whole where they are longer than a slice', async () => {
    const { authority, crl, secondNode } = await setUp();
    const long = 2 * 1024 * 1024;
    authority.behaviour.crlExtensions = [{ oid: '1.2.3.4', critical: false, value: new Uint8Array(long) }];
    const octets = (await crl()).der;
    expect(octets.length).toBeGreaterThan(long);
    const other = await secondNode();
    const read = await other.parts.published.find({ authorityUuid: authority.uuid, kind: 'full' });
    expect(Buffer.compare(read?.der ?? Buffer.alloc(0), octets)).toBe(0);
  });
});

describe('the schedule', () => {
  it('fetches the delta anew when there is a newer full list', async () => {
    const { authority, node, crl, clock, schedule } = await setUp();
    authority.behaviour.offersDelta = true;
    const key = { authorityUuid: authority.uuid, kind: 'full' } as const;
    const delta = await crl(`${authority.uuid}-delta.crl`);
    await node.parts.refresh({ ...key, isNeeded: () => true, evenIfPaused: true, waitMs: 0 });
    const full = await crl();
    expect(full.crlNumber).toBeGreaterThan(delta.crlNumber ?? 0n);
    await schedule();
    clock.advance(5_000);
    expect((await crl(`${authority.uuid}-delta.crl`)).crlNumber).toBeGreaterThan(full.crlNumber ?? 0n);
  });

  it('fetches the next CRL before the last one ends, and not earlier', async () => {
    const { authority, crl, clock, schedule } = await setUp();
    await crl();
    clock.advance(17 * HOUR_MS);
    await schedule();
    expect(authority.calls.crl).toBe(1);
    clock.advance(2 * HOUR_MS);
    await schedule();
    expect(authority.calls.crl).toBe(2);
    expect((await crl()).crlNumber).toBe(2n);
  });

  it('on two nodes at once fetches once', async () => {
    const { authority, crl, clock, node, secondNode } = await setUp();
    await crl();
    const other = await secondNode();
    clock.advance(20 * HOUR_MS);
    await Promise.all([onSchedule(node), onSchedule(other)]);
    expect(authority.calls.crl).toBe(2);
  });

  it('asks an authority that has no newer list yet more seldom than every minute', async () => {
    const { authority, crl, clock, schedule } = await setUp();
    const same = await authority.signCrl();
    authority.behaviour.tamper = () => same;
    await crl();
    clock.advance(20 * HOUR_MS);
    await schedule();
    await schedule();
    expect(authority.calls.crl).toBe(2);
  });
});

describe('the lease', () => {
  it('of a node that died does not stop others for ever', async () => {
    const { authority, download } = await setUp();
    await database.query(
      `INSERT INTO revocation_duty (authority_uuid, duty, lease_uuid, leased_until) VALUES ($1, 'full', gen_random_uuid(), now() - interval '1 second')`,
      [authority.uuid],
    );
    expect((await download()).status).toBe(200);
  });

  it('makes a second node wait and use what the first one fetched', async () => {
    const { authority, download, secondNode } = await setUp();
    const other = await secondNode();
    let open = (): void => undefined;
    authority.behaviour.crlGate = new Promise((resolve) => {
      open = resolve;
    });
    const first = download();
    await expect.poll(() => authority.calls.crl).toBe(1);
    const second = fetch(`${other.url}/crl/${authority.uuid}.crl`);
    open();
    const answers = await Promise.all([first, second]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(authority.calls.crl).toBe(1);
  });
});
