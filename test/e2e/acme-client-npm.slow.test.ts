// The npm package acme-client: every challenge type, renewal, revocation, key change, external account binding.
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { createSecureContext, createServer, type SecureContext, type Server } from 'node:tls';
import { axios, Client, crypto, type Authorization, type ClientOptions } from 'acme-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedAcmeServer } from './testing/acme-server.ts';
import { rootOf } from './testing/certificates.ts';
import { keyedProfile, namesIn, stateOf, unusedPort } from './testing/foreign-acme-clients.ts';

type Challenge = Authorization['challenges'][number];

const tlsPort = await unusedPort();
const acme = sharedAcmeServer([`--acme-tls-alpn01-port=${tlsPort}`]);
const tlsContexts = new Map<string, SecureContext>();
const contact = ['mailto:admin@example.com'];
let tls: Server;
let client: Client;

beforeAll(async () => {
  axios.defaults.httpsAgent = new Agent({ ca: await readFile(acme.server.ready.rootCertificate) });
  tls = createServer({
    ALPNProtocols: ['acme-tls/1'],
    SNICallback: (name, answer) => answer(null, tlsContexts.get(name)),
  });
  tls.listen(tlsPort, '127.0.0.1');
  await once(tls, 'listening');
  client = await newClient();
  await client.createAccount({ termsOfServiceAgreed: true, contact });
});

afterAll(() => void tls.close());

/** Without an account, unless the options specify one. */
const newClient = async (options: Partial<ClientOptions> = {}): Promise<Client> =>
  new Client({
    directoryUrl: acme.server.ready.acmeDirectory,
    accountKey: await crypto.createPrivateEcdsaKey(),
    backoffMin: 100,
    backoffMax: 500,
    ...options,
  });

/** Publishes the proof where validation looks for it; for tls-alpn-01 with a certificate that the package created. */
async function serveProof(authorization: Authorization, { type, token }: Challenge, proof: string): Promise<void> {
  const { value } = authorization.identifier;
  const record = `_acme-challenge.${value} TXT`;
  switch (type as string) {
    case 'http-01':
      return acme.http.serve(token, proof);
    case 'dns-01': {
      const present = acme.dns.zone[record];
      acme.dns.zone[record] = [...(Array.isArray(present) ? present : []), { type: 'TXT', strings: [proof] }];
      return;
    }
    default: {
      const [key, cert] = await crypto.createAlpnCertificate(authorization, proof);
      tlsContexts.set(value, createSecureContext({ key, cert }));
    }
  }
}

interface Issued {
  readonly x509: X509Certificate;
  readonly pem: string;
  readonly csr: Buffer;
  readonly key: Buffer;
}

/** The package's automatic mode, from names to a certificate. */
async function issue(
  names: readonly string[],
  { by = client, challenge = 'http-01', csr }: { by?: Client; challenge?: string; csr?: Buffer } = {},
): Promise<Issued> {
  const [key, made] = await crypto.createCsr({ altNames: [...names] }, await crypto.createPrivateEcdsaKey());
  const request = csr ?? made;
  const pem = await by.auto({
    csr: request,
    challengePriority: [challenge],
    // The check would use the system resolver.
    skipChallengeVerification: true,
    challengeCreateFn: serveProof,
    challengeRemoveFn: async () => undefined,
  });
  return { x509: new X509Certificate(pem), pem, csr: request, key };
}

describe('the npm package acme-client', () => {
  it('gets certificates for one name and for multiple names, with a chain to the root', async () => {
    const one = await issue([acme.host('one')]);
    const names = [acme.host('several'), acme.host('several'), acme.host('several')];
    const several = await issue(names);
    expect(namesIn(several.x509)).toEqual(names.toSorted());
    const root = await rootOf(acme.server.ready);
    for (const { x509, pem } of [one, several]) {
      expect(x509.verify(root.publicKey)).toBe(true);
      expect(crypto.splitPemChain(pem)).toHaveLength(2);
    }
  });

  it('gets a wildcard certificate with dns-01 that includes the base name', async () => {
    const base = acme.host('wild');
    const { x509 } = await issue([`*.${base}`, base], { challenge: 'dns-01' });
    expect(namesIn(x509)).toEqual([`*.${base}`, base]);
  });

  it('proves control with tls-alpn-01, using a certificate that it creates', async () => {
    const host = acme.host('alpn');
    expect(namesIn((await issue([host], { challenge: 'tls-alpn-01' })).x509)).toEqual([host]);
  });

  it('gets a certificate for an IP address, step by step', async () => {
    const order = await client.createOrder({ identifiers: [{ type: 'ip', value: '127.0.0.1' }] });
    const [authorization] = await client.getAuthorizations(order);
    const challenge = authorization?.challenges.find(({ type }) => type === 'http-01');
    if (!authorization || !challenge) return expect.unreachable('http-01 is offered for an address');
    await serveProof(authorization, challenge, await client.getChallengeKeyAuthorization(challenge));
    await client.completeChallenge(challenge);
    await client.waitForValidStatus(challenge);
    const [, csr] = await crypto.createCsr({ altNames: ['127.0.0.1'] });
    const pem = await client.getCertificate(await client.finalizeOrder(order, csr));
    expect(new X509Certificate(pem).checkIP('127.0.0.1')).toBe('127.0.0.1');
  });

  it('renews with the same key', async () => {
    const host = acme.host('renewed');
    const first = await issue([host]);
    const second = await issue([host], { csr: first.csr });
    expect(second.x509.serialNumber).not.toBe(first.x509.serialNumber);
    expect(second.x509.publicKey.equals(first.x509.publicKey)).toBe(true);
  });

  it('revokes with a reason, and only once', async () => {
    const { x509, pem } = await issue([acme.host('revoked')]);
    await client.revokeCertificate(pem, { reason: 4 });
    expect(await stateOf(acme, x509)).toBe('revoked: superseded');
    await expect(client.revokeCertificate(pem)).rejects.toThrow('The certificate is already revoked.');
  });

  it('continues with the new key after a key change, and cannot use the old one', async () => {
    const accountKey = await crypto.createPrivateEcdsaKey();
    const moving = await newClient({ accountKey });
    await moving.createAccount({ contact });
    await moving.updateAccountKey(await crypto.createPrivateEcdsaKey());
    await issue([acme.host('moved')], { by: moving });
    const stale = await newClient({ accountKey, accountUrl: moving.getAccountUrl() });
    await expect(stale.updateAccount()).rejects.toThrow(/signature/i);
  });

  it('changes its contact, and is rejected after deactivating its account', async () => {
    const leaving = await newClient();
    await leaving.createAccount({ contact });
    expect(await leaving.updateAccount({ contact: ['mailto:other@example.com'] })).toMatchObject({
      status: 'valid',
      contact: ['mailto:other@example.com'],
    });
    expect(await leaving.updateAccount({ status: 'deactivated' })).toMatchObject({ status: 'deactivated' });
    await expect(issue([acme.host('left')], { by: leaving })).rejects.toThrow('deactivated');
  });

  it('creates an account with an external account key, and cannot create one without it', async () => {
    const { directoryUrl, keyId, macKey, keyState } = await keyedProfile(acme);
    const bare = await newClient({ directoryUrl });
    await expect(bare.createAccount({ contact })).rejects.toThrow('external account binding');
    const accountKey = await crypto.createPrivateRsaKey(2048);
    const bound = await newClient({
      directoryUrl,
      accountKey,
      externalAccountBinding: { kid: keyId, hmacKey: macKey },
    });
    expect(await bound.createAccount({ contact })).toMatchObject({ status: 'valid' });
    expect(await keyState()).toBe('used');
    await issue([acme.host('bound')], { by: bound });
  });

  it('gets the reason why a challenge failed', async () => {
    const elsewhere = `elsewhere.${acme.host('away')}`;
    await expect(issue([elsewhere])).rejects.toThrow(
      `There are no DNS records for ${elsewhere}; add an A or AAAA record.`,
    );
  });
});
