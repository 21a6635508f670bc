import { createHmac, timingSafeEqual } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseJws, readJwk, verifyJws, verifyJwsMac } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { acmeAbuses, type AcmeAbuse } from './acme-abuses.ts';
import { ACME_KEY_SPECS, acmeKey, dnsChallengeValue, generateAcmeKey, type AcmeTestKey } from './acme-key.ts';
import { createAcmeTestClient, type AcmeTestClient } from './acme-client.ts';
import { startReferenceServer, type ReferenceServer, type SeenRequest } from './testing/reference-server.ts';
import type { AcmeReply } from './acme-transport.ts';

async function startClient(key: AcmeTestKey = generateAcmeKey()) {
  const server = await startReferenceServer();
  const client = createAcmeTestClient({ directoryUrl: server.directoryUrl, key });
  return { server, client };
}

const seenRequest = (reply: AcmeReply): SeenRequest => reply.body as SeenRequest;
const json = (text: string): unknown => JSON.parse(text);

describe('the test client', () => {
  it.each(ACME_KEY_SPECS.filter((spec) => spec !== 'RSA-1024'))(
    'creates verifiable signatures with a %s key',
    async (spec) => {
      const { server, client } = await startClient(generateAcmeKey(spec));
      const account = await client.newAccount({ contact: ['mailto:a@example.com'] });
      expect(account).toMatchObject({ status: 200, location: client.accountUrl, problem: undefined });
      expect(seenRequest(account)).toMatchObject({ thumbprint: client.key.thumbprint });
      expect(seenRequest(account).kid).toBeUndefined();
      const reply = await client.signed(server.resourceUrl, { a: 1 });
      expect(reply.body).toEqual({ payload: '{"a":1}', kid: client.accountUrl, thumbprint: client.key.thumbprint });
    },
  );

  it('sends POST-as-GET requests, text and bytes unchanged', async () => {
    const { server, client } = await startClient();
    await client.newAccount();
    const payloads = [];
    for (const payload of [undefined, {}, 'no JSON', Buffer.from('octets')]) {
      payloads.push(seenRequest(await client.signed(server.resourceUrl, payload)).payload);
    }
    expect(payloads).toEqual(['', '{}', 'no JSON', 'octets']);
  });

  it('uses every nonce only once, and fetches a new one if it has none', async () => {
    const { server, client } = await startClient();
    await client.newAccount();
    const replies = await Promise.all(Array.from({ length: 8 }, () => client.signed(server.resourceUrl)));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const nonce = await client.takeNonce();
    expect((await client.signed(server.resourceUrl, {}, { header: { nonce } })).status).toBe(200);
    expect(await client.signed(server.resourceUrl, {}, { header: { nonce } })).toMatchObject({
      status: 400,
      problem: 'badNonce',
    });
  });

  it('places orders for DNS names and IP addresses', async () => {
    const { client } = await startClient();
    await client.newAccount();
    const payload = seenRequest(await client.newOrder(['a.example', '127.0.0.1', '::1'])).payload;
    expect(json(payload)).toEqual({
      identifiers: [
        { type: 'dns', value: 'a.example' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ],
    });
    expect(json(seenRequest(await client.newOrder({ identifiers: 'none' })).payload)).toEqual({ identifiers: 'none' });
  });

  it('changes its key with a JWS inside a JWS (RFC 8555 §7.3.5)', async () => {
    const { client } = await startClient();
    await client.newAccount();
    const [oldKey, newKey] = [client.key, generateAcmeKey('P-384')];
    const reply = await client.keyChange(newKey);
    const inner = parseJws(json(seenRequest(reply).payload));
    const { keyChange } = await client.directory();
    expect(inner.header).toEqual({ alg: 'ES384', jwk: newKey.jwk, url: keyChange });
    const key = readJwk(inner.header.jwk, nodeCrypto.sha256);
    expect(() => verifyJws(inner, { key, verify: nodeCrypto.verify })).not.toThrow();
    expect(json(Buffer.from(inner.payload).toString())).toEqual({ account: client.accountUrl, oldKey: oldKey.jwk });
    expect(client.key).toBe(newKey);
  });

  it('binds external accounts with a MAC (RFC 8555 §7.3.4)', async () => {
    const { client } = await startClient();
    const macKey = Buffer.alloc(32, 9);
    const jws = parseJws(await client.eab({ keyId: 'key-1', macKey: macKey.toString('base64url') }));
    expect(jws.header).toEqual({ alg: 'HS256', kid: 'key-1', url: (await client.directory()).newAccount });
    expect(json(Buffer.from(jws.payload).toString())).toEqual(client.key.jwk);
    const mac = {
      hmac: (digest: string, key: Uint8Array, data: Uint8Array) => createHmac(digest, key).update(data).digest(),
      timingSafeEqual,
    };
    expect(() => verifyJwsMac(jws, { key: macKey, mac })).not.toThrow();
    const broken = await client.eab({ keyId: 'key-1', macKey }, { header: { url: 'https://ca.example/' } });
    expect(parseJws(broken).header.url).toBe('https://ca.example/');
  });

  it("revokes with the certificate's key, and includes the key in the header", async () => {
    const { client } = await startClient();
    await client.newAccount();
    const key = generateAcmeKey();
    const reply = seenRequest(await client.revoke(Uint8Array.of(1, 2), { reason: 1, key, by: 'jwk' }));
    expect(reply).toEqual({ payload: '{"certificate":"AQI","reason":1}', thumbprint: key.thumbprint });
  });

  it('polls until an object has the expected state, and reports the object on timeout', async () => {
    const { server, client } = await startClient();
    await client.newAccount();
    let asked = 0;
    const poll = { until: () => ++asked === 3, intervalMs: 1 };
    expect((await client.pollUntil(server.resourceUrl, poll)).status).toBe(200);
    expect(asked).toBe(3);
    const never = client.pollUntil(server.resourceUrl, { until: () => false, timeoutMs: 20, intervalMs: 1 });
    await expect(never).rejects.toThrow(/thumbprint/);
  });

  it('computes the thumbprint and challenge values', () => {
    const key = acmeKey(generateAcmeKey('RSA-2048').privateKey);
    const { thumbprint } = readJwk(key.jwk, nodeCrypto.sha256);
    expect(key.thumbprint).toBe(thumbprint);
    const digest = nodeCrypto.sha256(Buffer.from(`token.${thumbprint}`));
    expect(dnsChallengeValue('token', key)).toBe(Buffer.from(digest).toString('base64url'));
  });
});

/** Requests that name the account, and requests that contain the key. */
const forms = { kid: 'by account', jwk: 'by key' } as const;

describe.each(['P-256', 'RSA-2048', 'Ed25519'] as const)(
  'invalid requests created by a client with a %s key',
  (spec) => {
    const [key, foreignKey] = [generateAcmeKey(spec), generateAcmeKey(spec)];

    async function abuse(
      { server, client }: { server: ReferenceServer; client: AcmeTestClient },
      { overrides }: AcmeAbuse,
    ): Promise<readonly AcmeReply[]> {
      const replies = [];
      await client.newAccount();
      for (const by of Object.keys(forms) as (keyof typeof forms)[]) {
        const context = {
          key,
          foreignKey,
          url: server.resourceUrl,
          ...(client.accountUrl !== undefined && { accountUrl: client.accountUrl }),
        };
        replies.push(await client.signed(server.resourceUrl, { a: 1 }, { by, ...overrides(context) }));
        // The unmodified request succeeds, so the abuse was the reason for the rejection.
        expect((await client.signed(server.resourceUrl, { a: 1 }, { by })).status).toBe(200);
      }
      return replies;
    }

    it.each(Object.entries<AcmeAbuse>(acmeAbuses))('are rejected: %s', async (_, each) => {
      const context = await startClient(key);
      for (const { status, problem } of await abuse(context, each)) {
        expect(each.problems).toContain(problem);
        expect(each.statuses).toContain(status);
      }
    });
  },
);
