import { isSignedBy, parseCrl, readCertificate, type CertificateList } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AUTHORITY, PROFILE, REVOKE } from '../index.ts';
import { crlsOf, entriesOf, HOUR, serialOf, serialsOf } from '../testing/crls.ts';
import { watchedStorage } from '../testing/faulty-storage.ts';
import { certificatePem, openssl } from '../testing/openssl.ts';
import {
  attribute,
  chainOf,
  createCa,
  crlOf,
  integer,
  issueDer,
  revoke,
  startTestAuthority,
  text,
} from '../testing/test-authority.ts';

const ours = await startTestAuthority();
let authority = '';
const { full, delta, issued, revoked, later } = crlsOf(ours, () => authority);
beforeEach(async () => {
  authority = await createCa(ours.call, 'CRL');
});
afterEach(() => ours.setTime(undefined));

describe('a full CRL', () => {
  it('is accepted by another implementation, which then rejects the revoked certificate', async () => {
    const [good, bad] = [await issued(), await issued()];
    await revoke(ours.call, { authority, certificate: bad, reason: 'keyCompromise' });
    const files = {
      'ca.pem': certificatePem(...(await chainOf(ours.call, authority))),
      'crl.pem': openssl(['crl', '-inform', 'DER', '-in', 'c.crl'], { 'c.crl': await crlOf(ours.call, authority) }),
      'good.pem': certificatePem(good),
      'bad.pem': certificatePem(bad),
    };
    const verify = (leaf: string) =>
      openssl(['verify', '-crl_check', '-CRLfile', 'crl.pem', '-CAfile', 'ca.pem', leaf], files);
    expect(verify('good.pem')).toContain('OK');
    expect(() => verify('bad.pem')).toThrow(/revoked/);
    const shown = openssl(['crl', '-noout', '-text', '-in', 'crl.pem'], files);
    expect(shown).toContain('Key Compromise');
  });

  it('contains every acknowledged revocation with its date, reason and invalidity date', async () => {
    ours.setTime(new Date(Math.floor(Date.now() / 1000) * 1000 + 5_000));
    const certificate = await issued();
    const invalidity = attribute(REVOKE.invalidityDate, 'datetime', '2026-01-02T03:04:05Z');
    await revoke(ours.call, { authority, certificate, reason: 'superseded', attributes: [invalidity] });
    expect(entriesOf(await full())).toEqual([
      expect.objectContaining({
        serialNumber: serialOf(certificate),
        reason: 'superseded',
        revocationMs: ours.context.clock.now().getTime(),
        invalidityMs: Date.parse('2026-01-02T03:04:05Z'),
      }),
    ]);
  });

  it('is reused while nothing has changed and at least half of its validity remains', async () => {
    const first = await full();
    expect((await full()).crlNumber).toBe(first.crlNumber);
    later(13 * HOUR);
    const next = await full();
    expect(next.crlNumber).toBeGreaterThan(first.crlNumber ?? 0n);
    expect((next.nextUpdateMs ?? 0) - next.thisUpdateMs).toBe(24 * HOUR);
  });

  it('is valid for the time configured for the authority', async () => {
    authority = await createCa(ours.call, 'Weekly', [integer(AUTHORITY.crlValidityHours, 168)]);
    const crl = await full();
    expect((crl.nextUpdateMs ?? 0) - crl.thisUpdateMs).toBe(168 * HOUR);
  });

  it('has an increasing number and a date that never decreases, even if two CRLs are generated within one second', async () => {
    const crls: CertificateList[] = [];
    for (let round = 0; round < 4; round += 1) {
      await revoked();
      crls.push(await full(), await delta());
    }
    const numbers = crls.map(({ crlNumber }) => crlNumber ?? 0n);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => (one < other ? -1 : 1)));
    ours.setTime(new Date(Date.now() - 30_000));
    await revoked();
    expect((await full()).thisUpdateMs).toBeGreaterThanOrEqual(crls.at(-1)?.thisUpdateMs ?? Infinity);
  });

  it('does not reuse a CRL number after the database was rolled back', async () => {
    const before = await full();
    await ours.pool.query('UPDATE connector_software_authority.authority SET crl_number = 0 WHERE uuid = $1', [
      authority,
    ]);
    await revoked();
    later(2_000);
    expect((await full()).crlNumber).toBeGreaterThan(before.crlNumber ?? 0n);
  });

  it('contains revocations from just before a crash, and those made after a crash during CRL generation', async () => {
    const first = await revoked();
    const dying = await ours.restart({
      storage: watchedStorage(ours.context.storage, {
        before: (statement) => {
          if (/SET der =/.test(statement)) throw new Error('killed');
        },
      }),
    });
    await expect(crlOf(dying.call, authority)).rejects.toMatchObject({ status: 500 });
    const second = await revoked();
    const revived = await ours.restart();
    expect([...serialsOf(parseCrl(await crlOf(revived.call, authority)))].toSorted()).toEqual(
      [first, second].toSorted(),
    );
  });

  it('keeps an entry until one CRL has been issued after the certificate expires', async () => {
    const certificate = await issueDer(ours.call, { authority, profile: [integer(PROFILE.validityDays, 1)] });
    await revoke(ours.call, { authority, certificate });
    expect(serialsOf(await full())).toHaveLength(1);
    later(30 * HOUR);
    expect(serialsOf(await full())).toHaveLength(1);
    later(30 * HOUR);
    expect(serialsOf(await full())).toHaveLength(0);
  });

  it('contains a certificate once if it was revoked after its expiry', async () => {
    const certificate = await issueDer(ours.call, { authority, profile: [integer(PROFILE.validityDays, 1)] });
    later(30 * HOUR);
    await full();
    await revoke(ours.call, { authority, certificate });
    expect(serialsOf(await full())).toEqual([serialOf(certificate)]);
  });

  it.each(['RSA-2048', 'P-384', 'Ed25519', 'ML-DSA-65'])('is signed by a %s key', async (algorithm) => {
    authority = await createCa(ours.call, algorithm, [text(AUTHORITY.keyAlgorithm, algorithm)]);
    const [issuer] = await chainOf(ours.call, authority);
    const { spki } = readCertificate(issuer ?? new Uint8Array());
    expect(isSignedBy(await full(), { issuerSpki: spki, verify: nodeCrypto.verify })).toBe(true);
  });

  it('takes less than 100 ms of CPU time for 10,000 entries', async () => {
    await full();
    await ours.pool.query(
      `INSERT INTO connector_software_authority.revocation (authority_uuid, serial, reason, revoked_at, expires_at)
       SELECT $1, decode(md5(n::text), 'hex'), 'superseded', now(), now() + interval '1 year' FROM generate_series(1, 10000) n`,
      [authority],
    );
    await full();
    const times: number[] = [];
    // Best CPU time of five runs, since other work shares the test machine.
    for (let round = 0; round < 5; round += 1) {
      await revoked();
      const before = process.cpuUsage();
      await crlOf(ours.call, authority);
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1000);
    }
    expect(entriesOf(await full())).toHaveLength(10_005);
    expect(Math.min(...times)).toBeLessThan(100);
  });

  it('is built from rows in batches, and later from the previous CRL and subsequent changes', async () => {
    let most = 0;
    const watched = await ours.restart({
      storage: watchedStorage(ours.context.storage, {
        before: () => undefined,
        after: (_text, rows) => (most = Math.max(most, rows.length)),
      }),
    });
    await ours.pool.query(
      `INSERT INTO connector_software_authority.revocation (authority_uuid, serial, reason, revoked_at, expires_at)
       SELECT $1, decode('40' || md5(n::text), 'hex'), 'superseded', now(), now() + interval '1 year' FROM generate_series(1, 9000) n`,
      [authority],
    );
    expect(serialsOf(parseCrl(await crlOf(watched.call, authority)))).toHaveLength(9_000);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2_001);
    const added = await revoked();
    most = 0;
    const next = parseCrl(await crlOf(watched.call, authority));
    expect(serialsOf(next)).toContain(added);
    expect(serialsOf(next)).toHaveLength(9_001);
    expect(most).toBeLessThan(10);
  });

  it('is built from the previous CRL even after a restart', async () => {
    await revoked();
    const before = serialsOf(await full());
    const statements: string[] = [];
    const restarted = await ours.restart({
      storage: watchedStorage(ours.context.storage, { before: (text) => void statements.push(text) }),
    });
    const added = await revoked();
    const next = serialsOf(parseCrl(await crlOf(restarted.call, authority)));
    expect([...next].toSorted()).toEqual([...before, added].toSorted());
    expect(statements.some((text) => text.includes('substring(der'))).toBe(true);
    expect(statements.some((text) => text.includes('ORDER BY serial'))).toBe(false);
  });

  it('returns the same bytes to callers in the process, without a copy', async () => {
    await revoked();
    const [one, other] = [await crlOf(ours.call, authority), await crlOf(ours.call, authority)];
    expect(one).toBeInstanceOf(Uint8Array);
    expect(other).toBe(one);
  });

  it('is generated once for concurrent callers', async () => {
    await revoked();
    const answers = await Promise.all(Array.from({ length: 5 }, full));
    expect(new Set(answers.map(({ crlNumber }) => crlNumber)).size).toBe(1);
  });
});
