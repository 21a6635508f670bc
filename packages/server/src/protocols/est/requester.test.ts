// EST authentication by password; client certificates are tested in client-certificates.test.ts.
import { describe, expect, it } from 'vitest';
import { makeRoot } from '../../areas/certificates/testing/test-certificates.ts';
import { namesOfSecret } from '../../areas/enrollments/bound-names.ts';
import { identify, type Requester } from './requester.ts';
import { createTestEst } from './testing/est-parts.ts';
import { DEVICE_PASSWORD, servedProfile } from './testing/est-requests.ts';

const SECRET = 'xkcd-once-only';
const NAMES = namesOfSecret('CN=door', {}, 'order-7');
const est = createTestEst();
est.secrets.set(SECRET, { reference: 'order-7', ...(NAMES && { names: NAMES }) });

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;
const ask = (authorization: string, facts: Parameters<typeof servedProfile>[0] = {}): Promise<Requester> =>
  identify(est.parts, servedProfile(facts), { certificate: () => undefined, authorization });
const wrong = { status: 401, message: 'The username or password is incorrect.' };

describe('a user of the profile', () => {
  it('is identified by a username and password', async () => {
    expect(await ask(basic(`device:${DEVICE_PASSWORD}`))).toEqual({
      by: 'password',
      name: 'device',
      identity: 'user device',
    });
  });

  it.each([
    ['with colons', 'device:a:b:c', 'a:b:c'],
    ['outside ASCII (RFC 7617 §2.1)', 'device:pässwörd-ß', 'pässwörd-ß'],
  ])('can have a password %s', async (_what, pair, password) => {
    const requester = await ask(basic(pair), { passwords: new Map([['device', password]]) });
    expect(requester).toMatchObject({ by: 'password', name: 'device' });
  });

  it("is identified regardless of the scheme's case", async () => {
    expect(await ask(basic(`device:${DEVICE_PASSWORD}`).replace('Basic', 'bAsIC'))).toMatchObject({ name: 'device' });
  });

  it.each([
    ['another password', 'device:guessed'],
    ['an empty password', 'device:'],
    ['the beginning of the password', `device:${DEVICE_PASSWORD.slice(0, -1)}`],
    ['the password and more', `device:${DEVICE_PASSWORD} `],
    ['a one-time password', `device:${SECRET}`],
  ])('is not identified by %s', async (_what, pair) => {
    await expect(ask(basic(pair))).rejects.toMatchObject(wrong);
  });

  it.each([
    ['of another scheme', 'Bearer abc'],
    ['without a value', 'Basic'],
    ['that is no Base64', 'Basic %%%'],
    ['without a colon', basic('device')],
    ['that is empty', ''],
  ])('is not identified by a header %s', async (_what, authorization) => {
    await expect(ask(authorization)).rejects.toMatchObject({
      status: 401,
      message: 'The Authorization header must use the Basic scheme, with a username and a password.',
      headers: { 'www-authenticate': 'Basic realm="EST", charset="UTF-8"' },
    });
  });
});

describe('a one-time password', () => {
  it('is identified by its reference and its secret text', async () => {
    expect(await ask(basic(`order-7:${SECRET}`))).toMatchObject({
      by: 'oneTimePassword',
      name: 'one-time password order-7',
      secret: { reference: 'order-7', names: NAMES },
    });
  });

  it.each([
    ['another reference', `order-8:${SECRET}`],
    ['a text that was never handed out', 'order-7:unknown'],
    ['an empty reference', `:${SECRET}`],
  ])('is not found with %s', async (_what, pair) => {
    expect(await ask(basic(pair))).toMatchObject({ by: 'oneTimePassword', secret: undefined });
  });

  it('distinguishes requesters without revealing the password', async () => {
    const [one, again, other] = [
      await ask(basic(`order-7:${SECRET}`)),
      await ask(basic(`order-7:${SECRET}`)),
      await ask(basic(`order-8:${SECRET}`)),
    ];
    expect(one.identity).toMatch(/^secret [0-9a-f]{64}$/);
    expect(again.identity).toBe(one.identity);
    expect(other.identity).not.toBe(one.identity);
  });

  it.each([
    ['takes none', { oneTimePasswords: false }],
    ['has no RA profile', { raProfile: undefined }],
  ])('is rejected if the profile %s', async (_what, facts) => {
    await expect(ask(basic(`order-7:${SECRET}`), facts)).rejects.toMatchObject(wrong);
  });
});

describe('a client', () => {
  it('that provides neither a certificate nor a password must provide one of them', async () => {
    const asking = identify(est.parts, servedProfile(), { certificate: () => undefined, authorization: undefined });
    await expect(asking).rejects.toMatchObject({
      status: 401,
      message: 'Authenticate with a TLS client certificate or a username and password.',
    });
  });

  it('that provides both is identified by the password, regardless of the certificate', async () => {
    const { der } = await makeRoot('stranger');
    const credentials = { certificate: () => der, authorization: basic(`device:${DEVICE_PASSWORD}`) };
    expect(await identify(est.parts, servedProfile(), credentials)).toMatchObject({ by: 'password' });
  });

  it('that provides an incorrect password is not identified by its certificate instead', async () => {
    const credentials = { certificate: () => expect.fail('looked at'), authorization: basic('device:guessed') };
    await expect(identify(est.parts, servedProfile(), credentials)).rejects.toMatchObject(wrong);
  });
});
