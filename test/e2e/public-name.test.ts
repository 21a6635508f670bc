// Headers that a platform with a public HTTPS name sends to browsers, and where metrics and documentation are when they
// are moved or disabled.
import { readFile } from 'node:fs/promises';
import { sharedTestServer } from '@signetry/testkit/platform';
import { describe, expect, it } from 'vitest';
import { send } from './testing/raw-request.ts';

const args = ['--public-url', 'https://localhost', '--metrics', '127.0.0.1:0', '--docs', 'off'];
const server = sharedTestServer({ args });

describe('a platform with a public HTTPS name', () => {
  it('instructs browsers to use only HTTPS, under every name of its HTTPS listener', async () => {
    const { ready } = server;
    const tls = { ca: await readFile(ready.rootCertificate, 'utf8') };
    const headersOf = async (base: string, host: string) =>
      (await send(base, '/api/v1/health/liveness', { tls, headers: { host } })).headers;
    const { port } = new URL(ready.https);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`])
      expect(await headersOf(ready.https, host)).toMatchObject({
        'strict-transport-security': 'max-age=31536000',
        'cache-control': 'no-store',
      });
    expect(await headersOf(ready.http, 'localhost')).not.toHaveProperty('strict-transport-security');
  });
});

describe('metrics and documentation', () => {
  it('are served as configured', async () => {
    const { ready, running } = server;
    for (const path of ['/metrics', '/api/docs', '/api/openapi.json'])
      expect((await send(ready.http, path)).status, path).toBe(404);
    const { metrics, docs } = running.announcement;
    const { origin } = new URL(metrics ?? '');
    expect((await send(origin, '/metrics')).text).toMatch(/^signetry_http/m);
    expect((await send(origin, '/metrics', { headers: { host: 'evil.example' } })).status).toBe(421);
    expect(docs).toBeNull();
  });
});
