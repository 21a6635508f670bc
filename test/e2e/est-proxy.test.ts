// EST behind a proxy that terminates TLS: the client certificate is in a header, which is trusted only from configured
// IP addresses. This test acts as the proxy, from one local IP address; the other is not trusted.
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { EstClient, estRequest, type EstIdentity } from './testing/est-client.ts';
import { send } from './testing/raw-request.ts';

const [PROXY, OTHER] = ['127.0.0.2', '127.0.0.1'];
/** Clients without a User-Agent get no body with a rejection that they can retry. */
const NAMED = { 'user-agent': 'device' };
const VIA = { ...NAMED, 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' };
const server = sharedTestServer({ args: ['--trusted-proxies', PROXY] });
const est = new EstClient(server);
let profile: string;
let device: EstIdentity;
let root: string;

beforeAll(async () => {
  profile = await est.serve();
  device = await est.enrolled('device-1', profile);
  root = Buffer.from(await est.root()).toString('base64');
});

interface ForwardedRequest {
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly profile?: string;
}

/** Sent by the proxy to the plain HTTP listener. */
const renew = async (passed: ForwardedRequest) =>
  send(server.ready.http, `/.well-known/est/${passed.profile ?? profile}/simplereenroll`, {
    method: 'POST',
    from: passed.from ?? PROXY,
    headers: { ...VIA, 'content-type': 'application/pkcs10', ...passed.headers },
    body: passed.body ?? (await estRequest('device-1')),
  });

const pemHeaders = () => ({ 'ssl-client-cert': encodeURIComponent(device.cert) });
const derHeaders = () => ({ 'x-app-certificate': Buffer.from(device.der).toString('base64') });

describe('EST behind a trusted proxy', () => {
  it('accepts the certificate in either header, and renews it', async () => {
    for (const headers of [pemHeaders(), derHeaders(), { ...pemHeaders(), ...derHeaders() }]) {
      const before = await est.count('device-1');
      expect(await renew({ headers })).toMatchObject({ status: 200 });
      expect(await est.count('device-1')).toBe(before + 1);
    }
  });

  it('serves CA certificates, regardless of the header', async () => {
    for (const headers of [VIA, { ...VIA, 'ssl-client-cert': 'nothing' }]) {
      const answer = await send(server.ready.http, `/.well-known/est/${profile}/cacerts`, { from: PROXY, headers });
      expect(answer).toMatchObject({ status: 200 });
    }
  });

  const refusals: readonly [string, number, string, () => ForwardedRequest][] = [
    ['a request without a header', 401, 'Authenticate with a TLS client certificate', () => ({})],
    [
      'an empty header',
      401,
      'Authenticate with a TLS client certificate',
      () => ({ headers: { 'ssl-client-cert': ' ' } }),
    ],
    ['a header that is not a certificate', 401, 'does not contain a certificate', () => ({ headers: { 'ssl-client-cert': '%' } })], // prettier-ignore
    ['bytes that are not a certificate', 403, 'cannot be parsed', () => ({ headers: { 'ssl-client-cert': 'bm8=' } })],
    [
      'two certificates',
      401,
      'contradict each other',
      () => ({ headers: { ...pemHeaders(), 'x-app-certificate': root } }),
    ],
    ['a certificate that identifies no client', 403, 'is not accepted', () => ({ headers: { 'x-app-certificate': root } })], // prettier-ignore
    ['a client that did not use TLS', 403, 'only over HTTPS', () => ({ headers: { ...pemHeaders(), 'x-forwarded-proto': 'http' } })], // prettier-ignore
  ];

  it.each(refusals)('rejects %s', async (_what, status, words, passed) => {
    const before = await est.count();
    const answer = await renew(passed());
    expect(answer).toMatchObject({ status, text: expect.stringContaining(words) });
    expect(answer.headers['www-authenticate'] !== undefined).toBe(status === 401);
    expect(await est.count()).toBe(before);
  });

  it('reports that requests cannot be linked to a TLS connection that ends at the proxy', async () => {
    const linked = await est.serve({ requireLinking: true });
    const answer = await renew({ headers: pemHeaders(), profile: linked });
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('this connection ends at a proxy') });
    const body = await estRequest('device-1', { challengePassword: 'x' });
    const challenged = await renew({ headers: pemHeaders(), body });
    expect(challenged).toMatchObject({
      status: 400,
      text: expect.stringContaining('Cannot verify the challengePassword'),
    });
  });
});

describe('proxy headers from an untrusted IP address', () => {
  it('do not enable EST on the plain HTTP listener', async () => {
    const answer = await renew({ from: OTHER, headers: pemHeaders() });
    expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('only over HTTPS') });
  });

  it('do not authenticate any client over HTTPS', async () => {
    const before = await est.count();
    const asked = { profile, body: await estRequest('device-1'), headers: { ...VIA, ...pemHeaders() } };
    const answer = await est.ask('simplereenroll', asked);
    expect(answer).toMatchObject({
      status: 401,
      text: expect.stringContaining('Authenticate with a TLS client certificate'),
    });
    expect(await est.count()).toBe(before);
  });
});

describe("a certificate on a TLS connection from a trusted proxy's address", () => {
  it('authenticates the client if the client itself is connected', async () => {
    const identity = await est.enrolled('beside-1', profile);
    const asked = { profile, identity, body: await estRequest('beside-1') };
    expect(await est.ask('simplereenroll', { ...asked, from: PROXY })).toMatchObject({ status: 200 });
    expect(await est.ask('simplereenroll', { ...asked, from: OTHER })).toMatchObject({ status: 200 });
  });

  it('does not authenticate any client if the request was forwarded', async () => {
    const identity = await est.enrolled('proxy-1', profile);
    const asked = { profile, identity, body: await estRequest('proxy-1'), headers: VIA };
    expect(await est.ask('simplereenroll', { ...asked, from: PROXY })).toMatchObject({ status: 401 });
  });
});
