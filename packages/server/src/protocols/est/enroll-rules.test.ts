// Requirements that a new request must meet before a transaction starts.
import { parseCertificate } from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../../areas/certificates/testing/test-certificates.ts';
import { namesOfSecret, type BoundNames } from '../../areas/enrollments/bound-names.ts';
import { coreContext } from '../../kernel/actor.ts';
import { Secret } from '../../kernel/secret.ts';
import { enroll, type EnrollCall, type EnrollOperation } from './enroll.ts';
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
const ownRequester = (raProfileUuid: string | null = RA_PROFILE): Requester => ({
  ...foreign,
  own: foundCertificate({ der: certificateDer, uuid: 'renewed', ra_profile_uuid: raProfileUuid }),
});
const password: Requester = { by: 'password', name: 'device', identity: 'user device' };
const oneTimeRequester = (names: BoundNames | undefined): Requester => ({
  by: 'oneTimePassword',
  name: 'one-time password 7',
  identity: 'secret 7',
  secret: { uuid: 'secret', reference: '7', secret: new Secret('x'), names },
});

const sound = await requestFor(NAME);
const altered = Uint8Array.from(sound);
altered[Buffer.from(sound).indexOf('door-1')] = 'm'.charCodeAt(0);

type CallFacts = Pick<EnrollCall, 'requester' | 'der'> & Partial<EnrollCall>;

async function ask(asked: CallFacts) {
  const est = createTestEst();
  const call = { operation: 'simpleenroll', profile: servedProfile(), binding: () => undefined, ...asked } as const;
  const refused = await enroll(est.parts, call, coreContext('test')).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { refused, begun: est.begun };
}

/** Returns the transaction started for an accepted request. */
async function startTransaction(asked: CallFacts) {
  const { refused, begun: enrollments } = await ask(asked);
  expect([refused, enrollments.length]).toEqual([undefined, 1]);
  return enrollments[0];
}

/** Returns the error for a rejected request, for which no transaction was started. */
async function rejectionOf(asked: CallFacts) {
  const { refused, begun: enrollments } = await ask(asked);
  expect(enrollments).toEqual([]);
  return refused;
}

const BOTH: readonly EnrollOperation[] = ['simpleenroll', 'simplereenroll'];
const OTHER_NAMES = {
  status: 403,
  message: expect.stringMatching(/^The request (contains|omits) .* the certificate CN=door-1/),
};

describe('a client with a certificate issued under the RA profile', () => {
  it.each([
    ['its names', NAME, DNS],
    ['its names in a different order', NAME, DNS.toReversed()],
    ['its subject in different case', 'CN=DOOR-1,O=test', DNS],
  ])('receives a certificate for %s with both operations', async (_what, subject, dnsNames) => {
    for (const operation of BOTH) {
      const der = await requestFor(subject, { dnsNames });
      expect(await startTransaction({ operation, requester: ownRequester(), der })).toMatchObject({ kind: operation });
    }
  });

  it.each([
    ['a different subject', OTHER, DNS],
    ['an additional subject attribute', `OU=More,${NAME}`, DNS],
    ['no SANs', NAME, []],
    ['fewer SANs', NAME, DNS.slice(1)],
    ['additional SANs', NAME, [...DNS, 'c.example']],
    ['one SAN twice instead of the other', NAME, ['a.example', 'a.example']],
    ['both SANs in one name', NAME, ['a.example,b.example']],
  ])('does not receive a certificate for %s with either operation', async (_what, subject, dnsNames) => {
    for (const operation of BOTH) {
      const der = await requestFor(subject, { dnsNames });
      expect(await rejectionOf({ operation, requester: ownRequester(), der })).toMatchObject(OTHER_NAMES);
    }
  });

  it('receives a certificate for different names if the profile does not require the same names', async () => {
    const profile = servedProfile({ renewalsKeepNames: false, bindNames: false });
    const asked = {
      operation: 'simplereenroll',
      profile,
      requester: ownRequester(),
      der: await requestFor(OTHER),
    } as const;
    expect(await startTransaction(asked)).toMatchObject({
      predecessorUuid: 'renewed',
      request: { subject_dn: 'CN=door-2, O=Test' },
    });
  });

  it.each([
    ['renews the certificate', 'simplereenroll', RA_PROFILE, 'renewed'],
    ['does not renew a certificate of a different RA profile', 'simplereenroll', 'another', undefined],
    ['does not renew a certificate without an RA profile', 'simplereenroll', null, undefined],
    ['does not renew the certificate with simpleenroll', 'simpleenroll', RA_PROFILE, undefined],
  ] as const)('%s', async (_what, operation, raProfileUuid, predecessorUuid) => {
    const der = await requestFor(NAME, { dnsNames: DNS });
    const made = await startTransaction({ operation, requester: ownRequester(raProfileUuid), der });
    expect(made?.predecessorUuid).toBe(predecessorUuid);
  });
});

describe('a client with a certificate from a different authority', () => {
  it('receives its first certificate for its names, and for different names if the profile does not bind names', async () => {
    const other = { requester: foreign, der: await requestFor(OTHER) };
    expect(await rejectionOf(other)).toMatchObject(OTHER_NAMES);
    const profile = servedProfile({ bindNames: false });
    expect(await startTransaction({ ...other, profile })).toMatchObject({ requester: 'CN=door-1' });
    expect(await startTransaction({ ...other, der: await requestFor(NAME) })).toMatchObject({ requester: 'CN=door-1' });
  });

  it('can renew only certificates with its own names, without a predecessor in the inventory', async () => {
    const operation = 'simplereenroll';
    expect(await rejectionOf({ operation, requester: foreign, der: await requestFor(OTHER) })).toMatchObject(
      OTHER_NAMES,
    );
    const der = await requestFor(NAME, { dnsNames: DNS });
    expect((await startTransaction({ operation, requester: foreign, der }))?.predecessorUuid).toBeUndefined();
  });
});

describe('a password', () => {
  it.each([
    ['of a user', password],
    ['for one-time use', oneTimeRequester(undefined)],
  ])('%s can be used for renewals only if the profile permits it', async (_what, requester) => {
    const asked = { operation: 'simplereenroll', requester, der: await requestFor(OTHER) } as const;
    expect(await rejectionOf(asked)).toMatchObject({
      status: 403,
      message: 'This profile requires renewals to be authenticated with the certificate being renewed.',
    });
    const made = await startTransaction({ ...asked, profile: servedProfile({ passwordsRenew: true }) });
    expect(made).toMatchObject({ kind: 'simplereenroll', predecessorUuid: undefined });
  });

  it('for one-time use is bound to the subject that it was created for', async () => {
    const requester = oneTimeRequester(namesOfSecret(NAME, {}, 'order-7'));
    expect(await startTransaction({ requester, der: await requestFor(NAME) })).toMatchObject({
      oneTimeSecretUuid: 'secret',
    });
    expect(await rejectionOf({ requester, der: await requestFor(OTHER) })).toMatchObject({
      status: 403,
      message:
        'The request contains the subject CN=door-2, O=Test; the one-time secret order-7 does not cover that name.',
    });
  });

  it('for one-time use that is no longer valid does not start a transaction', async () => {
    const requester: Requester = { by: 'oneTimePassword', name: '', identity: '', secret: undefined };
    expect(await rejectionOf({ requester, der: await requestFor(NAME) })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': expect.stringContaining('Basic') },
    });
  });
});

describe('a request', () => {
  it('must be bound to its connection if the profile requires it', async () => {
    const [profile, binding] = [servedProfile({ requireLinking: true }), () => 'the-binding'];
    const linked = await requestFor(NAME, { challengePassword: 'the-binding' });
    expect(await startTransaction({ requester: password, profile, binding, der: linked })).toMatchObject({
      requester: 'device',
    });
    const refused = await rejectionOf({ requester: password, profile, binding, der: await requestFor(NAME) });
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining('has no challengePassword') });
  });

  it('that is bound to a different connection is rejected even if the profile does not require binding', async () => {
    const der = await requestFor(NAME, { challengePassword: 'of another' });
    const refused = await rejectionOf({ requester: password, binding: () => 'the-binding', der });
    expect(refused).toMatchObject({
      status: 400,
      message: expect.stringContaining(
        'The challengePassword of the request does not match the channel binding of this connection.',
      ),
    });
  });

  it.each([
    ['signed with a different key', altered, 'proof of possession failed'],
    ['truncated', sound.subarray(0, -1), 'the certificate request was rejected:'],
    ['followed by other data', Buffer.concat([sound, Buffer.from([5, 0])]), 'the certificate request was rejected:'],
    ['not a PKCS #10 request', Buffer.from('3003020100', 'hex'), 'the certificate request was rejected:'],
  ])('that is %s is rejected', async (_what, octets, words) => {
    const refused = await rejectionOf({ requester: password, der: octets });
    expect(refused).toMatchObject({ code: 'invalid_fields', message: expect.stringContaining(words) });
  });
});
