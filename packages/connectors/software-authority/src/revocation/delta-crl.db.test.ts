import { authorityProviderOperations as operations } from '@signetry/contract';
import { deltaFits, distributionPointUrls, findExtension, OID, readDistributionPoints, writePem } from '@signetry/pki';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AUTHORITY, PROFILE } from '../index.ts';
import { crlsOf, entriesOf, HOUR, serialOf, serialsOf } from '../testing/crls.ts';
import { certificatePem, openssl } from '../testing/openssl.ts';
import {
  chainOf,
  createCa,
  integer,
  issueDer,
  lines,
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

describe('a delta CRL', () => {
  it('contains the changes since its base CRL, and refers to that CRL', async () => {
    await revoked();
    const base = await full();
    expect(serialsOf(await delta())).toEqual([]);
    const added = await revoked('keyCompromise');
    const change = await delta();
    expect(change.baseCrlNumber).toBe(base.crlNumber);
    expect(serialsOf(change)).toEqual([added]);
    const shown = openssl(['crl', '-inform', 'DER', '-noout', '-text', '-in', 'd.crl'], { 'd.crl': change.der });
    expect(shown).toMatch(/Delta CRL Indicator: critical/);
  });

  it('accumulates changes between two scheduled CRLs, even if full CRLs are generated early, and restarts with the next scheduled CRL', async () => {
    const base = await full();
    const added = [await revoked()];
    expect(serialsOf(await delta())).toEqual(added);
    added.push(await revoked());
    const early = await full();
    expect([...serialsOf(early)].toSorted()).toEqual(added.toSorted());
    const second = await delta();
    expect([...serialsOf(second)].toSorted()).toEqual(added.toSorted());
    expect((await delta()).crlNumber).toBe(second.crlNumber);
    expect(second.baseCrlNumber).toBe(base.crlNumber);
    for (const list of [base, early]) expect(deltaFits(list, second)).toBe(true);
    later(13 * HOUR);
    const next = await full();
    const empty = await delta();
    expect(serialsOf(empty)).toEqual([]);
    expect(empty.baseCrlNumber).toBe(next.crlNumber);
  });

  it('removes entries that have been removed from the CRL since its base', async () => {
    const certificate = await issueDer(ours.call, { authority, profile: [integer(PROFILE.validityDays, 1)] });
    const lasting = await issued();
    await revoke(ours.call, { authority, certificate });
    later(30 * HOUR);
    const base = await full();
    expect(serialsOf(base)).toEqual([serialOf(certificate)]);
    const change = await delta();
    expect(entriesOf(change)).toEqual([
      expect.objectContaining({ serialNumber: serialOf(certificate), reason: 'removeFromCRL' }),
    ]);
    await revoke(ours.call, { authority, certificate: lasting });
    expect(serialsOf(await full())).toEqual([serialOf(lasting)]);
    later(30 * HOUR);
    await full();
    expect(entriesOf(await delta())).toEqual([]);
  });

  it('is valid for a shorter time than the full CRL', async () => {
    const change = await delta();
    expect((change.nextUpdateMs ?? 0) - change.thisUpdateMs).toBe(4 * HOUR);
  });
});

describe('an authority that publishes revocations in delta CRLs', () => {
  const URL = 'http://pki.example/delta.crl';
  beforeEach(async () => {
    authority = await createCa(ours.call, 'Deltas', [
      text(AUTHORITY.crlOnRevocation, 'delta'),
      lines(AUTHORITY.deltaCrlUrls, URL),
    ]);
  });

  it('generates full CRLs only on schedule, with a reference to the delta CRL', async () => {
    const base = await full();
    expect(
      distributionPointUrls(
        readDistributionPoints(findExtension(base.extensions, OID.freshestCrl)?.value ?? new Uint8Array()),
      ),
    ).toEqual([URL]);
    const serial = await revoked();
    expect((await full()).crlNumber).toBe(base.crlNumber);
    expect(serialsOf(await delta())).toEqual([serial]);
    later(13 * HOUR);
    const next = await full();
    expect(serialsOf(next)).toEqual([serial]);
    expect(serialsOf(await delta())).toEqual([]);
  });

  it('is processed correctly by another implementation, which rejects certificates listed only in the delta CRL', async () => {
    const [good, bad] = [await issued(), await issued()];
    const base = await full();
    await revoke(ours.call, { authority, certificate: bad, reason: 'keyCompromise' });
    const change = await delta();
    const files = {
      'ca.pem': certificatePem(...(await chainOf(ours.call, authority))),
      'crls.pem': [base, change].map(({ der }) => writePem('X509 CRL', der)).join(''),
      'good.pem': certificatePem(good),
      'bad.pem': certificatePem(bad),
    };
    const verify = (leaf: string, ...options: string[]) =>
      openssl(['verify', '-crl_check', ...options, '-CRLfile', 'crls.pem', '-CAfile', 'ca.pem', leaf], files);
    const withDeltas = ['-use_deltas', '-extended_crl'];
    expect(verify('good.pem', ...withDeltas)).toContain('OK');
    expect(() => verify('bad.pem', ...withDeltas)).toThrow(/revoked/);
    expect(verify('bad.pem')).toContain('OK');
  });

  it('can be switched to early full CRLs, and back', async () => {
    const base = await full();
    const serial = await revoked();
    const change = (choice: string) =>
      ours.call(operations.updateAuthorityInstance, {
        params: { uuid: authority },
        body: { name: 'Deltas', kind: 'SoftwareCA', attributes: [text(AUTHORITY.crlOnRevocation, choice)] },
      });
    await change('full');
    const early = await full();
    expect(serialsOf(early)).toEqual([serial]);
    await change('delta');
    await revoked();
    expect((await full()).crlNumber).toBe(early.crlNumber);
    const last = await delta();
    expect(last.baseCrlNumber).toBe(base.crlNumber);
    expect(serialsOf(last)).toHaveLength(2);
  });
});
