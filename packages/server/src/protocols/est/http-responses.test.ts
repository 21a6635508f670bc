// Responses to clients, rejected credentials, and certificates forwarded by a trusted proxy.
import { readPkcs7 } from '@signetry/pki';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRoot } from '../../areas/certificates/testing/test-certificates.ts';
import { AppError } from '../../kernel/errors.ts';
import { requestFor, servedProfile } from './testing/est-requests.ts';
import { AUTHORIZATION, basic, createTestEstServer, type TestEstServer } from './testing/est-server.ts';

const authority = (await makeRoot('authority')).der;
const body = Buffer.from(await requestFor('CN=printer-1')).toString('base64');
const BELOW = '/.well-known/est/devices';
const NAMELESS = { 'user-agent': undefined };
const withPassword = { body, headers: { authorization: AUTHORIZATION } };

let test: TestEstServer;
beforeEach(async () => {
  test = await createTestEstServer();
  test.profiles.set('profile devices', servedProfile());
  test.est.authorities = { chain: [authority], own: [], trusted: [] };
  test.est.outcome = { state: 'issued', certificate: authority };
});
afterEach(() => test.server.close());

const certificatesIn = (text: string): string[] =>
  readPkcs7(Buffer.from(text, 'base64')).map((der) => Buffer.from(der).toString('base64'));
const AUTHORITY = Buffer.from(authority).toString('base64');

describe('a response', () => {
  it('is Base64 text with line breaks, is not cached, and has the header fields that older clients require', async () => {
    const answer = await test.ask(`${BELOW}/simpleenroll`, withPassword);
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/pkcs7-mime; smime-type=certs-only',
        'content-transfer-encoding': 'base64',
        'cache-control': 'no-store',
      },
    });
    const lines = answer.text.split('\r\n');
    expect([lines.pop(), Math.max(...lines.map(({ length }) => length))]).toEqual(['', 64]);
  });

  it('is a single line for clients without a user agent', async () => {
    const { text } = await test.ask(`${BELOW}/cacerts`, { headers: NAMELESS });
    expect(text).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect(certificatesIn(text)).toEqual([AUTHORITY]);
  });

  it('is not Base64-encoded as a whole if it has multiple parts', async () => {
    test.profiles.set('profile devices', servedProfile({ serverKeys: true }));
    const answer = await test.ask(`${BELOW}/serverkeygen`, withPassword);
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': expect.stringMatching(/^multipart\/mixed/) },
    });
    expect(answer.headers['content-transfer-encoding']).toBeUndefined();
  });

  it.each([
    ['text for a client with a user agent', {}, 'The request is pending. Send it again in 7 seconds.\n'],
    ['without text for other clients', NAMELESS, ''],
  ])('contains the retry time: %s', async (_what, headers, text) => {
    test.profiles.set('profile devices', servedProfile({ retryAfter: 7 }));
    test.est.outcome = { state: 'waiting' };
    const asked = { body, headers: { authorization: AUTHORIZATION, ...headers } };
    expect(await test.ask(`${BELOW}/simpleenroll`, asked)).toMatchObject({
      status: 202,
      headers: { 'retry-after': '7' },
      text,
    });
  });

  it.each([
    [
      'text for a client with a user agent',
      {},
      /Authenticate with a TLS client certificate or a username and password\./,
    ],
    ['without text for other clients without credentials', NAMELESS, /^$/],
    [
      'text for other clients with incorrect credentials',
      { ...NAMELESS, authorization: basic('device:x') },
      /^The username or password is incorrect\.$/m,
    ],
  ])('requests a password: %s', async (_what, headers, words) => {
    expect(await test.ask(`${BELOW}/simpleenroll`, { body, headers })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="EST", charset="UTF-8"' },
      text: expect.stringMatching(words),
    });
  });

  it('reveals only the request ID of an internal error, which is logged', async () => {
    test.profiles.set('profile devices', servedProfile());
    test.est.secrets.get = () => {
      throw new Error('canary');
    };
    const asked = { body, headers: { authorization: basic('stranger:x') } };
    const { status, text } = await test.ask(`${BELOW}/simpleenroll`, asked);
    expect([status, text]).toEqual([
      500,
      expect.stringMatching(/^Internal error\. Include request ID \S+ when you report it\.$/m),
    ]);
    expect(test.logged).toEqual([expect.stringMatching(/canary.*an EST request failed/s)]);
  });
});

describe('rejected credentials', () => {
  it("are counted for the client's IP address", async () => {
    const headers = { authorization: basic('device:guessed'), 'x-forwarded-for': '2001:db8::7' };
    expect(await test.ask(`${BELOW}/simpleenroll`, { body, headers })).toMatchObject({ status: 401 });
    expect(test.refusedOf).toEqual(['2001:db8:0:0::/64']);
  });

  it('result in status 429 beyond the limit', async () => {
    test.take = () =>
      Promise.reject(new AppError('too_many_requests', { what: 'failed authentication attempts', retryAfterS: 9 }));
    const asked = { body, headers: { authorization: basic('device:guessed') } };
    expect(await test.ask(`${BELOW}/simpleenroll`, asked)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '9' },
      text: 'Too many failed authentication attempts; try again in 9 s.\n',
    });
  });

  it('do not affect correct credentials, even beyond the limit', async () => {
    test.take = () =>
      Promise.reject(new AppError('too_many_requests', { what: 'failed authentication attempts', retryAfterS: 9 }));
    await test.ask(`${BELOW}/simpleenroll`, { body, headers: { authorization: basic('device:guessed') } });
    expect(await test.ask(`${BELOW}/simpleenroll`, withPassword)).toMatchObject({ status: 200 });
  });

  it.each([
    ['if none were sent', { body }, 401],
    ['if they are correct', { ...withPassword }, 200],
    ['if the request is rejected for a different reason', { ...withPassword, body: '' }, 400],
  ])('are not counted %s', async (_what, asked, status) => {
    expect(await test.ask(`${BELOW}/simpleenroll`, asked)).toMatchObject({ status });
    expect(test.refusedOf).toEqual([]);
  });
});

describe('a certificate forwarded by a trusted proxy', () => {
  const PEM = encodeURIComponent(`-----BEGIN CERTIFICATE-----\n${AUTHORITY}\n-----END CERTIFICATE-----\n`);
  it.each([
    [
      'does not identify a client if the header is empty',
      { 'ssl-client-cert': ' ' },
      401,
      'Authenticate with a TLS client certificate or a username and password.',
    ],
    ['must be a certificate', { 'ssl-client-cert': '%' }, 401, 'the certificate header does not contain a certificate'],
    ['must be parsable', { 'ssl-client-cert': 'bm8=' }, 403, 'The client certificate cannot be parsed'],
    [
      'can be in both headers',
      { 'ssl-client-cert': PEM, 'x-app-certificate': AUTHORITY },
      403,
      'The client certificate CN=authority, O=Test is not accepted',
    ],
    [
      'must not contradict the other header',
      { 'ssl-client-cert': PEM, 'x-app-certificate': 'bm8=' },
      401,
      'the certificate headers contradict each other',
    ],
  ])('%s', async (_what, headers, status, words) => {
    const answer = await test.ask(`${BELOW}/simplereenroll`, { body, headers });
    expect(answer).toMatchObject({ status, text: expect.stringContaining(words) });
    expect('www-authenticate' in answer.headers).toBe(status === 401);
  });

  it('is not read if clients do not need to be identified', async () => {
    expect(await test.ask(`${BELOW}/cacerts`, { headers: { 'ssl-client-cert': '%' } })).toMatchObject({ status: 200 });
  });

  it('does not permit channel binding, because the connection terminates at the proxy', async () => {
    test.profiles.set('profile devices', servedProfile({ requireLinking: true }));
    const answer = await test.ask(`${BELOW}/simpleenroll`, withPassword);
    expect(answer).toMatchObject({
      status: 400,
      text: expect.stringContaining('The profile requires channel binding, but this connection ends at a proxy.'),
    });
  });
});
