// What clients are answered, which credentials count as refused, and what a trusted proxy passes on.
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

describe('an answer', () => {
  it('is Base64 in lines, is not kept, and says so in the words that older clients need', async () => {
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

  it('is one line for clients that do not say what they are', async () => {
    const { text } = await test.ask(`${BELOW}/cacerts`, { headers: NAMELESS });
    expect(text).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect(certificatesIn(text)).toEqual([AUTHORITY]);
  });

  it('is no Base64 as a whole where it has parts', async () => {
    test.profiles.set('profile devices', servedProfile({ serverKeys: true }));
    const answer = await test.ask(`${BELOW}/serverkeygen`, withPassword);
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': expect.stringMatching(/^multipart\/mixed/) },
    });
    expect(answer.headers['content-transfer-encoding']).toBeUndefined();
  });

  it.each([
    ['words for a client that says what it is', {}, 'The request waits. Send it again in 7 seconds.\n'],
    ['none for another', NAMELESS, ''],
  ])('says when to ask again, with %s', async (_what, headers, text) => {
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
    ['words for a client that says what it is', {}, /^Identify yourself by a TLS client certificate/],
    ['none for another that has sent none', NAMELESS, /^$/],
    ['words for another that has sent a wrong one', { ...NAMELESS, authorization: basic('device:x') }, /is wrong/],
  ])('asks for a password, with %s', async (_what, headers, words) => {
    expect(await test.ask(`${BELOW}/simpleenroll`, { body, headers })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="EST", charset="UTF-8"' },
      text: expect.stringMatching(words),
    });
  });

  it('tells nothing of a fault but the number of the request, and logs it', async () => {
    test.profiles.set('profile devices', servedProfile());
    test.est.secrets.get = () => {
      throw new Error('canary');
    };
    const asked = { body, headers: { authorization: basic('stranger:x') } };
    const { status, text } = await test.ask(`${BELOW}/simpleenroll`, asked);
    expect([status, text]).toEqual([
      500,
      expect.stringMatching(/^Something went wrong on our side. Quote request \S+ /),
    ]);
    expect(test.logged).toEqual([expect.stringMatching(/canary.*a request over EST failed/s)]);
  });
});

describe('credentials that are refused', () => {
  it('count for the address of the client', async () => {
    const headers = { authorization: basic('device:guessed'), 'x-forwarded-for': '2001:db8::7' };
    expect(await test.ask(`${BELOW}/simpleenroll`, { body, headers })).toMatchObject({ status: 401 });
    expect(test.refusedOf).toEqual(['2001:db8:0:0::/64']);
  });

  it('are refused with 429 beyond the limit', async () => {
    test.take = () =>
      Promise.reject(new AppError('too_many_requests', { what: 'refused credentials', retryAfterS: 9 }));
    const asked = { body, headers: { authorization: basic('device:guessed') } };
    expect(await test.ask(`${BELOW}/simpleenroll`, asked)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '9' },
      text: 'Too many refused credentials; try again in 9 s.\n',
    });
  });

  it('that are right pass beyond the limit', async () => {
    test.take = () =>
      Promise.reject(new AppError('too_many_requests', { what: 'refused credentials', retryAfterS: 9 }));
    await test.ask(`${BELOW}/simpleenroll`, { body, headers: { authorization: basic('device:guessed') } });
    expect(await test.ask(`${BELOW}/simpleenroll`, withPassword)).toMatchObject({ status: 200 });
  });

  it.each([
    ['where none were sent', { body }, 401],
    ['where they are right', { ...withPassword }, 200],
    ['where something else is refused', { ...withPassword, body: '' }, 400],
  ])('do not count %s', async (_what, asked, status) => {
    expect(await test.ask(`${BELOW}/simpleenroll`, asked)).toMatchObject({ status });
    expect(test.refusedOf).toEqual([]);
  });
});

describe('the certificate that a trusted proxy passes on', () => {
  const PEM = encodeURIComponent(`-----BEGIN CERTIFICATE-----\n${AUTHORITY}\n-----END CERTIFICATE-----\n`);
  it.each([
    ['identifies nobody by an empty header', { 'ssl-client-cert': ' ' }, 401, 'Identify yourself'],
    ['has to be one', { 'ssl-client-cert': '%' }, 401, 'the certificate header does not hold a certificate'],
    ['has to be readable', { 'ssl-client-cert': 'bm8=' }, 403, 'The client certificate cannot be read'],
    [
      'may come in both headers',
      { 'ssl-client-cert': PEM, 'x-app-certificate': AUTHORITY },
      403,
      'The client certificate CN=authority, O=Test is not accepted',
    ],
    [
      'may not contradict the other header',
      { 'ssl-client-cert': PEM, 'x-app-certificate': 'bm8=' },
      401,
      'the certificate headers contradict each other',
    ],
  ])('%s', async (_what, headers, status, words) => {
    const answer = await test.ask(`${BELOW}/simplereenroll`, { body, headers });
    expect(answer).toMatchObject({ status, text: expect.stringContaining(words) });
    expect('www-authenticate' in answer.headers).toBe(status === 401);
  });

  it('is not asked for where nobody has to be identified', async () => {
    expect(await test.ask(`${BELOW}/cacerts`, { headers: { 'ssl-client-cert': '%' } })).toMatchObject({ status: 200 });
  });

  it('leaves requests that are linked to their connection refused: it ends at the proxy', async () => {
    test.profiles.set('profile devices', servedProfile({ requireLinking: true }));
    const answer = await test.ask(`${BELOW}/simpleenroll`, withPassword);
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('this one ends at a proxy') });
  });
});
