// Client certificates that EST accepts: real certificates of the RA profile's authority and of a device manufacturer.
import { formatName, parseCertificate } from '@signetry/pki';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeCertificate, makeRoot, type TestCertificate } from '../../areas/certificates/testing/test-certificates.ts';
import { identify, type Requester } from './requester.ts';
import { createTestEst, foundCertificate, type FoundFacts, type TestEst } from './testing/est-parts.ts';
import { servedProfile } from './testing/est-requests.ts';

const NOT_BEFORE = new Date('2030-01-01T00:00:00Z');
const NOT_AFTER = new Date('2030-12-31T00:00:00Z');
const NOW = new Date('2030-06-01T00:00:00Z');
const EPOCHS = { notBefore: new Date('2029-01-01T00:00:00Z'), notAfter: new Date('2040-01-01T00:00:00Z') };
const lifetime = { notBefore: NOT_BEFORE, notAfter: NOT_AFTER };

const ours = await makeRoot('Ours', EPOCHS);
const maker = await makeRoot('Maker', EPOCHS);
const makerBelow = await makeCertificate('Maker below', { issuer: maker, ca: true, ...EPOCHS });
const own = await makeCertificate('door-1', { issuer: ours, ...lifetime });
const made = await makeCertificate('door-2', { issuer: maker, ...lifetime });
const madeBelow = await makeCertificate('door-3', { issuer: makerBelow, ...lifetime });
const forged = await makeCertificate('door-1', { issuer: ours, signer: maker.keys, ...lifetime });

let est: TestEst;
beforeEach(() => {
  est = createTestEst();
  est.now = NOW;
  est.authorities = { chain: [], own: [parseCertificate(ours.der)], trusted: [parseCertificate(maker.der)] };
  hold(own);
});

const hold = ({ der }: TestCertificate, facts: Partial<FoundFacts> = {}): void =>
  void est.inventory.set(Buffer.from(der).toString('hex'), foundCertificate({ der, ...facts }));
const ask = (der: Uint8Array, facts: Parameters<typeof servedProfile>[0] = {}): Promise<Requester> =>
  identify(est.parts, servedProfile(facts), { certificate: () => der, authorization: undefined });
const rejection = (name: string, why: string) => ({
  status: 403,
  message: `The client certificate ${name} is not accepted: ${why}.`,
});
const unknownIssuerText = (issuer: string): string => `The issuer certificate "CN=${issuer}, O=Test" was not found`;
const [DOOR_1, DOOR_2] = ['CN=door-1, O=Test', 'CN=door-2, O=Test'];

describe("a certificate issued by the RA profile's authority", () => {
  it('identifies its subject, and is found in the inventory', async () => {
    hold(own, { uuid: 'found' });
    const requester = await ask(own.der);
    expect(requester).toMatchObject({ by: 'certificate', name: DOOR_1, own: { uuid: 'found' } });
    expect(requester.identity).toMatch(/^certificate [0-9a-f]{64}$/);
  });

  it.each([
    ['revoked', { revoked_at: NOW }, 'it is revoked'],
    ['archived', { archived: true }, 'it is archived'],
  ])('is rejected if it is %s', async (_what, facts, why) => {
    hold(own, facts);
    await expect(ask(own.der)).rejects.toMatchObject(rejection(DOOR_1, why));
  });

  it('is rejected if it is not in the inventory', async () => {
    est.inventory.clear();
    await expect(ask(own.der)).rejects.toMatchObject(rejection(DOOR_1, 'it is not in the inventory'));
  });

  it('is rejected if the profile does not accept certificates of its own authority', async () => {
    await expect(ask(own.der, { ownCertificates: false })).rejects.toMatchObject(
      rejection(DOOR_1, unknownIssuerText('Ours')),
    );
  });

  it('is not checked against CRLs, because its status is in the inventory', async () => {
    est.revocation = { status: 'revoked', message: 'Not requested.' };
    expect(await ask(own.der)).toMatchObject({ by: 'certificate' });
  });

  it.each([
    ['accepted at the start of its validity', NOT_BEFORE, 0, undefined],
    ['rejected before it', NOT_BEFORE, -1, 'it is not yet valid'],
    ['accepted at the end of its validity', NOT_AFTER, 0, undefined],
    ['rejected after it', NOT_AFTER, 1, 'it has expired'],
  ])('is %s', async (_when, at, afterMs, why) => {
    est.now = new Date(at.getTime() + afterMs);
    const asking = ask(own.der);
    if (why === undefined) expect(await asking).toMatchObject({ by: 'certificate' });
    else await expect(asking).rejects.toMatchObject(rejection(DOOR_1, why));
  });
});

describe('a certificate of a different authority', () => {
  it("identifies its subject if the profile trusts the authority, and is not treated as a certificate of the profile's authority", async () => {
    hold(made);
    expect(await ask(made.der)).toMatchObject({ by: 'certificate', name: DOOR_2, own: undefined });
    expect(await ask(made.der, { ownCertificates: false })).toMatchObject({ by: 'certificate' });
  });

  it('identifies its subject under a trusted intermediate CA whose issuer is not trusted', async () => {
    est.authorities = { ...est.authorities, trusted: [parseCertificate(makerBelow.der)] };
    expect(await ask(madeBelow.der)).toMatchObject({ by: 'certificate', own: undefined });
  });

  it.each([
    ['whose authority is not trusted', made, [], unknownIssuerText('Maker')],
    ['whose intermediate CA certificate is unknown', madeBelow, [maker], unknownIssuerText('Maker below')],
    [
      'with a forged issuer name',
      forged,
      [],
      'None of the known certificates of "CN=Ours, O=Test" has the key that signed this certificate',
    ],
    ['that is self-signed', maker, [], 'The certificate is self-signed but not trusted'],
  ])('%s is rejected', async (_what, { der }, trusted, why) => {
    est.authorities = { ...est.authorities, trusted: trusted.map((each) => parseCertificate(each.der)) };
    const name = formatName(parseCertificate(der).subject);
    await expect(ask(der)).rejects.toMatchObject(rejection(name, why));
  });

  it.each([
    ['revoked', 'The CRL lists it.', 'it or an authority above it is revoked. The CRL lists it'],
    ['undetermined', 'The CRL has expired.', 'its revocation status cannot be determined. The CRL has expired'],
  ] as const)('is rejected if its revocation status is %s', async (status, message, why) => {
    est.revocation = { status, message };
    await expect(ask(made.der)).rejects.toMatchObject(rejection(DOOR_2, why));
  });

  it('is rejected if it is revoked in the inventory, regardless of its CRL', async () => {
    hold(made, { revoked_at: NOW });
    await expect(ask(made.der)).rejects.toMatchObject(rejection(DOOR_2, 'it is revoked'));
  });
});

describe('data that is not a certificate', () => {
  it.each([
    ['text', Buffer.from('no')],
    ['an empty sequence', Buffer.from('3000', 'hex')],
    ['a truncated certificate', own.der.subarray(0, 200)],
    ['a certificate with trailing data', Buffer.concat([own.der, Buffer.from([0])])],
  ])('is rejected: %s', async (_what, der) => {
    await expect(ask(der)).rejects.toMatchObject({
      status: 403,
      message: expect.stringMatching(
        /^The client certificate cannot be parsed \([a-z-]+\) and is therefore not accepted\.$/,
      ),
    });
  });
});
