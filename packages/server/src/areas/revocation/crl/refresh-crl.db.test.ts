// When nodes fetch CRLs, how one node fetches for all, and what nodes hold in memory.
import { testDatabase } from '@signetry/testkit/database';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { onSchedule, setUpCrls } from '../testing/crls.ts';

const HOUR_MS = 3_600_000;
let database: Database;
const setUp = () => setUpCrls(database);

beforeAll(async () => {
  database = await testDatabase();
});

describe("the CRLs in a node's memory", () => {
  it('are the newest ones, and each is read from the database at most once, even with concurrent readers', async () => {
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

  it('are read completely, even if they are longer than a slice', async () => {
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
  it('refetches the delta CRL when a newer full CRL exists', async () => {
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

  it('fetches the next CRL shortly before the current one expires, and not earlier', async () => {
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

  it('fetches a CRL only once, even if two nodes run the schedule simultaneously', async () => {
    const { authority, crl, clock, node, secondNode } = await setUp();
    await crl();
    const other = await secondNode();
    clock.advance(20 * HOUR_MS);
    await Promise.all([onSchedule(node), onSchedule(other)]);
    expect(authority.calls.crl).toBe(2);
  });

  it('polls an authority that has no newer CRL less often than once a minute', async () => {
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
  it('of a failed node does not block other nodes forever', async () => {
    const { authority, download } = await setUp();
    await database.query(
      `INSERT INTO revocation_duty (authority_uuid, duty, lease_uuid, leased_until) VALUES ($1, 'full', gen_random_uuid(), now() - interval '1 second')`,
      [authority.uuid],
    );
    expect((await download()).status).toBe(200);
  });

  it('makes a second node wait for the CRL that the first one is fetching, and use it', async () => {
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
