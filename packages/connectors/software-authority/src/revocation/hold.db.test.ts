// Certificates on hold: in complete CRLs, CRLs built from the previous one, delta CRLs and CRL partitions.
import { authorityProviderOperations as operations } from '@signetry/contract';
import { toBase64 } from '@signetry/pki';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AUTHORITY } from '../index.ts';
import { crlsOf, entriesOf, HOUR, serialOf, serialsOf } from '../testing/crls.ts';
import { createCa, revoke, startTestAuthority, text } from '../testing/test-authority.ts';

const ours = await startTestAuthority();
let authority = '';
const { full, delta, issued, revoked, later } = crlsOf(ours, () => authority);
beforeEach(async () => {
  authority = await createCa(ours.call, 'Hold');
});
afterEach(() => ours.setTime(undefined));

const hold = (certificate: Uint8Array) => revoke(ours.call, { authority, certificate, reason: 'certificateHold' });
const release = (certificate: Uint8Array) =>
  ours.call(operations.releaseCertificate, {
    params: { uuid: authority },
    body: { raProfileAttributes: [], certificate: toBase64(certificate) },
  });

describe('a certificate on hold', () => {
  it('is in the CRL with this reason, and is removed from the CRL when it is released', async () => {
    const certificate = await issued();
    const other = await revoked();
    await hold(certificate);
    await hold(certificate);
    expect(entriesOf(await full())).toContainEqual(
      expect.objectContaining({ serialNumber: serialOf(certificate), reason: 'certificateHold' }),
    );
    await release(certificate);
    await release(certificate);
    expect(serialsOf(await full())).toEqual([other]);
  });

  it('can be revoked permanently: the hold date remains, and it cannot be released', async () => {
    const certificate = await issued();
    await hold(certificate);
    const [before] = entriesOf(await full());
    later(5 * 60_000);
    await revoke(ours.call, { authority, certificate, reason: 'cessationOfOperation' });
    expect(entriesOf(await full())).toEqual([{ ...before, reason: 'cessationOfOperation' }]);
    await expect(release(certificate)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('cessationOfOperation'),
    });
    await expect(hold(certificate)).rejects.toMatchObject({ status: 422 });
  });

  it('can be put on hold and revoked again after its release, with the new date', async () => {
    const certificate = await issued();
    await hold(certificate);
    const [first] = entriesOf(await full());
    await release(certificate);
    await full();
    later(HOUR);
    await hold(certificate);
    const [second] = entriesOf(await full());
    expect(second).toMatchObject({ reason: 'certificateHold' });
    expect(second?.revocationMs).toBeGreaterThan(first?.revocationMs ?? 0);
    await release(certificate);
    later(2 * HOUR);
    await revoke(ours.call, { authority, certificate, reason: 'superseded' });
    expect(entriesOf(await full())).toEqual([expect.objectContaining({ reason: 'superseded' })]);
  });
});

describe('a delta CRL', () => {
  beforeEach(async () => {
    authority = await createCa(ours.call, 'Hold by deltas', [text(AUTHORITY.crlOnRevocation, 'delta')]);
  });

  it('removes a certificate that was released since its base, until the next base is generated', async () => {
    const certificate = await issued();
    await hold(certificate);
    expect(serialsOf(await full())).toEqual([serialOf(certificate)]);
    await release(certificate);
    expect(entriesOf(await delta())).toEqual([
      expect.objectContaining({ serialNumber: serialOf(certificate), reason: 'removeFromCRL' }),
    ]);
    later(13 * HOUR);
    expect(serialsOf(await full())).toEqual([]);
    expect(serialsOf(await delta())).toEqual([]);
  });

  it('contains a certificate that was put on hold again after its removal', async () => {
    const certificate = await issued();
    await hold(certificate);
    await full();
    await release(certificate);
    await delta();
    await hold(certificate);
    expect(entriesOf(await delta())).toEqual([expect.objectContaining({ reason: 'certificateHold' })]);
  });
});

it('a CRL built from all rows is identical to one built from the previous CRL', async () => {
  const certificates = await Promise.all(Array.from({ length: 6 }, issued));
  for (const certificate of certificates) await hold(certificate);
  await full();
  for (const certificate of certificates.slice(0, 3)) await release(certificate);
  const patched = serialsOf(await full());
  await ours.pool.query('DELETE FROM connector_software_authority.crl');
  expect(serialsOf(await full())).toEqual(patched);
  expect([...patched].toSorted()).toEqual(certificates.slice(3).map(serialOf).toSorted());
});
