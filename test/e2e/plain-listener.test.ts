// A plain HTTP listener that serves only resources that must be available without TLS, and the http URLs in
// certificates.
import { readFile } from 'node:fs/promises';
import { connect } from 'node:tls';
import { parseCertificate, type Certificate } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { describe, expect, it } from 'vitest';
import { send } from './testing/raw-request.ts';

const args = [
  '--public-url',
  'https://localhost',
  '--revocation-url',
  'http://crl.example',
  '--http-serves',
  'revocation',
];
const server = sharedTestServer({ args });
/** The name does not resolve here: requests go to the listener with this Host header. */
const headers = { host: 'crl.example' };

/** Returns the certificate of the HTTPS listener, which the default RA profile issued. */
async function ownCertificate(): Promise<Certificate> {
  const { hostname, port } = new URL(server.ready.https);
  const ca = await readFile(server.ready.rootCertificate, 'utf8');
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), ca }, () => {
      resolve(parseCertificate(socket.getPeerCertificate().raw));
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

const pathOf = (url: string | undefined): string => new URL(url ?? '').pathname;

describe('certificates on a platform with a public HTTPS name', () => {
  it('contain http URLs for CRLs, OCSP and CA certificates', async () => {
    const { crlUrls, ocspUrls, caIssuersUrls } = await ownCertificate();
    expect(crlUrls).toEqual([expect.stringMatching(/^http:\/\/crl\.example\/crl\/[0-9a-f-]{36}\.crl$/)]);
    expect(ocspUrls).toEqual([expect.stringMatching(/^http:\/\/crl\.example\/ocsp\/[0-9a-f-]{36}$/)]);
    expect(caIssuersUrls).toEqual([expect.stringMatching(/^http:\/\/crl\.example\/ca\/[0-9a-f-]{36}\.crt$/)]);
  });
});

describe('a plain listener for revocation information', () => {
  it('serves CRLs, OCSP responses, CA certificates and health checks', async () => {
    const { crlUrls, ocspUrls, caIssuersUrls } = await ownCertificate();
    for (const path of [pathOf(crlUrls[0]), pathOf(caIssuersUrls[0]), '/health/live', '/health/ready'])
      expect((await send(server.ready.http, path, { headers })).status, path).toBe(200);
    const type = 'application/ocsp-request';
    const request = { method: 'POST', headers: { ...headers, 'content-type': type }, body: 'x' };
    expect((await send(server.ready.http, pathOf(ocspUrls[0]), request)).status).toBe(200);
  });

  it.each([
    '/api/v1/health/liveness',
    '/api/docs',
    '/metrics',
    '/acme/default/directory',
    '/root-ca.pem',
    '/ca',
    '/crl',
  ])('rejects %s and returns the correct URL', async (path) => {
    const { status, text } = await send(server.ready.http, path);
    expect(status).toBe(421);
    expect(text).toContain('Use https://localhost');
  });

  it('rejects bodies and credentials instead of redirecting, since a redirect would prompt clients to resend them', async () => {
    const accept = 'text/html';
    const withCredential = { headers: { accept, authorization: 'Bearer x' } };
    expect((await send(server.ready.http, '/api/v1/users', withCredential)).status).toBe(421);
    const login = { method: 'POST', headers: { accept, 'content-type': 'application/json' }, body: '{}' };
    expect((await send(server.ready.http, '/api/v1/certificates', login)).status).toBe(421);
  });

  it('redirects browsers to HTTPS', async () => {
    const { status, headers: answered } = await send(server.ready.http, '/certificates?page=2', {
      headers: { accept: 'text/html' },
    });
    expect(status).toBe(307);
    expect(answered).toMatchObject({ location: 'https://localhost/certificates?page=2', 'cache-control': 'no-store' });
  });

  it('leaves everything else to HTTPS, including local command-line access', async () => {
    const { ready } = server;
    expect(ready.api).toBe(`${ready.https}/api`);
    const tls = { ca: await readFile(ready.rootCertificate, 'utf8') };
    expect((await send(ready.https, '/api/v1/health/liveness', { tls })).status).toBe(200);
  });
});
