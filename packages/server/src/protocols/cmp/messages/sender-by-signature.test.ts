import { parseCertificate } from '@signetry/pki';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  makeCertificate,
  makeRoot,
  type TestCertificate,
} from '../../../areas/certificates/testing/test-certificates.ts';
import type { ServedCmpProfile } from '../../../areas/cmp-profiles/index.ts';
import { identityOfSender, nameOfSender } from '../call.ts';
import { foundCertificate } from '../testing/calls.ts';
import { judged, refusal, SIGNED } from '../testing/judge.ts';
import { ERROR_BODY, plainMessage, signedMessage } from '../testing/messages.ts';

const DAY_MS = 86_400_000;
let root: TestCertificate;
let issuing: TestCertificate;
let device: TestCertificate;
let twin: TestCertificate;
let office: TestCertificate;

beforeAll(async () => {
  root = await makeRoot('Maker');
  issuing = await makeCertificate('Maker issuing', { ca: true, issuer: root });
  device = await makeCertificate('device-7', { issuer: issuing });
  twin = await makeCertificate('device-7', { issuer: await makeRoot('Maker') });
  office = await makeCertificate('office', { issuer: root });
});

const trusting = (): Partial<ServedCmpProfile> => ({ ...SIGNED, trustedAuthorities: [parseCertificate(root.der)] });
const naming = (): Partial<ServedCmpProfile> => ({ registrationAuthorities: [parseCertificate(office.der)] });
const alone = () => signedMessage(ERROR_BODY, device);
const withChain = () => signedMessage(ERROR_BODY, device, { extraCerts: [device.der, issuing.der] });
const nested = (by: TestCertificate) => signedMessage({ type: 'nested', messages: [plainMessage(ERROR_BODY)] }, by);

describe('a signed message', () => {
  it('is taken with a certificate that was issued under the RA profile, and nobody is asked about it', async () => {
    const { sender, paths } = await judged(alone(), { profile: SIGNED, known: foundCertificate(device) });
    expect(sender).toMatchObject({ kind: 'signature', isRegistrationAuthority: false });
    expect(nameOfSender(sender)).toMatch(/CN=device-7/);
    expect(identityOfSender(sender)).toMatch(/^[0-9a-f]{64}$/);
    expect(paths).toEqual([]);
  });

  it('is of another sender where another certificate of the same name signs it', async () => {
    const circumstances = { profile: SIGNED, known: foundCertificate(device) };
    const one = await judged(alone(), circumstances);
    const other = await judged(signedMessage(ERROR_BODY, twin), circumstances);
    expect(nameOfSender(one.sender)).toBe(nameOfSender(other.sender));
    expect(identityOfSender(one.sender)).not.toBe(identityOfSender(other.sender));
  });

  it('is taken with a path to a trusted authority, whose whole path is asked about', async () => {
    const { sender, paths } = await judged(withChain(), { profile: trusting() });
    expect(sender).toMatchObject({ isRegistrationAuthority: false });
    expect(paths).toEqual([['Test,Maker issuing', 'Test,Maker']]);
  });

  it.each([
    ['where the profile takes secrets', {}, alone, 'wrongIntegrity', /shared secret/],
    ['by nobody that the profile trusts', SIGNED, withChain, 'signerNotTrusted', /neither issued/],
    ['without the issuer in between', 'trusting', alone, 'signerNotTrusted', /neither issued/],
    ['by another authority of the same name', 'trusting', () => signedMessage(ERROR_BODY, twin), 'signerNotTrusted',
      /neither issued/],
    ['without its certificate', 'trusting', () => signedMessage(ERROR_BODY, device, { extraCerts: [] }),
      'signerNotTrusted', /first of extraCerts/],
    ['with the certificate of somebody else', 'trusting',
      () => signedMessage(ERROR_BODY, device, { extraCerts: [office.der] }), 'signerNotTrusted', /first of extraCerts/],
    ['with another key', 'trusting',
      () => signedMessage(ERROR_BODY, device, { keys: twin.keys, extraCerts: [device.der, issuing.der] }),
      'badMessageCheck', /signature .* wrong/],
  ] as const)('%s is refused', async (_what, profile, made, failure, words) => {
    const circumstances = { profile: profile === 'trusting' ? trusting() : profile };
    await expect(judged(made(), circumstances)).rejects.toMatchObject(refusal(failure, words));
  }); // prettier-ignore

  it.each([
    ['is revoked', { state: 'revoked' }, 'certRevoked', /is revoked\.$/],
    ['is of another RA profile', { ra_profile_uuid: 'ra-2' }, 'signerNotTrusted', /neither issued/],
    ['is not issued yet', { state: 'requested' }, 'signerNotTrusted', /neither issued/],
  ] as const)('is refused where its certificate %s', async (_what, facts, failure, words) => {
    const known = foundCertificate(device, facts);
    await expect(judged(alone(), { profile: SIGNED, known })).rejects.toMatchObject(refusal(failure, words));
  });

  it('is refused with a revoked certificate of a trusted authority, which the inventory has', async () => {
    const known = foundCertificate(device, { state: 'revoked', ra_profile_uuid: null });
    await expect(judged(withChain(), { profile: trusting(), known })).rejects.toMatchObject(
      refusal('certRevoked', /is revoked/),
    );
  });

  it.each([
    ['revoked', 'certRevoked', /is revoked\. The CRL says so\.$/],
    ['undetermined', 'signerNotTrusted', /could not be found out\. The CRL says so\.$/],
  ] as const)('is refused where its authority makes it %s', async (status, failure, words) => {
    const revocation = { status, message: 'The CRL says so.' };
    await expect(judged(withChain(), { profile: trusting(), revocation })).rejects.toMatchObject(
      refusal(failure, words),
    );
  });

  it.each([
    ['in its first second', 'notBeforeMs', 0, true],
    ['a moment before it', 'notBeforeMs', -1, false],
    ['in its last second', 'notAfterMs', 0, true],
    ['a moment after it', 'notAfterMs', 1, false],
  ] as const)('is taken only while its certificate is valid: %s', async (_when, end, byMs, isTaken) => {
    const nowMs = parseCertificate(device.der)[end] + byMs;
    const outcome = judged(alone(), { profile: SIGNED, known: foundCertificate(device), nowMs });
    if (isTaken) expect((await outcome).sender.kind).toBe('signature');
    else await expect(outcome).rejects.toMatchObject(refusal('signerNotTrusted', /not valid at this time/));
  });
});

describe('a registration authority', () => {
  it('is known by its certificate, without any trusted authority', async () => {
    const { sender, paths } = await judged(signedMessage(ERROR_BODY, office), { profile: { ...SIGNED, ...naming() } });
    expect(sender).toMatchObject({ kind: 'signature', isRegistrationAuthority: true });
    expect(paths).toEqual([[]]);
  });

  it('is asked about at its issuer, where it sends that or the profile trusts it', async () => {
    const sent = signedMessage(ERROR_BODY, office, { extraCerts: [office.der, root.der] });
    expect((await judged(sent, { profile: { ...SIGNED, ...naming() } })).paths).toEqual([['Test,Maker']]);
    // Of the same name, with another key: it did not issue it.
    const { der } = await makeRoot('Maker');
    const posing = signedMessage(ERROR_BODY, office, { extraCerts: [office.der, der] });
    expect((await judged(posing, { profile: { ...SIGNED, ...naming() } })).paths).toEqual([[]]);
  });

  it('passes messages on also where the devices have a secret, and nobody else does', async () => {
    expect((await judged(nested(office), { profile: naming() })).sender).toMatchObject({
      isRegistrationAuthority: true,
    });
    const profile = { ...trusting(), ...naming() };
    const known = foundCertificate(device);
    await expect(judged(nested(device), { profile, known })).rejects.toMatchObject(
      refusal('notAuthorized', /Only a registration authority/),
    );
  });

  it('is out of office once its certificate is revoked or has expired', async () => {
    const profile = { ...SIGNED, ...naming() };
    const message = signedMessage(ERROR_BODY, office);
    await expect(
      judged(message, { profile, known: foundCertificate(office, { state: 'revoked' }) }),
    ).rejects.toMatchObject(refusal('certRevoked', /is revoked/));
    const nowMs = parseCertificate(office.der).notAfterMs + DAY_MS;
    await expect(judged(message, { profile, nowMs })).rejects.toMatchObject(refusal('signerNotTrusted', /not valid/));
  });
});
