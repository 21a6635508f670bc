// URLs and bodies, with requests that need no socket; responses are tested in http-responses.test.ts.
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

describe('the URL of a profile', () => {
  it.each([
    ['contains its name as the label', BELOW],
    ['contains no label if it is the default', '/.well-known/est'],
    ['contains its name below the API path', '/api/v1/protocols/est/devices'],
    ['contains the name of its RA profile below the API path', '/api/v1/protocols/est/raProfile/ra'],
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
    ['that does not exist', undefined, 'No EST profile is served under the name devices.'],
    ['that is disabled', servedProfile({ enabled: false }), 'The EST profile devices is disabled.'],
    ['without an RA profile', servedProfile({ raProfile: undefined }), 'The EST profile devices has no RA profile.'],
    [
      'with a disabled RA profile',
      servedProfile({ raProfile: { ...raProfile, enabled: false } }),
      'The RA profile ra is disabled.',
    ],
  ])('%s serves no requests', async (_what, profile, words) => {
    test.profiles.clear();
    if (profile) test.profiles.set('profile devices', profile);
    expect(await test.ask(`${BELOW}/cacerts`)).toMatchObject({ status: 404, text: `${words}\n` });
    expect(await test.ask(`${BELOW}/simpleenroll`, withPassword)).toMatchObject({ status: 404, text: `${words}\n` });
  });

  it('must contain a label if there is no default profile', async () => {
    expect(await test.ask('/.well-known/est/cacerts')).toMatchObject({
      status: 404,
      text: 'No EST profile is the default. Specify a profile name before the operation in the URL.\n',
    });
  });

  it.each([
    ['GET', 'simpleenroll', 405],
    ['POST', 'cacerts', 405],
    ['POST', 'simplyenroll', 404],
  ] as const)('does not accept %s %s', async (method, operation, status) => {
    expect(await test.ask(`${BELOW}/${operation}`, { ...withPassword, method })).toMatchObject({ status });
  });
});

describe('EST', () => {
  it.each([
    ['without TLS', { headers: { 'x-forwarded-proto': 'http' } }],
    ['if an IP address other than the proxy claims that TLS was used', { from: '192.0.2.2' }],
  ])('is not served %s', async (_what, asked: RequestFacts) => {
    const answer = await test.ask(`${BELOW}/cacerts`, asked);
    expect(answer).toMatchObject({ status: 403, text: 'EST is served only over HTTPS (RFC 7030 §3.3).\n' });
  });

  it.each([`${BELOW}`, '/.well-known/est', '/api/v1/protocols/est/devices', '/api/v1/protocols/est/raProfile/ra'])(
    'rejects fullcmc at %s, suggesting an alternative, before reading the body',
    async (path) => {
      const headers = { 'content-type': 'application/pkcs7-mime; smime-type=CMC-request' };
      expect(await test.ask(`${path}/fullcmc`, { body: 'MAA=', headers })).toMatchObject({
        status: 501,
        text: 'This server does not support fullcmc. Use simpleenroll with a key generated on the client.\n',
      });
    },
  );

  it('reports an unknown CA certificate', async () => {
    test.est.authorities = { chain: [], own: [], trusted: [] };
    const text = 'The CA certificate of the RA profile ra is not known.\n';
    expect(await test.ask(`${BELOW}/cacerts`)).toMatchObject({ status: 404, text });
  });

  it('returns the attributes that requests must contain, or status 204 if none are required', async () => {
    expect(await test.ask(`${BELOW}/csrattrs`)).toMatchObject({ status: 204, text: '' });
    test.profiles.set('profile devices', servedProfile({ requireLinking: true }));
    const answer = await test.ask(`${BELOW}/csrattrs`);
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/csrattrs' } });
    // SEQUENCE { challengePassword }
    expect(Buffer.from(answer.text, 'base64').toString('hex')).toBe('300b06092a864886f70d010907');
  });
});

describe('a request body', () => {
  it.each(['text/plain', 'application/json', 'application/pkcs7-mime', ''])(
    'must have the PKCS #10 media type, not %j',
    async (media) => {
      const headers = { authorization: AUTHORIZATION, 'content-type': media };
      const answer = await test.ask(`${BELOW}/simpleenroll`, { body, headers });
      expect(answer).toMatchObject({ status: 415, text: 'The media type of the body must be application/pkcs10.\n' });
      expect(test.est.begun).toEqual([]);
    },
  );

  it('can have parameters after its media type', async () => {
    const headers = { authorization: AUTHORIZATION, 'content-type': 'application/pkcs10; charset=utf-8' };
    expect(await test.ask(`${BELOW}/simpleenroll`, { body, headers })).toMatchObject({ status: 200 });
  });

  it.each([
    ['can have 65,536 bytes', 65_536, 400, 'The body is neither a Base64 nor a DER encoding of a PKCS #10 request.\n'],
    ['cannot have 65,537 bytes', 65_537, 413, 'The request body is larger than 65536 bytes.\n'],
    ['cannot be empty', 0, 400, 'The body is empty; it must be a Base64-encoded PKCS #10 request.\n'],
  ])('%s', async (_what, octets, status, text) => {
    const asked = { body: new Uint8Array(octets), headers: { authorization: AUTHORIZATION } };
    expect(await test.ask(`${BELOW}/simpleenroll`, asked)).toMatchObject({ status, text });
  });
});
