// What is asked of a new request before anything is begun for it.
import { parseCertificate } from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../../areas/certificates/testing/test-certificates.ts';
import { namesOfSecret, type BoundNames } from '../../areas/enrolments/bound-names.ts';
import { coreContext } from '../../kernel/actor.ts';
import { Secret } from '../../kernel/secret.ts';
import { enrol, type EnrolCall, type EnrolOperation } from './enrol.ts';
import type { Requester } from './requester.ts';
import { createTestEst, foundCertificate } from './testing/est-parts.ts';
import { requestFor, servedProfile } from './testing/est-requests.ts';

const RA_PROFILE = servedProfile().raProfile?.uuid ?? '';
const [NAME, OTHER] = ['CN=door-1,O=Test', 'CN=door-2,O=Test'];
const DNS = ['a.example', 'b.example'];
const { der: certificateDer } = await makeCertificate('door-1', { dnsNames: DNS });
const certificate = parseCertificate(certificateDer);
const foreign: Requester = {
  by: 'certificate',
  name: 'CN=door-1',
  identity: 'certificate 1',
  certificate,
  own: undefined,
};
const ours = (raProfileUuid: string | null = RA_PROFILE): Requester => ({
  ...foreign,
  own: foundCertificate({ der: certificateDer, uuid: 'renewed', ra_profile_uuid: raProfileUuid }),
});
const password: Requester = { by: 'password', name: 'device', identity: 'user device' };
const oneTime = (names: BoundNames | undefined): Requester => ({
  by: 'oneTimePassword',
  name: 'one-time password 7',
  identity: 'secret 7',
  secret: { uuid: 'secret', reference: '7', secret: new Secret('x'), names },
});

const sound = await requestFor(NAME);
const altered = Uint8Array.from(sound);
altered[Buffer.from(sound).indexOf('door-1')] = 'm'.charCodeAt(0);

type CallFacts = Pick<EnrolCall, 'requester' | 'der'> & Partial<EnrolCall>;

async function ask(asked: CallFacts) {
  const est = createTestEst();
  const call = { operation: 'simpleenroll', profile: servedProfile(), binding: () => undefined, ...asked } as const;
  const refused = await enrol(est.parts, call, coreContext('test')).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { refused, begun: est.begun };
}

/** What was begun for a request that is let in. */
async function begun(asked: CallFacts) {
  const { refused, begun: enrolments } = await ask(asked);
  expect([refused, enrolments.length]).toEqual([undefined, 1]);
  return enrolments[0];
}

/** The refusal of a request, for which nothing was begun. */
async function refusal(asked: CallFacts) {
  const { refused, begun: enrolments } = await ask(asked);
  expect(enrolments).toEqual([]);
  return refused;
}

const BOTH: readonly EnrolOperation[] = ['simpleenroll', 'simplereenroll'];
const OTHER_NAMES = {
  status: 403,
  message: expect.stringMatching(/^The request (asks for|leaves out) .* the certificate CN=door-1/),
};

describe('a client with a certificate of ours', () => {
  it.each([
    ['its names', NAME, DNS],
    ['its names in another order', NAME, DNS.toReversed()],
    ['its subject in another case', 'CN=DOOR-1,O=test', DNS],
  ])('gets another one for %s, by either operation', async (_what, subject, dnsNames) => {
    for (const operation of BOTH) {
      const der = await requestFor(subject, { dnsNames });
      expect(await begun({ operation, requester: ours(), der })).toMatchObject({ kind: operation });
    }
  });

  it.each([
    ['another subject', OTHER, DNS],
    ['more in the subject', `OU=More,${NAME}`, DNS],
    ['no alternative names', NAME, []],
    ['fewer alternative names', NAME, DNS.slice(1)],
    ['more alternative names', NAME, [...DNS, 'c.example']],
    ['one of them twice instead of the other', NAME, ['a.example', 'a.example']],
    ['a name that holds both', NAME, ['a.example,b.example']],
  ])('gets none for %s, by either operation', async (_what, subject, dnsNames) => {
    for (const operation of BOTH) {
      const der = await requestFor(subject, { dnsNames });
      expect(await refusal({ operation, requester: ours(), der })).toMatchObject(OTHER_NAMES);
    }
  });

  it('gets one for other names where the profile does not keep them', async () => {
    const profile = servedProfile({ renewalsKeepNames: false, bindNames: false });
    const asked = { operation: 'simplereenroll', profile, requester: ours(), der: await requestFor(OTHER) } as const;
    expect(await begun(asked)).toMatchObject({
      predecessorUuid: 'renewed',
      request: { subject_dn: 'CN=door-2, O=Test' },
    });
  });

  it.each([
    ['renews it', 'simplereenroll', RA_PROFILE, 'renewed'],
    ['renews none where it is of another RA profile', 'simplereenroll', 'another', undefined],
    ['renews none where it is of no RA profile', 'simplereenroll', null, undefined],
    ['renews none where it enrols', 'simpleenroll', RA_PROFILE, undefined],
  ] as const)('%s', async (_what, operation, raProfileUuid, predecessorUuid) => {
    const der = await requestFor(NAME, { dnsNames: DNS });
    const made = await begun({ operation, requester: ours(raProfileUuid), der });
    expect(made?.predecessorUuid).toBe(predecessorUuid);
  });
});

describe('a client with a certificate of another authority', () => {
  it('gets a first certificate for its names, and for others where the profile does not bind them', async () => {
    const other = { requester: foreign, der: await requestFor(OTHER) };
    expect(await refusal(other)).toMatchObject(OTHER_NAMES);
    const profile = servedProfile({ bindNames: false });
    expect(await begun({ ...other, profile })).toMatchObject({ requester: 'CN=door-1' });
    expect(await begun({ ...other, der: await requestFor(NAME) })).toMatchObject({ requester: 'CN=door-1' });
  });

  it('renews under its names only, and succeeds nothing of ours', async () => {
    const operation = 'simplereenroll';
    expect(await refusal({ operation, requester: foreign, der: await requestFor(OTHER) })).toMatchObject(OTHER_NAMES);
    const der = await requestFor(NAME, { dnsNames: DNS });
    expect((await begun({ operation, requester: foreign, der }))?.predecessorUuid).toBeUndefined();
  });
});

describe('a password', () => {
  it.each([
    ['of a user', password],
    ['for once', oneTime(undefined)],
  ])('%s renews only where the profile says so', async (_what, requester) => {
    const asked = { operation: 'simplereenroll', requester, der: await requestFor(OTHER) } as const;
    expect(await refusal(asked)).toMatchObject({
      status: 403,
      message: 'This profile requires renewals to be authenticated with the certificate being renewed.',
    });
    const made = await begun({ ...asked, profile: servedProfile({ passwordsRenew: true }) });
    expect(made).toMatchObject({ kind: 'simplereenroll', predecessorUuid: undefined });
  });

  it('for once is for the subject that it was handed out for', async () => {
    const requester = oneTime(namesOfSecret(NAME, {}, 'order-7'));
    expect(await begun({ requester, der: await requestFor(NAME) })).toMatchObject({ oneTimeSecretUuid: 'secret' });
    expect(await refusal({ requester, der: await requestFor(OTHER) })).toMatchObject({
      status: 403,
      message:
        'The request asks for the subject CN=door-2, O=Test; the one-time secret order-7 does not cover that name.',
    });
  });

  it('for once that cannot be used begins nothing', async () => {
    const requester: Requester = { by: 'oneTimePassword', name: '', identity: '', secret: undefined };
    expect(await refusal({ requester, der: await requestFor(NAME) })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': expect.stringContaining('Basic') },
    });
  });
});

describe('a request', () => {
  it('has to be linked to its connection where the profile says so', async () => {
    const [profile, binding] = [servedProfile({ requireLinking: true }), () => 'the-binding'];
    const linked = await requestFor(NAME, { challengePassword: 'the-binding' });
    expect(await begun({ requester: password, profile, binding, der: linked })).toMatchObject({ requester: 'device' });
    const refused = await refusal({ requester: password, profile, binding, der: await requestFor(NAME) });
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining('has no challengePassword') });
  });

  it('that is linked to another connection is refused also where nothing is required', async () => {
    const der = await requestFor(NAME, { challengePassword: 'of another' });
    const refused = await refusal({ requester: password, binding: () => 'the-binding', der });
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining('does not link it') });
  });

  it.each([
    ['signed by another key', altered, 'proof of possession failed'],
    ['cut off', sound.subarray(0, -1), 'the certification request is refused'],
    ['followed by something', Buffer.concat([sound, Buffer.from([5, 0])]), 'the certification request is refused'],
    ['something else', Buffer.from('3003020100', 'hex'), 'the certification request is refused'],
  ])('that is %s is refused', async (_what, octets, words) => {
    const refused = await refusal({ requester: password, der: octets });
    expect(refused).toMatchObject({ code: 'invalid_fields', message: expect.stringContaining(words) });
  });
});
