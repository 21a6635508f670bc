// ACME certificates: download (RFC 8555 §7.4.2), and revocation by authorized clients for permitted reasons (§7.6).
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { acmeKey, type AcmeTestClient } from '@signetry/testkit/acme';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './testing/acme-problems.ts';
import { addAcmeProfile } from './testing/acme-profiles.ts';
import { sharedAcmeServer, type IssuedOrder } from './testing/acme-server.ts';
import { issue as issueByRest } from './testing/certificates.ts';
import { crossSign, rootAsParent } from './testing/cross-signed.ts';
import { createExternalAuthority } from './testing/external-authority.ts';
import { createAuthority, defaultProfile } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const acme = sharedAcmeServer();
let client: AcmeTestClient;
let otherClient: AcmeTestClient;

beforeAll(async () => {
  client = await acme.account();
  otherClient = await acme.account();
});

const blocks = (pem: string): readonly X509Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/g) ?? []).map(
    (text) => new X509Certificate(text),
  );
const issueOrder = (name = 'revoke', account = client): Promise<IssuedOrder> => acme.issue(account, [acme.host(name)]);
const derOf = ({ chain }: IssuedOrder): Buffer => new X509Certificate(chain).raw;
const keyOf = ({ request }: IssuedOrder) => ({ key: acmeKey(request.keys.privateKey), by: 'jwk' as const });

/** The certificate in the inventory. */
async function findInInventory({ certificateUrl }: Pick<IssuedOrder, 'certificateUrl'>) {
  const uuid = certificateUrl.split('/').at(-1) ?? '';
  return acme.server.client.certificates.getCertificate({ params: { uuid } });
}

async function reasonOf(order: IssuedOrder): Promise<unknown> {
  const { database } = acme.server.running.platform;
  const { uuid } = await findInInventory(order);
  const [row] = await database.query<{ reason: unknown }>(
    'SELECT revocation_reason AS reason FROM certificate WHERE uuid = $1',
    [uuid],
  );
  return row?.reason;
}

describe('a download (RFC 8555 §7.4.2)', () => {
  it('contains only the certificate and its issuers, each certified by the next', async () => {
    const { chain, certificateUrl } = await issueOrder('download');
    const reply = await client.download(certificateUrl);
    expect([reply.status, reply.headers['content-type'], reply.text]).toEqual([
      200,
      'application/pem-certificate-chain',
      chain,
    ]);
    const [leaf, issuer, ...more] = blocks(chain);
    expect(more).toEqual([]);
    expect(leaf?.verify(issuer!.publicKey)).toBe(true); // Both are present, or this check fails.
    expect(blocks(chain).map(String).join('')).toBe(chain);
    expect(issuer?.raw).toEqual(new X509Certificate(await readFile(acme.server.ready.rootCertificate)).raw);
    expect(reply.links.get('alternate')).toBeUndefined();
    for (const other of ['.chain-', '.chain-0123456789abcdef', '.chain', '.alternate'])
      expectProblem(await client.download(`${certificateUrl}${other}`), 404, 'malformed');
  });

  it('from an intermediate CA includes the root only in the alternate chain', async () => {
    const { client: admin } = acme.server;
    const values = { data_source: 'subordinate', data_parentAuthority: await rootAsParent(admin) };
    const { raProfileUuid } = await createAuthority(admin, { name: 'Issuing CA', values });
    const account = await acme.account(await addAcmeProfile(acme, { raProfileUuid }));
    const { chain, certificateUrl } = await issueOrder('below', account);
    expect(blocks(chain).map(({ issuer }) => issuer)).toEqual(['CN=Issuing CA', 'CN=Signetry Root']);
    const usual = await account.download(certificateUrl);
    const [alternate = ''] = usual.links.get('alternate') ?? [];
    const other = await account.download(alternate);
    expect(
      blocks(other.text)
        .map(({ subject }) => subject)
        .slice(1),
    ).toEqual(['CN=Issuing CA', 'CN=Signetry Root']);
    expect(other.text.startsWith(chain)).toBe(true);
    expect(other.links.get('alternate')).toEqual([certificateUrl]);
  });

  it('from a cross-certified CA offers each chain, with and without its root', async () => {
    const { client: admin } = acme.server;
    const authority = await crossSign(admin, { name: 'Crossed CA' });
    await authority.trust(true);
    const profile = await addAcmeProfile(acme, { raProfileUuid: authority.raProfileUuid });
    const account = await acme.account(profile);
    const { chain, certificateUrl } = await issueOrder('crossed', account);
    const { links } = await account.download(certificateUrl);
    const offered = links.get('alternate') ?? [];
    const others = await Promise.all(offered.map((url) => account.download(url)));
    const second = `CN=${authority.secondRoot.name}`;
    const issuersOf = (pem: string) => blocks(pem).map(({ issuer }) => issuer);
    expect(issuersOf(chain)).toEqual(['CN=Crossed CA', 'CN=Signetry Root']);
    expect(others.map(({ text }) => issuersOf(text))).toEqual([
      ['CN=Crossed CA', second],
      ['CN=Crossed CA', 'CN=Signetry Root', 'CN=Signetry Root'],
      ['CN=Crossed CA', second, second],
    ]);
    for (const [at, { text, links: theirs }] of others.entries()) {
      const [leaf, ...above] = blocks(text);
      expect(leaf?.raw).toEqual(blocks(chain)[0]?.raw);
      for (const [index, issuer] of above.entries()) expect(blocks(text)[index]?.verify(issuer.publicKey)).toBe(true);
      expect(theirs.get('alternate')).toEqual([certificateUrl, ...offered.filter((_, other) => other !== at)]);
    }
    // URLs are stable, also for the next certificate, and as private as the certificate URL.
    expect((await account.download(certificateUrl)).links.get('alternate')).toEqual(offered);
    const next = await issueOrder('crossed', account);
    const [url = ''] = (await account.download(next.certificateUrl)).links.get('alternate') ?? [];
    expect(url.split('.chain-')[1]).toBe(offered[0]?.split('.chain-')[1]);
    expectProblem(await (await acme.account(profile)).download(url), 404, 'malformed');
    // The second root is no longer trusted.
    await authority.trust(false);
    const after = await account.download(certificateUrl);
    expect([after.text, after.links.get('alternate')]).toEqual([chain, [offered[1]]]);
    expectProblem(await account.download(url), 404, 'malformed');
    expect((await account.download(offered[1] ?? '')).text).toBe(others[1]?.text);
  });

  it('from a CA under a cross-certified root offers the chain to the other root', async () => {
    const { client: admin } = acme.server;
    const root = await createAuthority(admin, { name: 'Own Root' });
    const authority = await crossSign(admin, { name: 'Own Root', path: root });
    await authority.trust(true);
    const account = await acme.account(await addAcmeProfile(acme, { raProfileUuid: root.raProfileUuid }));
    const { chain, certificateUrl } = await issueOrder('own-root', account);
    const offered = (await account.download(certificateUrl)).links.get('alternate') ?? [];
    const others = await Promise.all(offered.map(async (url) => blocks((await account.download(url)).text)));
    const second = `CN=${authority.secondRoot.name}`;
    expect(blocks(chain).map(({ issuer }) => issuer)).toEqual(['CN=Own Root', 'CN=Own Root']);
    expect(others.map((all) => all.map(({ issuer }) => issuer))).toEqual([
      ['CN=Own Root', second],
      ['CN=Own Root', second, second],
    ]);
  });

  it('uses a different path once the CA in the default path is no longer trusted', async () => {
    const { client: admin } = acme.server;
    const authority = await crossSign(admin, { name: 'Turning CA' });
    await authority.trust(true);
    const account = await acme.account(await addAcmeProfile(acme, { raProfileUuid: authority.raProfileUuid }));
    const [own] = await admin.raProfiles.getAuthorityCertificateChain({ params: authority });
    await admin.certificates.updateCertificateObjects({
      params: { uuid: own?.uuid ?? '' },
      body: { trustedCa: false },
    });
    const { chain, certificateUrl } = await issueOrder('turning', account);
    expect(blocks(chain).at(-1)?.issuer).toBe(`CN=${authority.secondRoot.name}`);
    expect((await account.download(certificateUrl)).links.get('alternate')).toHaveLength(1);
  });

  it('is the same regardless of the Accept header, and after a revocation', async () => {
    const order = await issueOrder('again');
    await client.revoke(derOf(order));
    for (const accept of ['application/pkix-cert', '*/*'])
      expect((await client.download(order.certificateUrl, accept)).text).toBe(order.chain);
  });
});

describe('a revocation (RFC 8555 §7.6)', () => {
  it.each([
    ['no reason', undefined, 'unspecified'],
    ['unspecified', 0, 'unspecified'],
    ['keyCompromise', 1, 'keyCompromise'],
    ['affiliationChanged', 3, 'affiliationChanged'],
    ['superseded', 4, 'superseded'],
    ['cessationOfOperation', 5, 'cessationOfOperation'],
    ['privilegeWithdrawn', 9, 'privilegeWithdrawn'],
    ['aACompromise', 10, 'aACompromise'],
  ])('by the account accepts the reason %s', async (_what, reason, kept) => {
    const order = await issueOrder();
    const reply = await client.revoke(derOf(order), reason === undefined ? {} : { reason });
    expect([reply.status, reply.text]).toEqual([200, '']);
    expect([(await findInInventory(order)).state, await reasonOf(order)]).toEqual(['revoked', kept]);
    expectProblem(await client.revoke(derOf(order), { reason: 4 }), 400, 'alreadyRevoked');
  });

  it.each([2, 6, 7, 8, 11, -1, 1.5, '1', true])(
    'is rejected for the reason %j, and the error lists the permitted reasons',
    async (reason) => {
      const order = await issueOrder();
      const { revokeCert } = await client.directory();
      const payload = { certificate: derOf(order).toString('base64url'), reason };
      expect(expectProblem(await client.signed(revokeCert, payload), 400, 'badRevocationReason').detail).toMatch(
        /4 \(superseded\)/,
      );
      expect((await findInInventory(order)).state).toBe('issued');
    },
  );

  it('with the certificate key requires no account, regardless of the key type', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const orders = [await issueOrder(), await acme.issue(client, [acme.host('rsa')], { privateKey })];
    const nobody = await acme.client();
    for (const order of orders) {
      expect((await nobody.revoke(derOf(order), { reason: 1, ...keyOf(order) })).status).toBe(200);
      expect((await findInInventory(order)).state).toBe('revoked');
      expectProblem(await nobody.revoke(derOf(order), keyOf(order)), 400, 'alreadyRevoked');
    }
  });

  it('with the certificate key can replace a different reason with key compromise, once', async () => {
    const order = await issueOrder();
    expect((await client.revoke(derOf(order), { reason: 4 })).status).toBe(200);
    const nobody = await acme.client();
    // An account cannot prove key compromise, and the certificate key cannot change the reason to any other.
    expectProblem(await client.revoke(derOf(order), { reason: 1 }), 400, 'alreadyRevoked');
    for (const reason of [0, 3, 10])
      expectProblem(await nobody.revoke(derOf(order), { reason, ...keyOf(order) }), 400, 'alreadyRevoked');
    expect((await nobody.revoke(derOf(order), { reason: 1, ...keyOf(order) })).status).toBe(200);
    expect(await reasonOf(order)).toBe('keyCompromise');
    expectProblem(await nobody.revoke(derOf(order), { reason: 1, ...keyOf(order) }), 400, 'alreadyRevoked');
    await expect(
      acme.issue(client, [acme.host('again')], { privateKey: order.request.keys.privateKey }),
    ).rejects.toThrow(/badCSR/);
  });

  it('with the certificate key works in any directory, and after the account was deactivated', async () => {
    const account = await acme.account();
    const order = await issueOrder('orphan', account);
    await account.updateAccount({ status: 'deactivated' });
    const elsewhere = await acme.client(await addAcmeProfile(acme));
    expect((await elsewhere.revoke(derOf(order), keyOf(order))).status).toBe(200);
  });

  it('by a different account is accepted once that account has proven control of all names', async () => {
    const names = [acme.host('moved'), acme.host('moved')];
    const order = await acme.issue(client, names);
    const other = await acme.account();
    expectProblem(await other.revoke(derOf(order)), 403, 'unauthorized');
    await acme.readyOrder(other, names.slice(1));
    expectProblem(await other.revoke(derOf(order)), 403, 'unauthorized');
    const { order: proof } = await acme.readyOrder(other, names.slice(0, 1));
    await other.signed(proof.authorizations[0] ?? '', { status: 'deactivated' });
    expectProblem(await other.revoke(derOf(order)), 403, 'unauthorized');
    await acme.readyOrder(other, names.slice(0, 1));
    expect((await other.revoke(derOf(order), { reason: 4 })).status).toBe(200);
    expect((await findInInventory(order)).state).toBe('revoked');
  });

  it('of a wildcard certificate is rejected for an account that has proven control of only the base name', async () => {
    const base = acme.host('base');
    const order = await acme.issue(client, [`*.${base}`], { challenge: 'dns-01' });
    const other = await acme.account();
    await acme.readyOrder(other, [base]);
    expectProblem(await other.revoke(derOf(order)), 403, 'unauthorized');
    await acme.readyOrder(other, [`*.${base}`], 'dns-01');
    expect((await other.revoke(derOf(order))).status).toBe(200);
  });

  it('by a different account, or with an account key instead of the certificate key, is rejected', async () => {
    const order = await issueOrder();
    expectProblem(await otherClient.revoke(derOf(order)), 403, 'unauthorized');
    for (const key of [otherClient.key, client.key])
      expectProblem(await otherClient.revoke(derOf(order), { key, by: 'jwk' }), 403, 'unauthorized');
    expect((await findInInventory(order)).state).toBe('issued');
  });

  it('of a certificate not issued over ACME requires its key or proof of control of its names', async () => {
    const { client: admin } = acme.server;
    const path = await defaultProfile(admin);
    const name = acme.host('rest');
    const request = await makeRequest({ subject: `CN=${name}`, dnsNames: [name] });
    const { der } = await issueByRest(admin, path, request);
    expectProblem(await client.revoke(der), 403, 'unauthorized');
    await acme.readyOrder(client, [name]);
    expect((await client.revoke(der)).status).toBe(200);
  });

  it('of a foreign or altered certificate is rejected, even with its key', async () => {
    const order = await issueOrder();
    const altered = derOf(order);
    altered[altered.length - 1]! ^= 1; // Last byte of the signature.
    const key = acmeKey(order.request.keys.privateKey);
    const foreign = (await createExternalAuthority('CN=Foreign')).issue({
      subject: 'CN=x',
      spki: order.request.keys.spki,
    });
    for (const der of [altered, foreign]) {
      expectProblem(await client.revoke(der), 404, 'malformed');
      expectProblem(await client.revoke(der, { key, by: 'jwk' }), 404, 'malformed');
    }
    expect((await findInInventory(order)).state).toBe('issued');
  });

  it.each([
    ['missing', undefined],
    ['a number', 1],
    ['empty', ''],
    ['no certificate', 'AAAA'],
    ['PEM', Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64url')],
    ['padded', 'MIIB=='],
    ['too large', 'MIIB'.repeat(20_000)],
  ])('is rejected if the certificate is %s', async (_what, certificate) => {
    const { revokeCert } = await client.directory();
    expectProblem(await client.signed(revokeCert, { certificate }), 400, 'malformed');
  });

  it('takes effect once for eight concurrent requests, and the others get alreadyRevoked', async () => {
    const order = await issueOrder();
    const replies = await Promise.all(Array.from({ length: 8 }, () => client.revoke(derOf(order), { reason: 4 })));
    const [done, ...others] = replies.toSorted((a, b) => a.status - b.status);
    expect(done?.status).toBe(200);
    for (const reply of others) expectProblem(reply, 400, 'alreadyRevoked');
    expectProblem(await client.revoke(derOf(order)), 400, 'alreadyRevoked');
    const events = await acme.server.client.certificates.getCertificateEventHistory({
      params: { uuid: order.certificateUrl.split('/').at(-1) ?? '' },
    });
    expect(events.filter(({ event, status }) => /revoke/i.test(event) && status === 'SUCCESS')).toHaveLength(1);
  });
});
