// Third-party connectors, registered by URL: one built with the connector kit as in the guide, one written with plain
// HTTP. Both issue over REST and over ACME.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { checkConnector, httpTransport } from '@signetry/connector-conformance';
import { PLAIN_KIND, startPlainAuthority, type PlainAuthority } from '@signetry/testkit/connectors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAcmeProfile } from './testing/acme-profiles.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';
import { issue, issuedOf } from './testing/certificates.ts';
import { CREATE_CA, startHelloAuthority, type HelloAuthority } from './testing/hello-authority.ts';
import { createAuthority, type IssuingPath } from './testing/profiles.ts';
import { temporaryFolder } from './testing/program.ts';
import { makeRequest } from './testing/requests.ts';

const acme = sharedAcmeServer(['--egress-allowed-hosts', '127.0.0.1']);
const folder = temporaryFolder();
let hello: HelloAuthority;
let plain: PlainAuthority;

beforeAll(async () => {
  hello = await startHelloAuthority(folder);
  plain = await startPlainAuthority();
});
afterAll(async () => {
  await hello?.stop();
  await plain?.close();
});

const values = { data_commonName: 'Plain CA', data_flavour: 'lemon', data_pin: { secret: 'of nobody' } };

describe.each([
  { title: 'the first connector of the guide', kind: 'Hello', issuer: 'CN=Hello CA', url: () => hello.url },
  { title: 'a connector without the kit', kind: PLAIN_KIND, issuer: 'CN=Plain CA', url: () => plain.url },
])('$title', ({ kind, issuer, url }) => {
  let path: IssuingPath;

  it('conforms', async () => {
    const { results } = await checkConnector({ transport: httpTransport(url()) });
    expect(results.filter(({ outcome }) => outcome === 'failed' || outcome === 'notChecked')).toEqual([]);
  });

  it('is registered by its URL, with an authority and an RA profile', async () => {
    const { client } = acme.server;
    const { uuid } = await client.connectors.createConnector({
      body: { name: `foreign-${kind}`, url: url(), authType: 'none' },
    });
    expect(await client.connectors.getConnector({ params: { uuid } })).toMatchObject({ status: 'connected' });
    path = await createAuthority(client, { name: `${kind} authority`, connectorUuid: uuid, kind, values });
  });

  it('issues, renews and revokes over REST', async () => {
    const { client } = acme.server;
    const request = await makeRequest({ subject: `CN=${kind.toLowerCase()}.example` });
    const { uuid, x509 } = await issue(client, path, request);
    expect(x509.issuer).toBe(issuer);
    const params = { ...path, certificateUuid: uuid };
    const renewed = issuedOf(await client.clientOperations.renewCertificate({ params, body: {} }));
    expect(renewed.x509.serialNumber).not.toBe(x509.serialNumber);
    await client.clientOperations.revokeCertificate({ params, body: { reason: 'superseded', attributes: [] } });
    expect((await client.certificates.getCertificate({ params: { uuid } })).state).toBe('revoked');
  });

  it('issues over ACME', async () => {
    const { directoryUrl } = await addAcmeProfile(acme, { raProfileUuid: path.raProfileUuid });
    const account = await acme.account({ directoryUrl });
    const name = acme.host(kind.toLowerCase());
    const certificate = new X509Certificate((await acme.issue(account, [name])).chain);
    expect(certificate.issuer).toBe(issuer);
    expect(certificate.checkHost(name)).toBe(name);
  });
});

it('the guide contains the connector and the CA command exactly as they are run in this test', async () => {
  const root = new URL('../../', import.meta.url);
  const guide = await readFile(new URL('docs/guide/write-a-connector.md', root), 'utf8');
  const program = await readFile(new URL('packages/connector-sdk/src/testing/hello-authority.ts', root), 'utf8');
  expect(guide).toContain(`\`\`\`ts\n${program}\`\`\``);
  expect(guide.replaceAll(/\\\n\s*/g, '')).toContain(CREATE_CA);
});
