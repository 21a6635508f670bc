// The software authority as a separate program, accessed over HTTP like a third-party connector.
import { startConnectorServer, type RunningConnectorServer } from '@signetry/server/connectors';
import type { Client } from '@signetry/client';
import { startFaultProxy, type Fault, type FaultProxy } from '@signetry/testkit/fault-proxy';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { historyOf, issue, issuedOf, rejectionOf, type IssuedCertificate } from './testing/certificates.ts';
import { downloadUrlsOf, askOcsp, download, fetchCrl, serialsIn } from './testing/downloads.ts';
import { createAuthority, defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { temporaryFolder } from './testing/program.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer({ args: ['--egress-allowed-hosts', '127.0.0.1'] });
const data = temporaryFolder();
let client: Client;
let connector: RunningConnectorServer;
let proxy: FaultProxy;
/** The connector completes the work, but the platform does not receive the response. */
const LOST_ANSWER: Fault = { kind: 'reset', afterWork: true };

const startConnector = (port: number): Promise<RunningConnectorServer> =>
  startConnectorServer({
    name: 'software-authority',
    host: '127.0.0.1',
    port,
    data,
    logLevel: 'silent',
    out: () => undefined,
  });

/** Stops the connector, runs the work, and restarts the connector at the same URL. */
const whileStopped = async (work: () => Promise<void>): Promise<void> => {
  const { port } = new URL(connector.url);
  await connector.stop();
  try {
    await work();
  } finally {
    connector = await startConnector(Number(port));
  }
};

async function register(name: string, url: string): Promise<string> {
  const { uuid } = await client.connectors.createConnector({ body: { name, url, authType: 'none' } });
  return uuid;
}

beforeAll(async () => {
  ({ client } = server);
  connector = await startConnector(0);
  proxy = await startFaultProxy(connector.url);
});

afterAll(async () => {
  await proxy.close();
  await connector.stop();
});

const detail = (uuid: string) => client.certificates.getCertificate({ params: { uuid } });

describe('a connector at a URL', () => {
  let path: IssuingPath;
  let issued: IssuedCertificate;

  it('is registered with its function groups, and is healthy', async () => {
    const uuid = await register('remote-authority', connector.url);
    const known = await client.connectors.getConnector({ params: { uuid } });
    expect(known).toMatchObject({ name: 'remote-authority', url: connector.url, status: 'connected' });
    expect(known.functionGroups.map(({ functionGroupCode, kinds }) => [functionGroupCode, kinds])).toEqual([
      ['authorityProvider', ['SoftwareCA']],
    ]);
    expect(await client.connectors.checkConnectorHealth({ params: { uuid } })).toMatchObject({ status: 'ok' });
    path = await createAuthority(client, { name: 'Remote CA', connectorUuid: uuid });
  });

  it('issues, renews and revokes in the same way as a built-in connector', async () => {
    const request = await makeRequest({ subject: 'CN=remote.example', dnsNames: ['remote.example'] });
    issued = await issue(client, path, request);
    expect(await detail(issued.uuid)).toMatchObject({ state: 'issued', issuerCommonName: 'Remote CA' });
    const params = { ...path, certificateUuid: issued.uuid };
    const renewed = issuedOf(await client.clientOperations.renewCertificate({ params, body: {} }));
    expect(renewed.x509.publicKey.equals(issued.x509.publicKey)).toBe(true);
    await client.clientOperations.revokeCertificate({ params, body: { reason: 'superseded', attributes: [] } });
    expect((await detail(issued.uuid)).state).toBe('revoked');
  });

  // A remote connector may act immediately; a built-in one releases nothing until its response is recorded.
  it('is called only after the intent has been written to disk, unlike a built-in connector', async () => {
    const { hot, relaxed } = server.running.platform.database;
    const statements = { waited: vi.spyOn(hot, 'run'), notWaited: vi.spyOn(relaxed, 'run') };
    const writersOf = (name: string) =>
      Object.entries(statements).flatMap(([how, { mock }]) =>
        mock.calls.filter(([statement]) => statement.name === name).map(() => how),
      );
    try {
      await issue(client, path, await makeRequest({ subject: 'CN=elsewhere.example' }));
      expect(writersOf('reserve_certificates')).toEqual(['waited']);
      await issue(client, await defaultProfile(client), await makeRequest({ subject: 'CN=here.example' }));
      expect(writersOf('reserve_certificates')).toEqual(['waited', 'notWaited']);
      expect(writersOf('record_issued_certificates')).toEqual(['waited', 'waited']);
    } finally {
      for (const spy of Object.values(statements)) spy.mockRestore();
    }
  });

  it('has its CRL published and its OCSP requests answered by the platform', async () => {
    const addresses = downloadUrlsOf(server.ready, path.authorityUuid);
    const issuer = await download(addresses.issuer);
    expect(await askOcsp(addresses.ocsp, { certificate: issued.der, issuer })).toBe('revoked');
    const serial = issued.x509.serialNumber.toLowerCase().replace(/^0+/, '');
    await vi.waitFor(async () => expect(serialsIn(await fetchCrl(addresses.crl, issuer))).toContain(serial), {
      timeout: 10_000,
      interval: 100,
    });
  });

  it('causes 503 while it is stopped, and the operation is stored as failed with the reason', async () => {
    const victim = await issue(client, path, await makeRequest({ subject: 'CN=victim.example' }));
    // Nothing is cached for this authority yet, so its attribute definitions cannot be fetched either.
    const [connectorUuid] = (await client.connectors.listConnectors({ query: {} }))
      .filter(({ name }) => name === 'remote-authority')
      .map(({ uuid }) => uuid);
    const unused = await createAuthority(client, { name: 'Unused CA', connectorUuid: connectorUuid ?? '' });
    await whileStopped(async () => {
      const refusal = await rejectionOf(issue(client, unused, await makeRequest({ subject: 'CN=refused.example' })));
      expect(refusal).toMatchObject({
        status: 503,
        message: expect.stringMatching(/remote-authority cannot be reached: the connection was refused/),
      });
      expect(await detail(refusal.uuid)).toMatchObject({ state: 'failed', commonName: 'refused.example' });
      expect((await historyOf(client, refusal.uuid))[0]).toMatch(
        /^Issue Certificate FAILED: .*the connection was refused/,
      );
      expect(await rejectionOf(revoke(victim.uuid))).toMatchObject({ status: 503 });
      expect((await detail(victim.uuid)).state).toBe('issued');
      expect((await historyOf(client, victim.uuid))[0]).toMatch(/^Revoke Certificate FAILED: /);
    });
    await issue(client, path, await makeRequest({ subject: 'CN=again.example' }));
    await revoke(victim.uuid);
    expect((await detail(victim.uuid)).state).toBe('revoked');
  });

  const revoke = (certificateUuid: string): Promise<void> =>
    client.clientOperations.revokeCertificate({ params: { ...path, certificateUuid }, body: { attributes: [] } });
});

describe('a lost response', () => {
  let path: IssuingPath;

  beforeAll(async () => {
    path = await createAuthority(client, {
      name: 'Unreliable CA',
      connectorUuid: await register('unreliable', proxy.url),
    });
  });

  it('leaves the certificate pending until exactly the signed certificate is recovered', async () => {
    proxy.inject('POST', '/certificates/issue', LOST_ANSWER);
    const { status, uuid } = await rejectionOf(issue(client, path, await makeRequest({ subject: 'CN=lost.example' })));
    expect(status).toBe(503);
    expect(await detail(uuid)).toMatchObject({ state: 'pending_issue' });
    expect((await historyOf(client, uuid))[0]).toContain('The outcome at the authority is not known yet');

    proxy.heal();
    const settled = await vi.waitFor(
      async () => {
        const now = await detail(uuid);
        expect(now.state).toBe('issued');
        return now;
      },
      { timeout: 15_000, interval: 200 },
    );
    const [signed] = proxy
      .forwardedTo('POST', '/certificates/issue')
      .map(({ text }) => (JSON.parse(text) as { certificateData: string }).certificateData);
    expect(settled.certificateContent).toBe(signed);
  });

  it('leaves a revocation that the reconciler completes', async () => {
    const victim = await issue(client, path, await makeRequest({ subject: 'CN=lost-revocation.example' }));
    proxy.inject('POST', '/certificates/revoke', LOST_ANSWER);
    await expect(
      client.clientOperations.revokeCertificate({
        params: { ...path, certificateUuid: victim.uuid },
        body: { reason: 'keyCompromise', attributes: [] },
      }),
    ).rejects.toMatchObject({ status: 503, body: { uuid: victim.uuid } });
    proxy.heal();
    await vi.waitFor(async () => expect((await detail(victim.uuid)).state).toBe('revoked'), {
      timeout: 15_000,
      interval: 200,
    });
  });
});
