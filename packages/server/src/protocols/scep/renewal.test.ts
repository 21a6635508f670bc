// Which certificates can authorize a renewal, and when.
import { beforeAll, describe, expect, it } from 'vitest';
import type { FoundCertificate } from '../../areas/certificates/index.ts';
import type { ServedScepProfile } from '../../areas/scep-profiles/index.ts';
import { findPredecessor } from './renewal.ts';
import { factsOf, foundCertificate } from './testing/scep-ports.ts';
import { makeDevice, requestOf, type Device } from './testing/scep-messages.ts';
import { servedProfile } from './testing/served-profile.ts';

const DAY_MS = 24 * 3_600_000;
const NOT_BEFORE = new Date('2026-01-01T00:00:00Z');
const NOT_AFTER = new Date('2026-04-11T00:00:00Z'); // 100 days
const MIDDLE = new Date('2026-02-20T00:00:00Z');

let issuer: Device;
let signer: Device;
let other: Device;

beforeAll(async () => {
  issuer = await makeDevice('issuer.example', { ca: true });
  const validity = { notBefore: NOT_BEFORE, notAfter: NOT_AFTER };
  signer = await makeDevice('device.example', { issuer, ...validity });
  other = await makeDevice('other.example', { issuer, ...validity });
});

const before = (time: Date): Date => new Date(time.getTime() - 1);
const after = (time: Date): Date => new Date(time.getTime() + 1);

interface Case {
  readonly found?: Partial<FoundCertificate> | undefined;
  readonly profile?: Partial<ServedScepProfile>;
  readonly now?: Date;
  readonly request?: Uint8Array;
  readonly certificate?: Device;
}

const predecessor = (given: Case = {}): Promise<string | undefined> => {
  const { profile = {}, now = NOT_AFTER, request = requestOf(signer), certificate = signer } = given;
  const isKnown = !('found' in given) || given.found !== undefined;
  const findByContent = async (der: Uint8Array) => (isKnown ? foundCertificate(der, given.found) : undefined);
  const facts = { profile: servedProfile(profile), certificate: certificate.certificate, facts: factsOf(request), now };
  return findPredecessor({ findByContent }, facts);
};

describe('a certificate that signs a request', () => {
  it('can be renewed if it belongs to the RA profile and is in its renewal window', async () => {
    expect(await predecessor({ found: { uuid: 'mine' } })).toBe('mine');
  });

  it.each<[string, Case]>([
    ['unknown to the inventory', { found: undefined }],
    ['of no RA profile any more', { found: { ra_profile_uuid: null } }],
    ['of another RA profile', { found: { ra_profile_uuid: '99999999-0000-7000-8000-000000000001' } }],
    ['under a profile without RA profile', { profile: { raProfile: undefined } }],
    ['without RA profile under one without', { found: { ra_profile_uuid: null }, profile: { raProfile: undefined } }],
    ['revoked, but of another RA profile', { found: { ra_profile_uuid: null, state: 'revoked' } }],
  ])('is treated as foreign if it is %s', async (_what, given) => {
    expect(await predecessor(given)).toBeUndefined();
  });

  it('is treated as foreign if the device created it itself, even if it was imported into the inventory', async () => {
    const own = await makeDevice('device.example', { notBefore: NOT_BEFORE, notAfter: NOT_AFTER });
    expect(await predecessor({ certificate: own })).toBeUndefined();
  });

  it.each([
    ['revoked', { state: 'revoked' }, "The signer's certificate is revoked."],
    ['rejected', { state: 'rejected' }, "The signer's certificate is rejected."],
    ['archived', { archived: true }, "The signer's certificate is archived."],
  ] as const)('is rejected if it is %s', async (_what, found, message) => {
    await expect(predecessor({ found })).rejects.toMatchObject({ failInfo: 'badCertId', message });
  });

  it('is rejected if the request contains a different subject', async () => {
    await expect(predecessor({ request: requestOf(other) })).rejects.toMatchObject({
      failInfo: 'badRequest',
      message: 'The subject of the request differs from that of the certificate to be renewed.',
    });
  });

  it('can be renewed even if the subject differs in case or spacing', async () => {
    const shouting = await makeDevice('DEVICE.example');
    expect(await predecessor({ request: requestOf(shouting), found: { uuid: 'mine' } })).toBe('mine');
  });
});

describe('the renewal window', () => {
  const tooEarlyText = (time: Date) => `The certificate cannot be renewed before ${time.toISOString()}.`;
  const tenDaysBefore = new Date(NOT_AFTER.getTime() - 10 * DAY_MS);

  it.each([
    ['the second half of the validity', 0, MIDDLE],
    ['the days that the profile says', 10, tenDaysBefore],
    ['the whole validity, where these are as many', 100, NOT_BEFORE],
  ])('is %s', async (_what, renewalThreshold, from) => {
    const profile = { renewalThreshold };
    const found = { uuid: 'mine' };
    expect(await predecessor({ profile, found, now: from })).toBe('mine');
    expect(await predecessor({ profile, found, now: NOT_AFTER })).toBe('mine');
    await expect(predecessor({ profile, now: before(from) })).rejects.toMatchObject({
      failInfo: 'badTime',
      message: tooEarlyText(from),
    });
    await expect(predecessor({ profile, now: after(NOT_AFTER) })).rejects.toMatchObject({
      failInfo: 'badTime',
      message: "The signer's certificate has expired; enroll again.",
    });
  });

  it('is open from the start if it is longer than the validity period', async () => {
    const profile = { renewalThreshold: 10_000 };
    expect(await predecessor({ profile, found: { uuid: 'mine' }, now: NOT_BEFORE })).toBe('mine');
  });
});
