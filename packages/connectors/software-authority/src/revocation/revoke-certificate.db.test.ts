import { authorityProviderOperations as operations } from '@signetry/contract';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { crlsOf, entriesOf, HOUR, serialOf, serialsOf } from '../testing/crls.ts';
import { chainOf, createCa, issueDer, revoke, startTestAuthority } from '../testing/test-authority.ts';

const ours = await startTestAuthority();
let authority = '';
const { full, delta, issued, later } = crlsOf(ours, () => authority);
beforeEach(async () => {
  authority = await createCa(ours.call, 'CRL');
});
afterEach(() => ours.setTime(undefined));

describe('revocation', () => {
  const reasonOf = async (serial: string) =>
    entriesOf(await full()).find(({ serialNumber }) => serialNumber === serial)?.reason;

  it('succeeds again for the same reason, and keeps the date', async () => {
    const certificate = await issued();
    await revoke(ours.call, { authority, certificate, key: 'r1' });
    const [before] = entriesOf(await full());
    later(5 * 60_000);
    await revoke(ours.call, { authority, certificate, key: 'r1' });
    await revoke(ours.call, { authority, certificate, key: randomUUID() });
    await revoke(ours.call, { authority, certificate });
    later(13 * HOUR);
    expect(entriesOf(await full())).toEqual([before]);
  });

  it('is rejected for a different reason', async () => {
    const certificate = await issued();
    await revoke(ours.call, { authority, certificate, reason: 'superseded' });
    for (const reason of ['unspecified', 'cessationOfOperation', 'aACompromise'] as const)
      await expect(revoke(ours.call, { authority, certificate, reason })).rejects.toMatchObject({ status: 422 });
    expect(await reasonOf(serialOf(certificate))).toBe('superseded');
  });

  it('can change the reason to keyCompromise later, but not back', async () => {
    const certificate = await issued();
    await revoke(ours.call, { authority, certificate, reason: 'superseded' });
    const [before] = entriesOf(await full());
    later(5 * 60_000);
    await revoke(ours.call, { authority, certificate, reason: 'keyCompromise', key: 'r2' });
    expect(entriesOf(await delta())).toEqual([expect.objectContaining({ reason: 'keyCompromise' })]);
    expect(entriesOf(await full())).toEqual([{ ...before, reason: 'keyCompromise' }]);
    await revoke(ours.call, { authority, certificate, reason: 'keyCompromise', key: 'r2' });
    await expect(revoke(ours.call, { authority, certificate, reason: 'superseded' })).rejects.toMatchObject({
      status: 422,
    });
    expect(await reasonOf(serialOf(certificate))).toBe('keyCompromise');
  });

  it('is rejected if its idempotency key was used for a different certificate', async () => {
    const [one, two] = [await issued(), await issued()];
    const key = randomUUID();
    await revoke(ours.call, { authority, certificate: one, key });
    await expect(revoke(ours.call, { authority, certificate: two, key })).rejects.toMatchObject({ status: 422 });
    expect(serialsOf(await full())).toEqual([serialOf(one)]);
  });

  it('rejects cACompromise for an end-entity certificate', async () => {
    await expect(
      revoke(ours.call, { authority, certificate: await issued(), reason: 'cACompromise' }),
    ).rejects.toMatchObject({ status: 422 });
  });

  it('rejects the root certificate itself, and certificates of other authorities', async () => {
    const [own] = await chainOf(ours.call, authority);
    await expect(revoke(ours.call, { authority, certificate: own ?? new Uint8Array() })).rejects.toMatchObject({
      status: 422,
    });
    const other = await createCa(ours.call, 'Other');
    const foreign = await issueDer(ours.call, { authority: other });
    await expect(revoke(ours.call, { authority, certificate: foreign })).rejects.toMatchObject({ status: 404 });
  });

  it('rejects data that is not a certificate', async () => {
    await expect(
      ours.call(operations.revokeCertificate, {
        params: { uuid: authority },
        body: { reason: 'superseded', raProfileAttributes: [], attributes: [], certificate: 'AAAA' },
      }),
    ).rejects.toMatchObject({ status: 422 });
  });

  it('handles concurrent requests independently', async () => {
    const certificates = await Promise.all(Array.from({ length: 20 }, issued));
    await Promise.all(certificates.map((certificate) => revoke(ours.call, { authority, certificate })));
    expect([...serialsOf(await full())].toSorted()).toEqual(certificates.map(serialOf).toSorted());
  });
});
