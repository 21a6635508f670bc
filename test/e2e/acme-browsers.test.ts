// ACME clients in browsers: what pages of a different origin can do and read (CORS protocol), on ACME resources only.
import { beforeAll, describe, expect, it } from 'vitest';
import type { AcmeTestClient } from '@signetry/testkit/acme';
import { sharedAcmeServer } from './testing/acme-server.ts';

const acme = sharedAcmeServer();
const origin = 'https://client.example';
let client: AcmeTestClient;

beforeAll(async () => {
  client = await acme.account();
});

const preflight = (url: string) =>
  client.request(url, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  });

describe('a page from a different origin', () => {
  it('can send signed requests to every ACME resource', async () => {
    const { newNonce, newAccount, newOrder, revokeCert, keyChange } = await client.directory();
    const { body: order, location = '' } = await client.newOrder([acme.host('page')]);
    const { body: authorization } = await client.authorization(order.authorizations[0] ?? '');
    const challenge = authorization.challenges[0]?.url ?? '';
    const urls = [newNonce, newAccount, newOrder, revokeCert, keyChange, location, order.finalize, challenge];
    for (const url of [acme.server.ready.acmeDirectory, ...urls]) {
      const { status, headers, text } = await preflight(url);
      expect([url, status, text]).toEqual([url, 204, '']);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-methods']).toBe('GET, HEAD, POST');
      expect(headers['access-control-allow-headers']).toBe('Content-Type');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  it('can read the headers required by the protocol, in both successful and error responses', async () => {
    const { newNonce, newOrder } = await client.directory();
    const replies = [
      await client.request(acme.server.ready.acmeDirectory, { headers: { origin } }),
      await client.request(newNonce, { method: 'HEAD', headers: { origin } }),
      await client.newOrder([acme.host('page')], { headers: { origin } }),
      await client.signed(newOrder, { identifiers: [] }, { headers: { origin } }),
      await client.request(newOrder, { method: 'POST', headers: { origin, 'content-type': 'text/plain' }, body: 'x' }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 201, 400, 415]);
    for (const { headers } of replies) {
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-expose-headers']).toBe('Link, Location, Replay-Nonce, Retry-After');
    }
  });

  it('alone gets these headers: other responses contain only Vary (getssl reads the first "location")', async () => {
    const { newNonce } = await client.directory();
    const replies = [
      await client.request(acme.server.ready.acmeDirectory),
      await client.request(newNonce, { method: 'HEAD' }),
      await client.newOrder([acme.host('page')]),
    ];
    for (const { headers } of replies) {
      expect(headers['vary']).toBe('Origin');
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  it('has no access to the rest of the platform', async () => {
    const { api, http } = acme.server.ready;
    for (const url of [`${api}/v1/acmeProfiles`, `${api}/v1/groups`, `${http}/login`, `${api}/v1/health`]) {
      for (const reply of [await preflight(url), await client.request(url, { headers: { origin } })])
        expect(reply.headers, url).not.toHaveProperty('access-control-allow-origin');
    }
  });
});
