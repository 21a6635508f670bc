// Addresses and bodies, by requests that need no socket; answers are tested in http-answers.test.ts.
import { readPkcs7 } from '@signetry/pki';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRoot } from '../../areas/certificates/testing/test-certificates.ts';
import { requestFor, servedProfile } from './testing/est-requests.ts';
import { AUTHORIZATION, createTestEstServer, type RequestFacts, type TestEstServer } from './testing/est-server.ts';

const authority = (await makeRoot('authority')).der;
const body = Buffer.from(await requestFor('CN=printer-1')).toString('base64');
const BELOW = '/.well-known/est/devices';
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

describe('the address of a profile', () => {
  it.each([
    ['is its name as the label', BELOW],
    ['is nothing where it is the default', '/.well-known/est'],
    ['is its name below the API', '/api/v1/protocols/est/devices'],
    ['is the name of its RA profile below the API', '/api/v1/protocols/est/raProfile/ra'],
  ])('%s', async (_what, path) => {
    test.defaultName = 'devices';
    test.profiles.set('raProfile ra', servedProfile({ family: 'raProfile' }));
    const answer = await test.ask(`${path}/cacerts`);
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/pkcs7-mime' } });
    expect(certificatesIn(answer.text)).toEqual([AUTHORITY]);
    expect(await test.ask(`${path}/simpleenroll`, withPassword)).toMatchObject({ status: 200 });
  });

  const raProfile = servedProfile().raProfile ?? expect.fail('no RA profile');
  it.each([
    ['that nobody gave', undefined, 'No EST profile is served under the name devices.'],
    ['of a disabled one', servedProfile({ enabled: false }), 'The EST profile devices is disabled.'],
    [
      'of one without RA profile',
      servedProfile({ raProfile: undefined }),
      'The EST profile devices has no RA profile.',
    ],
    [
      'of a disabled RA profile',
      servedProfile({ raProfile: { ...raProfile, enabled: false } }),
      'The RA profile ra is disabled.',
    ],
  ])('%s serves nothing', async (_what, profile, words) => {
    test.profiles.clear();
    if (profile) test.profiles.set('profile devices', profile);
    expect(await test.ask(`${BELOW}/cacerts`)).toMatchObject({ status: 404, text: `${words}\n` });
    expect(await test.ask(`${BELOW}/simpleenroll`, withPassword)).toMatchObject({ status: 404, text: `${words}\n` });
  });

  it('cannot be left out where none is the default', async () => {
    expect(await test.ask('/.well-known/est/cacerts')).toMatchObject({
      status: 404,
      text: 'No EST profile is the default. Put the name of a profile before the operation.\n',
    });
  });

  it.each([
    ['GET', 'simpleenroll', 405],
    ['POST', 'cacerts', 405],
    ['POST', 'simplyenroll', 404],
  ] as const)('takes no %s of %s', async (method, operation, status) => {
    expect(await test.ask(`${BELOW}/${operation}`, { ...withPassword, method })).toMatchObject({ status });
  });
});

describe('EST', () => {
  it.each([
    ['without TLS', { headers: { 'x-forwarded-proto': 'http' } }],
    ['where another address than the proxy says that it was TLS', { from: '192.0.2.2' }],
  ])('is not served %s', async (_what, asked: RequestFacts) => {
    const answer = await test.ask(`${BELOW}/cacerts`, asked);
    expect(answer).toMatchObject({ status: 403, text: 'EST is served over HTTPS only (RFC 7030 §3.3).\n' });
  });

  it.each([`${BELOW}`, '/.well-known/est', '/api/v1/protocols/est/devices', '/api/v1/protocols/est/raProfile/ra'])(
    'offers no fullcmc at %s, and says what else to use before it reads the body',
    async (path) => {
      const headers = { 'content-type': 'application/pkcs7-mime; smime-type=CMC-request' };
      expect(await test.ask(`${path}/fullcmc`, { body: 'MAA=', headers })).toMatchObject({
        status: 501,
        text: 'This server does not offer fullcmc. Use simpleenroll with a key of your own.\n',
      });
    },
  );

  it('says that the CA certificate is not known, where it is not', async () => {
    test.est.authorities = { chain: [], own: [], trusted: [] };
    const text = 'The CA certificate of the RA profile ra is not known.\n';
    expect(await test.ask(`${BELOW}/cacerts`)).toMatchObject({ status: 404, text });
  });

  it('tells what requests are to hold, or 204 where nothing is asked', async () => {
    expect(await test.ask(`${BELOW}/csrattrs`)).toMatchObject({ status: 204, text: '' });
    test.profiles.set('profile devices', servedProfile({ requireLinking: true }));
    const answer = await test.ask(`${BELOW}/csrattrs`);
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/csrattrs' } });
    // SEQUENCE { challengePassword }
    expect(Buffer.from(answer.text, 'base64').toString('hex')).toBe('300b06092a864886f70d010907');
  });
});

describe('the body of a request', () => {
  it.each(['text/plain', 'application/json', 'application/pkcs7-mime', ''])(
    'has to have the media type of PKCS#10, not %j',
    async (media) => {
      const headers = { authorization: AUTHORIZATION, 'content-type': media };
      const answer = await test.ask(`${BELOW}/simpleenroll`, { body, headers });
      expect(answer).toMatchObject({ status: 415, text: 'The body must have the media type application/pkcs10.\n' });
      expect(test.est.begun).toEqual([]);
    },
  );

  it('may have parameters behind its media type', async () => {
    const headers = { authorization: AUTHORIZATION, 'content-type': 'application/pkcs10; charset=utf-8' };
    expect(await test.ask(`${BELOW}/simpleenroll`, { body, headers })).toMatchObject({ status: 200 });
  });

  it.each([
    ['65536 octets are read', 65_536, 400, 'The body is neither Base64 nor DER of a PKCS#10 request.\n'],
    ['65537 octets are too many', 65_537, 413, 'The body is larger than 65536 bytes.\n'],
    ['none are too few', 0, 400, 'The body is empty; it must be a PKCS#10 request in Base64.\n'],
  ])('%s', async (_what, octets, status, text) => {
    const asked = { body: new Uint8Array(octets), headers: { authorization: AUTHORIZATION } };
    expect(await test.ask(`${BELOW}/simpleenroll`, asked)).toMatchObject({ status, text });
  });
});
