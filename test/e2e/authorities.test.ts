// Further authorities over REST: a CA below the root, and one with a post-quantum key, verified with the OpenSSL built
// into Node.
import { X509Certificate } from 'node:crypto';
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { issue, rootOf, type IssuedCertificate } from './testing/certificates.ts';
import { downloadUrlsOf, askOcsp, download, fetchCrl, serialsIn } from './testing/downloads.ts';
import { HAS_OPENSSL, OPENSSL_NOTE, opensslFolder } from './testing/openssl.ts';
import { createAuthority, defaultProfile, fieldsOf, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer();
const openssl = opensslFolder();
let client: Client;
let root: X509Certificate;

beforeAll(async () => {
  ({ client } = server);
  root = await rootOf(server.ready);
});

/** The CA certificates behind an RA profile, the authority's own first. */
async function chainOf(params: IssuingPath): Promise<X509Certificate[]> {
  const chain = await client.raProfiles.getAuthorityCertificateChain({ params });
  return chain.map(({ certificateContent }) => new X509Certificate(Buffer.from(certificateContent ?? '', 'base64')));
}

/** Name of an authority in the connector: a choice in the form for a new one. */
async function parentChoice(parent: string): Promise<string> {
  const [first] = await client.authorities.listAuthorityInstances();
  const form = await client.connectors.getConnectorAttributes({
    params: { uuid: first?.connectorUuid ?? '', functionGroup: 'authorityProvider', kind: 'SoftwareCA' },
  });
  const parents = fieldsOf(form).find(({ name }) => name === 'data_parentAuthority');
  // Data attribute with choices.
  const choices = (parents as { content?: { reference?: string; data: string }[] }).content ?? [];
  return choices.find(({ reference }) => reference === parent)?.data ?? expect.fail(`${parent} is not a choice`);
}

describe('a subordinate authority', () => {
  const name = 'below.example';
  let below: IssuingPath;
  let leaf: IssuedCertificate;

  beforeAll(async () => {
    below = await createAuthority(client, {
      name: 'Issuing CA',
      values: {
        data_source: 'subordinate',
        data_parentAuthority: await parentChoice('Signetry Root'),
        data_keyAlgorithm: 'P-384',
      },
    });
    leaf = await issue(client, below, await makeRequest({ subject: `CN=${name}`, dnsNames: [name] }));
  });

  it('is certified by its parent', async () => {
    const [own, parent] = await chainOf(below);
    expect(own?.subject).toBe('CN=Issuing CA');
    expect(own?.ca).toBe(true);
    expect(own?.verify(root.publicKey)).toBe(true);
    expect(parent?.raw.equals(root.raw)).toBe(true);
  });

  it('issues certificates whose chain is complete and valid', async () => {
    const { certificates, completeChain } = await client.certificates.getCertificateChain({
      params: { uuid: leaf.uuid },
    });
    expect(completeChain).toBe(true);
    expect(certificates.map(({ commonName }) => commonName)).toEqual(['Issuing CA', 'Signetry Root']);
    const { resultStatus } = await client.certificates.getCertificateValidationResult({ params: { uuid: leaf.uuid } });
    expect(resultStatus).toBe('valid');
  });

  it.skipIf(!HAS_OPENSSL)(`is verified by openssl from the root downwards${OPENSSL_NOTE}`, async () => {
    const [own] = await chainOf(below);
    await openssl.write('root.pem', root.toString());
    await openssl.write('below.pem', own?.toString() ?? '');
    await openssl.write('leaf.pem', leaf.pem);
    expect(
      await openssl.run('verify', '-x509_strict', '-CAfile', 'root.pem', '-untrusted', 'below.pem', 'leaf.pem'),
    ).toContain('leaf.pem: OK');
    await expect(openssl.run('verify', '-CAfile', 'root.pem', 'leaf.pem')).rejects.toThrow(
      'unable to get local issuer',
    );
  });

  it('cannot certify another CA, since its path length is zero', async () => {
    await expect(
      createAuthority(client, {
        name: 'Too deep',
        values: { data_source: 'subordinate', data_parentAuthority: await parentChoice('Issuing CA') },
      }),
    ).rejects.toMatchObject({
      status: 422,
      problems: [expect.stringContaining('cannot issue CA certificates: its path length is 0')],
    });
    const names = (await client.authorities.listAuthorityInstances()).map((authority) => authority.name);
    expect(names).not.toContain('Too deep');
  });
});

describe('an authority with an ML-DSA-65 key', () => {
  let quantumSafe: IssuingPath;

  beforeAll(async () => {
    quantumSafe = await createAuthority(client, {
      name: 'Post-Quantum Root',
      values: { data_keyAlgorithm: 'ML-DSA-65' },
    });
  });

  it('is self-signed', async () => {
    const [own] = await chainOf(quantumSafe);
    expect(own?.publicKey.asymmetricKeyType).toBe('ml-dsa-65');
    expect(own?.verify(own.publicKey)).toBe(true);
  });

  it.each(['P-256', 'ML-DSA-65'] as const)('certifies a %s key', async (keySpec) => {
    const request = await makeRequest({ subject: `CN=${keySpec.toLowerCase()}.pq.example`, keySpec });
    const { x509, uuid } = await issue(client, quantumSafe, request);
    const [own] = await chainOf(quantumSafe);
    expect(x509.checkIssued(own ?? x509)).toBe(true);
    expect(x509.verify(own?.publicKey ?? x509.publicKey)).toBe(true);
    expect(x509.verify(root.publicKey)).toBe(false);
    const detail = await client.certificates.getCertificate({ params: { uuid } });
    expect(detail).toMatchObject({ signatureAlgorithm: 'ML-DSA-65', validationStatus: 'valid' });
  });

  it('publishes a CRL and OCSP responses that are signed with its own algorithm', async () => {
    const addresses = downloadUrlsOf(server.ready, quantumSafe.authorityUuid);
    const issuer = await download(addresses.issuer);
    expect(serialsIn(await fetchCrl(addresses.crl, issuer))).toEqual([]);
    const certificate = await issue(client, quantumSafe, await makeRequest({ subject: 'CN=status.pq.example' }));
    expect(await askOcsp(addresses.ocsp, { certificate: certificate.der, issuer })).toBe('good');
    await client.clientOperations.revokeCertificate({
      params: { ...quantumSafe, certificateUuid: certificate.uuid },
      body: { attributes: [] },
    });
    expect(await askOcsp(addresses.ocsp, { certificate: certificate.der, issuer })).toBe('revoked');
  });
});

describe('an authority', () => {
  it('cannot have the same name as an existing authority', async () => {
    await expect(createAuthority(client, { name: 'Signetry Root' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('Signetry Root'),
    });
  });

  it('cannot be removed while an RA profile uses it', async () => {
    const { authorityUuid } = await defaultProfile(client);
    await expect(client.authorities.deleteAuthorityInstance({ params: { uuid: authorityUuid } })).rejects.toMatchObject(
      { status: 422 },
    );
    expect((await client.authorities.getAuthorityInstance({ params: { uuid: authorityUuid } })).name).toBe(
      'Signetry Root',
    );
  });
});
