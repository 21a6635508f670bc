// From a revocation to the CRL that contains it.
import { findRevoked, parseCrl, revokedEntries } from '@signetry/pki';
import { testDatabase } from '@signetry/testkit/database';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { setUpCrls } from '../testing/crls.ts';

let database: Database;
const setUp = () => setUpCrls(database);

beforeAll(async () => {
  database = await testDatabase();
});

describe('a revocation', () => {
  it('is in the CRL immediately, and on all other nodes within seconds', async () => {
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

  it('does not trigger a new CRL if the published CRL already contains it', async () => {
    const { authority, crl, announce } = await setUp();
    const leaves = await Promise.all([authority.issue(), authority.issue(), authority.issue()]);
    for (const leaf of leaves) authority.revoke(leaf);
    await crl();
    expect(authority.calls.crl).toBe(1);
    for (const leaf of leaves) await announce(leaf.uuid);
    expect(authority.calls.crl).toBe(1);
  });

  it('whose reason is changed to key compromise is in the next CRL with the new reason', async () => {
    const { authority, crl, announce } = await setUp();
    const leaf = await authority.issue();
    authority.revoke(leaf, 'superseded');
    await announce(leaf.uuid);
    const before = await crl();
    leaf.revocationReason = 'keyCompromise';
    await announce(leaf.uuid);
    const after = await crl();
    expect(findRevoked(after, leaf.certificate.serialBytes)?.reason).toBe('keyCompromise');
    expect(after.crlNumber).toBeGreaterThan(before.crlNumber ?? 0n);
  });

  it('with the reason certificateHold is removed from the CRL when it is released, and remains when it becomes permanent', async () => {
    const { authority, crl, announce } = await setUp();
    const [released, final] = [await authority.issue(), await authority.issue()];
    for (const leaf of [released, final]) {
      authority.revoke(leaf, 'certificateHold');
      await announce(leaf.uuid);
    }
    expect(findRevoked(await crl(), released.certificate.serialBytes)?.reason).toBe('certificateHold');
    Object.assign(released, { state: 'issued', revokedAt: null, revocationReason: null });
    await announce(released.uuid);
    final.revocationReason = 'superseded';
    await announce(final.uuid);
    expect(findRevoked(await crl(), released.certificate.serialBytes)).toBeUndefined();
    expect(findRevoked(await crl(), final.certificate.serialBytes)?.reason).toBe('superseded');
  });

  it('is not waited for if the authority keeps the first reason', async () => {
    const { authority, announce } = await setUp();
    const leaf = await authority.issue();
    authority.revoke(leaf, 'superseded');
    await announce(leaf.uuid);
    const before = await authority.signCrl();
    authority.behaviour.tamper = () => before;
    leaf.revocationReason = 'keyCompromise';
    await announce(leaf.uuid);
    expect(await database.query('SELECT FROM awaited_revocation WHERE authority_uuid = $1', [authority.uuid])).toEqual(
      [],
    );
  });

  it('shares a CRL with other revocations that arrive within a second', async () => {
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

  it('is waited for until a CRL contains it, if the authority omits it at first', async () => {
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

  it('of an expired certificate is completed without being in the CRL', async () => {
    const { authority, announce, clock } = await setUp();
    const leaf = await authority.issue({ validityMs: 1_000 });
    clock.advance(10_000);
    authority.revoke(leaf);
    authority.behaviour.hidden.add(leaf.uuid);
    await announce(leaf.uuid);
  });

  it('is in the next CRL even if the connector was down at first', async () => {
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

  it('also updates the delta CRL if one is served', async () => {
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
