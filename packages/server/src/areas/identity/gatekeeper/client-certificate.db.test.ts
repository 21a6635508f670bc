import { writePem } from '@signetry/pki';
import { afterAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../platform/logging/logger.ts';
import { serve } from '../testing/http-fixture.ts';
import { identityFixture } from '../testing/identity-fixture.ts';
import { fingerprintOf } from '../users/user-certificate.ts';
import { gatekeeperFixture, listGroups, selfSigned } from '../testing/gatekeeper-fixture.ts';

const { database, direct, proxied, http, behindProxy, userWith, tokenOf, signIn, close } = await gatekeeperFixture();
afterAll(close);

let made = 0;
const newRoleName = (): string => `role-${++made}`;

type Headers = Readonly<Record<string, string>>;

describe('a TLS client certificate', () => {
  it('signs in its user, or nobody if it does not belong to a user', async () => {
    const [own, foreign] = [await selfSigned('own'), await selfSigned('foreign')];
    const { uuid } = direct.certificates.put(own.der);
    const user = await userWith([listGroups], direct, uuid);
    const profile = await http.send('/api/v1/auth/profile', { tls: own });
    expect([profile.status, profile.json['username']]).toEqual([200, user.username]);
    const unknown = await http.send('/api/v1/auth/profile', { tls: foreign });
    expect([unknown.status, unknown.json['message']]).toEqual([401, expect.stringContaining('belongs to no user')]);
    expect((await http.send('/api/v1/auth/profile', { tls: {} })).status).toBe(401);
  });

  it('is rejected within 5 s if it is revoked, expired or not yet valid', async () => {
    const own = await selfSigned('own');
    const { uuid } = direct.certificates.put(own.der);
    await userWith([listGroups], direct, uuid);
    const status = async () => {
      direct.clock.advance(4_500);
      return (await http.send('/api/v1/users', { tls: own })).status;
    };
    expect(await status()).toBe(200);
    for (const [broken, mended] of [
      [
        { state: 'revoked', revoked: true },
        { state: 'issued', revoked: false },
      ],
      [{ notAfter: new Date(0) }, { notAfter: new Date('2100-01-01') }],
      [{ notBefore: new Date('2100-01-01') }, { notBefore: new Date(0) }],
    ] as const) {
      direct.certificates.change(uuid, broken);
      expect(await status()).toBe(401);
      direct.certificates.change(uuid, mended);
      expect(await status()).toBe(200);
    }
  });

  it('does not authenticate changes requested by a page from a different site', async () => {
    const own = await selfSigned('own');
    const { uuid } = direct.certificates.put(own.der);
    const user = await userWith([{ resource: 'roles', action: null }], direct, uuid);
    const create = (headers: Record<string, string>) =>
      http.send('/api/v1/roles', { method: 'POST', body: { name: newRoleName() }, headers, tls: own });
    expect((await create({ 'sec-fetch-site': 'cross-site' })).status, user.username).toBe(401);
    expect((await create({})).status).toBe(201);
  });
});

describe('a certificate in a header', () => {
  const forms = (der: Uint8Array) => ({
    pem: encodeURIComponent(writePem('CERTIFICATE', der)),
    base64: Buffer.from(der).toString('base64'),
  });

  it('is ignored unless sent by a configured proxy', async () => {
    const certificate = direct.certificates.add();
    await userWith([listGroups], direct, certificate.uuid);
    for (const name of ['ssl-client-cert', 'x-app-certificate']) {
      for (const value of Object.values(forms(certificate.der))) {
        expect((await http.send('/api/v1/users', { headers: { [name]: value } })).status).toBe(401);
      }
    }
    const token = await tokenOf('admin');
    const both = { 'ssl-client-cert': forms(certificate.der).pem, authorization: token.authorization };
    expect((await http.send('/api/v1/auth/profile', { headers: both })).json['username']).toBe('admin');
  });

  it('signs in its user if sent by a configured proxy, in both headers and both formats', async () => {
    const certificate = proxied.certificates.add();
    const user = await userWith([listGroups], proxied, certificate.uuid);
    for (const name of ['ssl-client-cert', 'X-APP-CERTIFICATE']) {
      for (const value of Object.values(forms(certificate.der))) {
        const reply = await behindProxy.send('/api/v1/auth/profile', { headers: { [name]: value } });
        expect([reply.status, reply.json['username']]).toEqual([200, user.username]);
      }
    }
  });

  it('is rejected if it is unreadable, unknown, or revoked, or if it contradicts the other header', async () => {
    const [one, two] = [proxied.certificates.add(), proxied.certificates.add()];
    await userWith([listGroups], proxied, one.uuid);
    await userWith([listGroups], proxied, two.uuid);
    const revoked = proxied.certificates.add();
    await userWith([listGroups], proxied, revoked.uuid);
    proxied.certificates.change(revoked.uuid, { state: 'revoked', revoked: true });
    for (const headers of [
      { 'ssl-client-cert': 'nonsense%' },
      { 'ssl-client-cert': 'A'.repeat(25_000) },
      { 'ssl-client-cert': forms(Uint8Array.of(0x30, 0)).base64 },
      { 'ssl-client-cert': forms(revoked.der).pem },
      { 'ssl-client-cert': forms(one.der).pem, 'x-app-certificate': forms(two.der).pem },
    ] as readonly Headers[]) {
      expect((await behindProxy.send('/api/v1/users', { headers })).status).toBe(401);
    }
    expect((await behindProxy.send('/api/v1/users', { headers: { 'ssl-client-cert': '' } })).status).toBe(401);
  });

  it('takes precedence over a bearer token, but not over a session', async () => {
    const certificate = proxied.certificates.add();
    const user = await userWith([listGroups], proxied, certificate.uuid);
    const { token } = await proxied.area.createAccessToken({ username: 'admin', name: 'test' });
    const both = { 'ssl-client-cert': forms(certificate.der).pem, authorization: `Bearer ${token.reveal()}` };
    const name = async (headers: Record<string, string>) =>
      (await behindProxy.send('/api/v1/auth/profile', { headers })).json['username'];
    expect(await name(both)).toBe(user.username);
    expect(await name({ ...both, cookie: await signIn('admin', proxied, behindProxy) })).toBe('admin');
  });
});

describe("a certificate on a direct connection from a trusted proxy's address", () => {
  const PROXY = ['127.0.0.1'];

  /** A listener for direct connections on a node that trusts a proxy on the same address. */
  async function listener() {
    const [own, ofProxy] = [await selfSigned('own'), await selfSigned('proxy')];
    const lines: string[] = [];
    // The only method used on the stream.
    const destination = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream;
    const fixture = await identityFixture(database, {
      trustedProxies: PROXY,
      proxyCertificates: [fingerprintOf(ofProxy.der)],
      log: createLogger({ level: 'info', destination }),
    });
    const user = await userWith([listGroups], fixture, fixture.certificates.put(own.der).uuid);
    await userWith([listGroups], fixture, fixture.certificates.put(ofProxy.der).uuid);
    const server = await serve(fixture, { tls: await selfSigned('CN=server'), trustedProxies: PROXY });
    const profile = async (tls: typeof own, headers: Headers = {}) => {
      const { status, json } = await server.send('/api/v1/auth/profile', { tls, headers });
      return [status, json['username']];
    };
    return { own, ofProxy, user, profile, lines, server };
  }

  it('signs in its user if no header shows that the request was forwarded', async () => {
    const { own, user, profile, lines, server } = await listener();
    expect(await profile(own)).toEqual([200, user.username]);
    expect(lines.join('')).not.toContain('is not used');
    await server.close();
  });

  it.each([
    'forwarded',
    'via',
    'x-forwarded-for',
    'X-Forwarded-Proto',
    'x-real-ip',
    'client-cert',
    'x-forwarded-client-cert',
    'ssl-client-verify',
  ])('is not used if the request has the header %s, and the log states why', async (name) => {
    const { own, profile, lines, server } = await listener();
    expect((await profile(own, { [name]: 'x' }))[0]).toBe(401);
    expect(lines.join('')).toContain(`the request has the header ${name.toLowerCase()}`);
    await server.close();
  });

  it('is not used if a certificate header is present but empty', async () => {
    const { own, profile, server } = await listener();
    expect((await profile(own, { 'ssl-client-cert': '' }))[0]).toBe(401);
    await server.close();
  });

  it("is never used if it is the proxy's own", async () => {
    const { ofProxy, profile, lines, server } = await listener();
    expect((await profile(ofProxy))[0]).toBe(401);
    expect(lines.join('')).toContain('setting proxyCertificates');
    await server.close();
  });
});
