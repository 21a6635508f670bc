// First-generation authorities: end entities and certificates issued to them. The same connector runs in-process and as
// a separate program.
import type { Client } from '@signetry/client';
import { startConnectorServer, type RunningConnectorServer } from '@signetry/server/connectors';
import { startFaultProxy, type FaultProxy } from '@signetry/testkit/fault-proxy';
import { sharedTestServer } from '@signetry/testkit/platform';
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { historyOf, issue, rejectionOf } from './testing/certificates.ts';
import { downloadUrlsOf, download, fetchCrl, serialsIn } from './testing/downloads.ts';
import { addEndEntity, createLegacyAuthority, LEGACY_KIND, type LegacyPath } from './testing/legacy-authorities.ts';
import { limitedUser } from './testing/limited-user.ts';
import { defaultProfile } from './testing/profiles.ts';
import { temporaryFolder } from './testing/program.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer({ args: ['--egress-allowed-hosts', '127.0.0.1'] });
const data = temporaryFolder();
let client: Client;
let connector: RunningConnectorServer;
let proxy: FaultProxy;

beforeAll(async () => {
  ({ client } = server);
  connector = await startConnectorServer({
    name: 'software-authority-legacy',
    host: '127.0.0.1',
    port: 0,
    data,
    logLevel: 'silent',
    out: () => undefined,
  });
  proxy = await startFaultProxy(connector.url);
});

afterAll(async () => {
  await proxy.close();
  await connector.stop();
});

const register = async (name: string, url: string): Promise<string> =>
  (await client.connectors.createConnector({ body: { name, url, authType: 'none' } })).uuid;

/** Issues and returns a certificate. */
async function enroll({ raProfileName }: LegacyPath, username: string, password = 'once', by = client) {
  const { pem: pkcs10 } = await makeRequest({ subject: 'CN=whoever asks' });
  const { certificateData } = await by.legacyClientOperations.issueLegacyCertificate({
    params: { raProfileName },
    body: { username, password, pkcs10 },
  });
  return new X509Certificate(Buffer.from(certificateData, 'base64'));
}

const serialOf = (certificate: X509Certificate): string => certificate.serialNumber.toLowerCase().replace(/^0+/, '');

async function findInInventory(certificate: X509Certificate) {
  const { certificates } = await client.certificates.listCertificates({ body: { itemsPerPage: 1_000 } });
  const found = certificates.find(({ serialNumber }) => serialNumber === serialOf(certificate));
  return client.certificates.getCertificate({
    params: { uuid: found?.uuid ?? expect.fail('it is not in the inventory') },
  });
}

const revoke = (
  { raProfileName }: LegacyPath,
  certificate: { certificateSN: string; issuerDN: string },
  by = client,
): Promise<void> =>
  by.legacyClientOperations.revokeLegacyCertificate({
    params: { raProfileName },
    body: { ...certificate, reason: 'superseded' },
  });

describe.each([
  ['within the platform', async () => undefined],
  ['at a URL', async () => register('remote-legacy', connector.url)],
])('a first-generation authority %s', (where, connectorOf) => {
  let path: LegacyPath;
  const entityPath = (username: string) => ({ params: { raProfileName: path.raProfileName, username } });

  beforeAll(async () => {
    const connectorUuid = await connectorOf();
    path = await createLegacyAuthority(client, {
      name: `Legacy ${where}`,
      ...(connectorUuid === undefined ? {} : { connectorUuid }),
    });
  });

  it('offers end entity profiles with their certificate profiles and CAs', async () => {
    const params = { uuid: path.authorityUuid };
    const [profile] = await client.authorities.listEntityProfiles({ params });
    expect(profile?.name).toBe('default');
    const inside = { params: { ...params, endEntityProfileId: profile?.id ?? 0 } };
    expect((await client.authorities.listCertificateProfiles(inside)).map(({ name }) => name)).toContain('SERVER');
    expect((await client.authorities.listCAsInProfile(inside)).map(({ name }) => name)).toEqual([`Legacy ${where}`]);
    const shown = await client.raProfiles.getRaProfile({ params: path });
    expect(shown).toMatchObject({ legacyAuthority: true, name: path.raProfileName });
  });

  it('creates, returns and updates end entities', async () => {
    await addEndEntity(client, path, 'anna');
    expect(await client.legacyClientOperations.getEndEntity(entityPath('anna'))).toMatchObject({
      username: 'anna',
      subjectDN: 'CN=anna,O=Example',
      status: 'NEW',
    });
    await client.legacyClientOperations.editEndEntity({
      ...entityPath('anna'),
      body: { subjectDN: 'CN=Anna', password: 'twice', status: 'NEW', email: 'anna@example.com' },
    });
    const listed = await client.legacyClientOperations.listEntities({ params: path });
    expect(listed).toMatchObject([{ username: 'anna', subjectDN: 'CN=Anna', email: 'anna@example.com' }]);
    await client.legacyClientOperations.resetPassword(entityPath('anna'));
    expect((await client.legacyClientOperations.getEndEntity(entityPath('anna'))).status).toBe('INITIALIZED');
    expect(await rejectionOf(addEndEntity(client, path, 'anna'))).toMatchObject({ status: 422 });
    expect(await rejectionOf(client.legacyClientOperations.getEndEntity(entityPath('nobody')))).toMatchObject({
      status: 404,
    });
  });

  it('issues only once per password, and the certificate is in the inventory under the RA profile', async () => {
    await addEndEntity(client, path, 'bert');
    const certificate = await enroll(path, 'bert');
    expect(certificate.subject).toBe('O=Example\nCN=bert');
    expect(certificate.subjectAltName).toBe('DNS:bert.example');
    const kept = await findInInventory(certificate);
    expect(kept).toMatchObject({ state: 'issued', commonName: 'bert', raProfile: { uuid: path.raProfileUuid } });
    expect(kept.certificateContent).toBe(certificate.raw.toString('base64'));
    expect((await historyOf(client, kept.uuid))[0]).toMatch(
      /^Issue Certificate SUCCESS: Issued to the end entity bert with/,
    );
    const again = await rejectionOf(enroll(path, 'bert'));
    expect(again).toMatchObject({ status: 400, message: expect.stringContaining('GENERATED') });
    expect(await client.certificates.getCertificate({ params: { uuid: again.uuid } })).toMatchObject({
      state: 'failed',
    });
  });

  it('revokes by issuer and serial number, and lists the certificate in its CRL; its certificates contain no OCSP URL', async () => {
    await addEndEntity(client, path, 'cleo');
    const certificate = await enroll(path, 'cleo');
    const kept = await findInInventory(certificate);
    await revoke(path, { certificateSN: certificate.serialNumber, issuerDN: `CN=Legacy ${where}` });
    expect(await client.certificates.getCertificate({ params: { uuid: kept.uuid } })).toMatchObject({
      state: 'revoked',
    });
    expect((await historyOf(client, kept.uuid))[0]).toMatch(/^Revoke Certificate SUCCESS/);
    const addresses = downloadUrlsOf(server.ready, path.authorityUuid);
    const issuer = await download(addresses.issuer);
    expect(certificate.infoAccess).not.toContain('OCSP');
    await vi.waitFor(
      async () => expect(serialsIn(await fetchCrl(addresses.crl, issuer))).toContain(serialOf(certificate)),
      { timeout: 10_000, interval: 100 },
    );
  });

  it('revokes certificates that are not in the inventory if the authority knows them', async () => {
    await addEndEntity(client, path, 'doro');
    const certificate = await enroll(path, 'doro');
    const { uuid } = await findInInventory(certificate);
    await client.certificates.deleteCertificate({ params: { uuid } });
    await revoke(path, { certificateSN: certificate.serialNumber, issuerDN: `CN=Legacy ${where}` });
    const unknown = revoke(path, { certificateSN: '0123', issuerDN: `CN=Legacy ${where}` });
    expect(await rejectionOf(unknown)).toMatchObject({ status: 404 });
  });

  it('revokes all certificates of an end entity that is removed', async () => {
    await addEndEntity(client, path, 'ede');
    const kept = await findInInventory(await enroll(path, 'ede'));
    await client.legacyClientOperations.revokeAndDeleteEndEntity(entityPath('ede'));
    expect(await client.certificates.getCertificate({ params: { uuid: kept.uuid } })).toMatchObject({
      state: 'revoked',
    });
    expect(await rejectionOf(client.legacyClientOperations.getEndEntity(entityPath('ede')))).toMatchObject({
      status: 404,
    });
    expect(await rejectionOf(client.legacyClientOperations.revokeAndDeleteEndEntity(entityPath('ede')))).toMatchObject({
      status: 404,
    });
  });

  it('is not available to second-generation operations', async () => {
    const request = await makeRequest({ subject: 'CN=second.example' });
    expect(await rejectionOf(issue(client, path, request))).toMatchObject({ status: 404 });
    const form = client.clientOperations.listIssueCertificateAttributes({ params: path });
    expect(await rejectionOf(form)).toMatchObject({ status: 404 });
  });

  it.each([
    ['no request', { pkcs10: 'nonsense' }, 400],
    ['a wrong password', { password: 'guess' }, 400],
    ['an end entity that does not exist', { username: 'nobody' }, 404],
    ['an empty name', { username: '' }, 400],
  ])('rejects issuance if the request has %s', async (_, facts, status) => {
    const username = `f-${Object.keys(facts).join()}`;
    await addEndEntity(client, path, username);
    const { pem: pkcs10 } = await makeRequest({ subject: 'CN=x' });
    const call = client.legacyClientOperations.issueLegacyCertificate({
      params: { raProfileName: path.raProfileName },
      body: { username, password: 'once', pkcs10, ...facts },
    });
    expect(await rejectionOf(call)).toMatchObject({ status });
    expect((await client.legacyClientOperations.getEndEntity(entityPath(username))).status).toBe('NEW');
    await client.legacyClientOperations.revokeAndDeleteEndEntity(entityPath(username));
  });

  it.each([
    ['serial number', { certificateSN: 'xyz', issuerDN: 'CN=a' }],
    ['issuer', { certificateSN: '12', issuerDN: 'nobody' }],
    ['issuer at all', { certificateSN: '12', issuerDN: '' }],
  ])('rejects revocation without a valid %s', async (_, facts) => {
    expect(await rejectionOf(revoke(path, facts))).toMatchObject({ status: 422 });
  });
});

describe('an RA profile identified by name', () => {
  it('must exist, be enabled and belong to a first-generation authority', async () => {
    await defaultProfile(client);
    const list = (raProfileName: string) => client.legacyClientOperations.listEntities({ params: { raProfileName } });
    expect(await rejectionOf(list('default'))).toMatchObject({ status: 404 });
    expect(await rejectionOf(list('nothing'))).toMatchObject({ status: 404 });
    const path = await createLegacyAuthority(client, { name: 'Disabled' });
    await client.raProfiles.disableRaProfile({ params: path });
    expect(await rejectionOf(list(path.raProfileName))).toMatchObject({ status: 400 });
  });

  it('requires permission to see it and its authority, and to issue and revoke', async () => {
    const path = await createLegacyAuthority(client, { name: 'Guarded' });
    await addEndEntity(client, path, 'gert');
    const { raProfileName } = path;
    const blind = await limitedUser(server, [['raProfiles', 'detail']]);
    expect(await rejectionOf(blind.legacyClientOperations.listEntities({ params: path }))).toMatchObject({
      status: 404,
    });
    const seeing = await limitedUser(server, [
      ['raProfiles', 'detail'],
      ['authorities', 'detail'],
    ]);
    expect(await seeing.legacyClientOperations.listEntities({ params: path })).toHaveLength(1);
    expect(await rejectionOf(enroll(path, 'gert', 'once', seeing))).toMatchObject({ status: 403 });
    const params = { raProfileName, username: 'gert' };
    expect(await rejectionOf(seeing.legacyClientOperations.resetPassword({ params }))).toMatchObject({ status: 403 });
    const issuing = await limitedUser(server, [
      ['raProfiles', 'detail'],
      ['authorities', 'detail'],
      ['certificates', 'issue'],
    ]);
    const certificate = await enroll(path, 'gert', 'once', issuing);
    const asked = { certificateSN: certificate.serialNumber, issuerDN: 'CN=Guarded' };
    expect(await rejectionOf(revoke(path, asked, issuing))).toMatchObject({ status: 403 });
    const revoking = await limitedUser(server, [
      ['raProfiles', 'detail'],
      ['authorities', 'detail'],
      ['certificates', 'revoke'],
    ]);
    expect(await rejectionOf(revoke(path, asked, revoking))).toMatchObject({ status: 404 });
  });

  it('records every change to an end entity in the audit log, without its password', async () => {
    const path = await createLegacyAuthority(client, { name: 'Recorded' });
    await addEndEntity(client, path, 'rita');
    await enroll(path, 'rita');
    await client.legacyClientOperations.revokeAndDeleteEndEntity({ params: { ...path, username: 'rita' } });
    const { items } = await client.auditLogs.listAuditLogs({ body: { itemsPerPage: 100 } });
    const text = JSON.stringify(items);
    const records = items.filter(({ resource, additionalData = {} }) =>
      JSON.stringify([resource.objects ?? [], additionalData]).includes('rita'),
    );
    expect(records.map(({ resource, operation }) => `${resource.type} ${operation}`).toSorted()).toEqual([
      'certificates issue',
      'certificates request',
      'certificates revoke',
      'endEntityProfiles create',
      'endEntityProfiles delete',
    ]);
    expect(text).not.toContain('"once"');
  });
});

describe('a lost response', () => {
  it('leaves the certificate pending until exactly the signed certificate is recovered', async () => {
    const connectorUuid = await register('unreliable-legacy', proxy.url);
    const path = await createLegacyAuthority(client, { name: 'Unreliable', connectorUuid, kind: LEGACY_KIND });
    await addEndEntity(client, path, 'lost');
    proxy.inject('POST', '/certificates/issue', { kind: 'reset', afterWork: true });
    const { status, uuid } = await rejectionOf(enroll(path, 'lost'));
    expect(status).toBe(503);
    expect(await client.certificates.getCertificate({ params: { uuid } })).toMatchObject({ state: 'pending_issue' });
    const kept = () =>
      server.running.platform.database.query<{ sealed_password: Uint8Array | null }>(
        'SELECT sealed_password FROM certificate_end_entity WHERE certificate_uuid = $1',
        [uuid],
      );
    const [waiting] = await kept();
    expect(waiting?.sealed_password).not.toBeNull();
    expect(Buffer.from(waiting?.sealed_password ?? []).toString('latin1')).not.toContain('once');
    proxy.heal();
    const settled = await vi.waitFor(
      async () => {
        const now = await client.certificates.getCertificate({ params: { uuid } });
        expect(now.state).toBe('issued');
        return now;
      },
      { timeout: 15_000, interval: 200 },
    );
    const [signed] = proxy
      .forwardedTo('POST', '/certificates/issue')
      .map(({ text }) => (JSON.parse(text) as { certificateData: string }).certificateData);
    expect(settled.certificateContent).toBe(signed);
    expect(await kept()).toEqual([{ sealed_password: null }]);
    const { status: after } = await client.legacyClientOperations.getEndEntity({
      params: { ...path, username: 'lost' },
    });
    expect(after).toBe('GENERATED');
  });
});
