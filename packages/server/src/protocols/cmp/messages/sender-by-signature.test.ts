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
import { evaluateSender, rejection, SIGNED } from '../testing/evaluate.ts';
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

const trustingProfile = (): Partial<ServedCmpProfile> => ({
  ...SIGNED,
  trustedAuthorities: [parseCertificate(root.der)],
});
const raNamingProfile = (): Partial<ServedCmpProfile> => ({ registrationAuthorities: [parseCertificate(office.der)] });
const messageWithoutChain = () => signedMessage(ERROR_BODY, device);
const messageWithChain = () => signedMessage(ERROR_BODY, device, { extraCerts: [device.der, issuing.der] });
const nestedMessage = (by: TestCertificate) =>
  signedMessage({ type: 'nested', messages: [plainMessage(ERROR_BODY)] }, by);

describe('a signed message', () => {
  it('is accepted with a certificate issued under the RA profile, without a revocation check', async () => {
    const { sender, paths } = await evaluateSender(messageWithoutChain(), {
      profile: SIGNED,
      known: foundCertificate(device),
    });
    expect(sender).toMatchObject({ kind: 'signature', isRegistrationAuthority: false });
    expect(nameOfSender(sender)).toMatch(/CN=device-7/);
    expect(identityOfSender(sender)).toMatch(/^[0-9a-f]{64}$/);
    expect(paths).toEqual([]);
  });

  it('has a different sender if it is signed with a different certificate with the same name', async () => {
    const circumstances = { profile: SIGNED, known: foundCertificate(device) };
    const one = await evaluateSender(messageWithoutChain(), circumstances);
    const other = await evaluateSender(signedMessage(ERROR_BODY, twin), circumstances);
    expect(nameOfSender(one.sender)).toBe(nameOfSender(other.sender));
    expect(identityOfSender(one.sender)).not.toBe(identityOfSender(other.sender));
  });

  it('is accepted with a path to a trusted authority, and the whole path is checked for revocation', async () => {
    const { sender, paths } = await evaluateSender(messageWithChain(), { profile: trustingProfile() });
    expect(sender).toMatchObject({ isRegistrationAuthority: false });
    expect(paths).toEqual([['Test,Maker issuing', 'Test,Maker']]);
  });

  it.each([
    ['for a profile that accepts only secrets', {}, messageWithoutChain, 'wrongIntegrity', /accepts only requests that are protected with its shared secret/],
    ['by an authority that the profile does not trust', SIGNED, messageWithChain, 'signerNotTrusted', /was issued neither under this RA profile nor by a trusted authority/],
    ['without the intermediate CA certificate', 'trusting', messageWithoutChain, 'signerNotTrusted', /was issued neither under this RA profile nor by a trusted authority/],
    ['by a different authority with the same name', 'trusting', () => signedMessage(ERROR_BODY, twin), 'signerNotTrusted',
      /was issued neither under this RA profile nor by a trusted authority/],
    ['without its certificate', 'trusting', () => signedMessage(ERROR_BODY, device, { extraCerts: [] }),
      'badMessageCheck', /The certificate that protects the message must be the first in extraCerts, its subject must be the sender,/],
    ['with the certificate of a different sender', 'trusting',
      () => signedMessage(ERROR_BODY, device, { extraCerts: [office.der] }), 'badMessageCheck', /its subject must be the sender,/],
    ['with a different senderKID', 'trusting',
      () => signedMessage(ERROR_BODY, device, { senderKid: new Uint8Array(20) }), 'badMessageCheck', /its key identifier the senderKID\./],
    ['with a sender that is not a directory name', 'trusting',
      () => signedMessage(ERROR_BODY, device, { sender: { kind: 'dNSName', value: 'device-7' } }), 'badMessageCheck', /its subject must be the sender,/],
    ['with a different key', 'trusting',
      () => signedMessage(ERROR_BODY, device, { keys: twin.keys, extraCerts: [device.der, issuing.der] }),
      'badMessageCheck', /^The signature of the message is incorrect\.$/],
  ] as const)('%s is rejected', async (_what, profile, made, failure, words) => {
    const circumstances = { profile: profile === 'trusting' ? trustingProfile() : profile };
    await expect(evaluateSender(made(), circumstances)).rejects.toMatchObject(rejection(failure, words));
  }); // prettier-ignore

  it.each([
    ['is revoked', { state: 'revoked' }, 'certRevoked', /is revoked\.$/],
    [
      'belongs to a different RA profile',
      { ra_profile_uuid: 'ra-2' },
      'signerNotTrusted',
      /was issued neither under this RA profile nor by a trusted authority/,
    ],
    [
      'is not issued yet',
      { state: 'requested' },
      'signerNotTrusted',
      /was issued neither under this RA profile nor by a trusted authority/,
    ],
  ] as const)('is rejected if its certificate %s', async (_what, facts, failure, words) => {
    const known = foundCertificate(device, facts);
    await expect(evaluateSender(messageWithoutChain(), { profile: SIGNED, known })).rejects.toMatchObject(
      rejection(failure, words),
    );
  });

  it('is rejected with a revoked certificate of a trusted authority that is in the inventory', async () => {
    const known = foundCertificate(device, { state: 'revoked', ra_profile_uuid: null });
    await expect(evaluateSender(messageWithChain(), { profile: trustingProfile(), known })).rejects.toMatchObject(
      rejection('certRevoked', /is revoked/),
    );
  });

  it.each([
    ['revoked', 'The CRL lists it.', 'certRevoked', /is revoked\. The CRL lists it\.$/],
    [
      'undetermined',
      'The CRL has expired.',
      'signerNotTrusted',
      /^Cannot determine whether a certificate that protects the message is revoked\. The CRL has expired\.$/,
    ],
  ] as const)('is rejected if the authority reports its certificate as %s', async (status, message, failure, words) => {
    const revocation = { status, message };
    await expect(evaluateSender(messageWithChain(), { profile: trustingProfile(), revocation })).rejects.toMatchObject(
      rejection(failure, words),
    );
  });

  it.each([
    ['at the start of its validity', 'notBeforeMs', 0, true],
    ['1 ms before it', 'notBeforeMs', -1, false],
    ['at the end of its validity', 'notAfterMs', 0, true],
    ['1 ms after it', 'notAfterMs', 1, false],
  ] as const)('is accepted only while its certificate is valid: %s', async (_when, end, byMs, isTaken) => {
    const nowMs = parseCertificate(device.der)[end] + byMs;
    const outcome = evaluateSender(messageWithoutChain(), { profile: SIGNED, known: foundCertificate(device), nowMs });
    if (isTaken) expect((await outcome).sender.kind).toBe('signature');
    else
      await expect(outcome).rejects.toMatchObject(
        rejection('signerNotTrusted', /The certificate that protects the message has expired or is not yet valid\./),
      );
  });
});

describe('a profile that enforces RFC 9483', () => {
  const known = () => foundCertificate(device);
  const strict = { ...SIGNED, strictMessages: true };

  it('accepts a message that names its certificate', async () => {
    const { sender } = await evaluateSender(messageWithoutChain(), { profile: strict, known: known() });
    expect(sender.kind).toBe('signature');
  });

  it.each([
    ['without senderKID', () => signedMessage(ERROR_BODY, device, { senderKid: undefined }), /^The senderKID must be/],
    ['whose certificate is not the first',
      () => signedMessage(ERROR_BODY, device, { extraCerts: [issuing.der, device.der] }), /must be the first in extraCerts;/],
  ] as const)('rejects a message %s, which other profiles accept', async (_what, made, words) => {
    await expect(evaluateSender(made(), { profile: strict, known: known() })).rejects.toMatchObject(
      rejection('badMessageCheck', words),
    );
    expect((await evaluateSender(made(), { profile: SIGNED, known: known() })).sender.kind).toBe('signature');
  }); // prettier-ignore
});

describe('a profile that accepts both protections', () => {
  it('accepts signatures although requests are protected with its secret otherwise', async () => {
    const profile = { acceptBothProtections: true };
    const { sender } = await evaluateSender(messageWithoutChain(), { profile, known: foundCertificate(device) });
    expect(sender.kind).toBe('signature');
  });
});

describe('a registration authority', () => {
  it('is identified by its certificate, and needs no trusted authority', async () => {
    const { sender, paths } = await evaluateSender(signedMessage(ERROR_BODY, office), {
      profile: { ...SIGNED, ...raNamingProfile() },
    });
    expect(sender).toMatchObject({ kind: 'signature', isRegistrationAuthority: true });
    expect(paths).toEqual([[]]);
  });

  it('is checked for revocation if it sends its issuer certificate or if the profile trusts it', async () => {
    const sent = signedMessage(ERROR_BODY, office, { extraCerts: [office.der, root.der] });
    expect((await evaluateSender(sent, { profile: { ...SIGNED, ...raNamingProfile() } })).paths).toEqual([
      ['Test,Maker'],
    ]);
    // Has the same name but a different key, and is therefore not the issuer.
    const { der } = await makeRoot('Maker');
    const posing = signedMessage(ERROR_BODY, office, { extraCerts: [office.der, der] });
    expect((await evaluateSender(posing, { profile: { ...SIGNED, ...raNamingProfile() } })).paths).toEqual([[]]);
  });

  it('is the only sender that can forward messages, even if devices use a secret', async () => {
    expect((await evaluateSender(nestedMessage(office), { profile: raNamingProfile() })).sender).toMatchObject({
      isRegistrationAuthority: true,
    });
    const profile = { ...trustingProfile(), ...raNamingProfile() };
    const known = foundCertificate(device);
    await expect(evaluateSender(nestedMessage(device), { profile, known })).rejects.toMatchObject(
      rejection('notAuthorized', /Only a registration authority/),
    );
  });

  it('is rejected if its certificate is revoked or has expired', async () => {
    const profile = { ...SIGNED, ...raNamingProfile() };
    const message = signedMessage(ERROR_BODY, office);
    await expect(
      evaluateSender(message, { profile, known: foundCertificate(office, { state: 'revoked' }) }),
    ).rejects.toMatchObject(rejection('certRevoked', /is revoked/));
    const nowMs = parseCertificate(office.der).notAfterMs + DAY_MS;
    await expect(evaluateSender(message, { profile, nowMs })).rejects.toMatchObject(
      rejection('signerNotTrusted', /has expired or is not yet valid/),
    );
  });
});
