// A subordinate authority: its certificate is handled like any other, and nothing is issued under it once it is revoked
// or expired.
import { X509Certificate } from 'node:crypto';
import type { Client } from '@signetry/client';
import { parseCertificate } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { issue, issuedOf, rejectionOf } from './testing/certificates.ts';
import { downloadUrlsOf, askOcsp } from './testing/downloads.ts';
import { createAuthority, fieldsOf, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer();
let client: Client;
beforeAll(() => {
  ({ client } = server);
});

/** Returns the identifier under which the connector offers an authority as a parent. */
async function parentChoice(name: string): Promise<string> {
  const authorities = await client.authorities.listAuthorityInstances();
  const uuid = authorities.find((one) => one.name === name)?.connectorUuid ?? '';
  const form = await client.connectors.getConnectorAttributes({
    params: { uuid, functionGroup: 'authorityProvider', kind: 'SoftwareCA' },
  });
  const parent = fieldsOf(form).find((attribute) => attribute.name === 'data_parentAuthority');
  // This attribute has choices.
  const choices = (parent?.type === 'data' ? parent.content : []) as { reference: string; data: string }[];
  return choices.find(({ reference }) => reference === name)?.data ?? expect.fail(`${name} is not offered`);
}

interface CaHierarchy {
  readonly upper: IssuingPath;
  readonly lower: IssuingPath;
  /** The subordinate CA certificate. */
  readonly ca: { readonly uuid: string; readonly der: Buffer };
}

const caOf = async (path: IssuingPath) => {
  const [ca] = await client.raProfiles.getAuthorityCertificateChain({ params: path });
  return { uuid: ca?.uuid ?? '', der: Buffer.from(ca?.certificateContent ?? '', 'base64') };
};

async function createHierarchy(name: string, wish: Readonly<Record<string, unknown>> = {}): Promise<CaHierarchy> {
  const upper = await createAuthority(client, { name: `${name} Root` });
  const values = { data_source: 'subordinate', data_parentAuthority: await parentChoice(`${name} Root`), ...wish };
  const lower = await createAuthority(client, { name: `${name} Sub`, values });
  return { upper, lower, ca: await caOf(lower) };
}

const issueUnder = async (path: IssuingPath, name: string) =>
  issue(client, path, await makeRequest({ subject: `CN=${name}` }));

/** Returns the path for renewing and revoking the subordinate CA certificate. */
async function pathOf({ upper, ca }: CaHierarchy): Promise<IssuingPath> {
  const { raProfile } = await client.certificates.getCertificate({ params: { uuid: ca.uuid } });
  expect(raProfile?.authorityInstanceUuid).toBe(upper.authorityUuid);
  return { authorityUuid: upper.authorityUuid, raProfileUuid: raProfile?.uuid ?? '' };
}

describe("a subordinate authority's certificate", () => {
  it("is in the inventory under one of its issuer's RA profiles", async () => {
    const made = await createHierarchy('Ordinary');
    const detail = await client.certificates.getCertificate({ params: { uuid: made.ca.uuid } });
    expect(detail).toMatchObject({ state: 'issued', trustedCa: true, raProfile: { name: 'ca-ordinary-sub' } });
    expect(detail.certificateRequest).toBeDefined();
  });

  it('is renewed with its original request, and the authority then issues with the new certificate', async () => {
    const made = await createHierarchy('Renewed');
    const before = await issueUnder(made.lower, 'before.example');
    const params = { ...(await pathOf(made)), certificateUuid: made.ca.uuid };
    const renewed = issuedOf(await client.clientOperations.renewCertificate({ params, body: {} }));
    expect(renewed.x509.ca).toBe(true);
    expect(parseCertificate(renewed.der).basicConstraints?.pathLength).toBe(0);
    expect(renewed.x509.publicKey.equals(new X509Certificate(made.ca.der).publicKey)).toBe(true);
    const now = await caOf(made.lower);
    expect(now.uuid).toBe(renewed.uuid);
    const after = await issueUnder(made.lower, 'after.example');
    for (const { x509 } of [before, after]) expect(x509.verify(renewed.x509.publicKey)).toBe(true);
  });

  it('is revoked like any other certificate, and issuance under it is then rejected with an explanation', async () => {
    const made = await createHierarchy('Revoked');
    const leaf = await issueUnder(made.lower, 'leaf.example');
    const [issuer] = [await caOf(made.upper)];
    const { ocsp } = downloadUrlsOf(server.ready, made.upper.authorityUuid);
    expect(await askOcsp(ocsp, { certificate: made.ca.der, issuer: issuer.der })).toBe('good');
    await client.clientOperations.revokeCertificate({
      params: { ...(await pathOf(made)), certificateUuid: made.ca.uuid },
      body: { reason: 'cessationOfOperation', attributes: [] },
    });
    expect(await askOcsp(ocsp, { certificate: made.ca.der, issuer: issuer.der })).toBe('revoked');
    const words = /Authority Revoked Sub .*its CA certificate, .*revoked on .*cessationOfOperation.*have its issuer/;
    const refused = await rejectionOf(issueUnder(made.lower, 'late.example'));
    expect([refused.status, refused.message]).toEqual([422, expect.stringMatching(words)]);
    const params = { ...made.lower, certificateUuid: leaf.uuid };
    expect((await rejectionOf(client.clientOperations.renewCertificate({ params, body: {} }))).message).toMatch(words);
    // Certificates that it issued can still be revoked.
    await client.clientOperations.revokeCertificate({ params, body: { attributes: [] } });
  });

  it('invalidates the certificates below it when it is revoked, at all levels and within seconds', async () => {
    const made = await createHierarchy('Ended', { data_pathLength: 1 });
    const values = { data_source: 'subordinate', data_parentAuthority: await parentChoice('Ended Sub') };
    const lowest = await createAuthority(client, { name: 'Ended Lowest', values });
    const leaves = [await issueUnder(made.lower, 'ended.example'), await issueUnder(lowest, 'lowest.example')];
    const below = [...leaves, await caOf(lowest)];
    const statuses = () =>
      Promise.all(
        below.map(
          async ({ uuid }) => (await client.certificates.getCertificate({ params: { uuid } })).validationStatus,
        ),
      );
    for (const { uuid } of below) await client.certificates.getCertificateValidationResult({ params: { uuid } });
    expect(await statuses()).toEqual(['valid', 'valid', 'valid']);
    await client.clientOperations.revokeCertificate({
      params: { ...(await pathOf(made)), certificateUuid: made.ca.uuid },
      body: { reason: 'keyCompromise', attributes: [] },
    });
    await expect.poll(statuses, { timeout: 20_000, interval: 100 }).toEqual(['invalid', 'invalid', 'invalid']);
  });
});

describe('an authority whose CA certificate has expired', () => {
  it('rejects certificate requests, and reports when the certificate expired', async () => {
    const made = await createHierarchy('Expired');
    const { database } = server.running.platform;
    await database.query(`UPDATE certificate SET not_after = now() - interval '1 day' WHERE uuid = $1`, [made.ca.uuid]);
    const { status, message } = await rejectionOf(issueUnder(made.lower, 'expired.example'));
    expect([status, message]).toEqual([422, expect.stringMatching(/Authority Expired Sub .*expired on 20/)]);
  });
});
