// Which client certificates EST takes: real ones, of the authority of the RA profile and of a maker of devices.
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
const refusal = (name: string, why: string) => ({
  status: 403,
  message: `The client certificate ${name} is not accepted: ${why}.`,
});
const unknown = (issuer: string): string => `The certificate of its issuer "CN=${issuer}, O=Test" is not known`;
const [DOOR_1, DOOR_2] = ['CN=door-1, O=Test', 'CN=door-2, O=Test'];

describe('a certificate that the authority of the RA profile issued', () => {
  it('identifies its subject, and is the one of the inventory', async () => {
    hold(own, { uuid: 'found' });
    const requester = await ask(own.der);
    expect(requester).toMatchObject({ by: 'certificate', name: DOOR_1, own: { uuid: 'found' } });
    expect(requester.identity).toMatch(/^certificate [0-9a-f]{64}$/);
  });

  it.each([
    ['revoked', { revoked_at: NOW }, 'it is revoked'],
    ['archived', { archived: true }, 'it is archived'],
  ])('does not when it is %s', async (_what, facts, why) => {
    hold(own, facts);
    await expect(ask(own.der)).rejects.toMatchObject(refusal(DOOR_1, why));
  });

  it('does not when the inventory does not hold it', async () => {
    est.inventory.clear();
    await expect(ask(own.der)).rejects.toMatchObject(refusal(DOOR_1, 'the inventory does not hold it'));
  });

  it('does not where the profile takes none of them', async () => {
    await expect(ask(own.der, { ownCertificates: false })).rejects.toMatchObject(refusal(DOOR_1, unknown('Ours')));
  });

  it('is not asked for at its CRLs: the inventory knows', async () => {
    est.revocation = { status: 'revoked', message: 'Never asked.' };
    expect(await ask(own.der)).toMatchObject({ by: 'certificate' });
  });

  it.each([
    ['from the second on in which it begins', NOT_BEFORE, 0, undefined],
    ['not before', NOT_BEFORE, -1, 'it is not valid yet'],
    ['to the second in which it ends', NOT_AFTER, 0, undefined],
    ['not after', NOT_AFTER, 1, 'it has expired'],
  ])('counts %s', async (_when, at, afterMs, why) => {
    est.now = new Date(at.getTime() + afterMs);
    const asking = ask(own.der);
    if (why === undefined) expect(await asking).toMatchObject({ by: 'certificate' });
    else await expect(asking).rejects.toMatchObject(refusal(DOOR_1, why));
  });
});

describe('a certificate of another authority', () => {
  it('identifies its subject where the profile trusts the authority, and is no certificate of ours', async () => {
    hold(made);
    expect(await ask(made.der)).toMatchObject({ by: 'certificate', name: DOOR_2, own: undefined });
    expect(await ask(made.der, { ownCertificates: false })).toMatchObject({ by: 'certificate' });
  });

  it('identifies its subject under an authority that is trusted by itself, below one that is not', async () => {
    est.authorities = { ...est.authorities, trusted: [parseCertificate(makerBelow.der)] };
    expect(await ask(madeBelow.der)).toMatchObject({ by: 'certificate', own: undefined });
  });

  it.each([
    ['where it is not trusted', made, [], unknown('Maker')],
    ['below a trusted one that is not known itself', madeBelow, [maker], unknown('Maker below')],
    [
      'that only says it is ours',
      forged,
      [],
      'None of the known certificates of "CN=Ours, O=Test" has the key that signed it',
    ],
    ['that issued it to itself', maker, [], 'The certificate is self-signed and not trusted'],
  ])('identifies nobody %s', async (_what, { der }, trusted, why) => {
    est.authorities = { ...est.authorities, trusted: trusted.map((each) => parseCertificate(each.der)) };
    const name = formatName(parseCertificate(der).subject);
    await expect(ask(der)).rejects.toMatchObject(refusal(name, why));
  });

  it.each([
    ['revoked', 'it or an authority above it is revoked. The CRL says so'],
    ['undetermined', 'whether it is revoked could not be found out. The CRL says so'],
  ] as const)('identifies nobody when its revocation is %s', async (status, why) => {
    est.revocation = { status, message: 'The CRL says so.' };
    await expect(ask(made.der)).rejects.toMatchObject(refusal(DOOR_2, why));
  });

  it('identifies nobody once the inventory holds it as revoked, whatever its CRL says', async () => {
    hold(made, { revoked_at: NOW });
    await expect(ask(made.der)).rejects.toMatchObject(refusal(DOOR_2, 'it is revoked'));
  });
});

describe('what is no certificate', () => {
  it.each([
    ['text', Buffer.from('no')],
    ['an empty sequence', Buffer.from('3000', 'hex')],
    ['a certificate that breaks off', own.der.subarray(0, 200)],
    ['a certificate with something behind it', Buffer.concat([own.der, Buffer.from([0])])],
  ])('is refused: %s', async (_what, der) => {
    await expect(ask(der)).rejects.toMatchObject({
      status: 403,
      message: expect.stringMatching(/^The client certificate cannot be read \([a-z-]+\), so it is not accepted\.$/),
    });
  });
});
