// Issuance over REST with the authority of a new installation; independent tools create requests and verify the
// results.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { historyOf, issue, issuedOf, rootOf, type IssuedCertificate } from './testing/certificates.ts';
import { HAS_OPENSSL, OPENSSL_NOTE, opensslFolder } from './testing/openssl.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest, type TestRequest } from './testing/requests.ts';

const server = sharedTestServer();
const openssl = opensslFolder();
let client: Client;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
});

describe('the first start', () => {
  it('creates a self-signed root certificate in PEM', async () => {
    const root = await rootOf(server.ready);
    expect(root.ca).toBe(true);
    expect(root.verify(root.publicKey)).toBe(true);
  });

  it("issues its own HTTPS listener's certificate as the first end-entity certificate in the inventory", async () => {
    const { certificates } = await client.certificates.listCertificates({
      body: {
        filters: [
          { fieldSource: 'property', fieldIdentifier: 'SUBJECT_TYPE', condition: 'EQUALS', value: ['endEntity'] },
        ],
      },
    });
    expect(certificates.map(({ commonName, state }) => [commonName, state])).toContainEqual(['localhost', 'issued']);
  });
});

describe.skipIf(!HAS_OPENSSL)(`a request created with openssl${OPENSSL_NOTE}`, () => {
  const keys = {
    'RSA-2048': ['-newkey', 'rsa:2048'],
    'P-256': ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
    Ed25519: ['-newkey', 'ed25519'],
  };
  it.each(Object.entries(keys))('with an %s key yields a certificate that openssl trusts', async (name, flags) => {
    const host = `${name.toLowerCase()}.openssl.example`;
    await openssl.run(
      ['req', '-new', ...flags, '-nodes', '-keyout', 'key.pem', '-out', 'request.pem'],
      ['-subj', `/C=CZ/O=Example/CN=${host}`, '-addext', `subjectAltName=DNS:${host},IP:192.0.2.7`],
    );
    const issued = issuedOf(
      await client.clientOperations.issueCertificate({
        params: path,
        body: { request: await openssl.read('request.pem'), attributes: [] },
      }),
    );
    await openssl.write('leaf.pem', issued.pem);
    await openssl.write('root.pem', await readFile(server.ready.rootCertificate));
    expect(
      await openssl.run(
        ['verify', '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', host],
        ['-CAfile', 'root.pem', 'leaf.pem'],
      ),
    ).toContain('leaf.pem: OK');
    const publicKey = await openssl.run('pkey', '-in', 'key.pem', '-pubout');
    expect(issued.x509.publicKey.export({ type: 'spki', format: 'pem' })).toBe(publicKey);
    expect(issued.x509.subject.split('\n')).toEqual(['C=CZ', 'O=Example', `CN=${host}`]);
    expect(issued.x509.subjectAltName).toContain('IP Address:192.0.2.7');
  });

  it('is also accepted as Base64-encoded DER and as Base64-encoded PEM', async () => {
    await openssl.run(
      ['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem'],
      ['-subj', '/CN=forms.openssl.example', '-out', 'request.pem'],
    );
    const pem = await openssl.read('request.pem');
    const der = pem.replaceAll(/-----[^-]+-----|\s/g, '');
    for (const request of [der, Buffer.from(pem).toString('base64')]) {
      const answer = await client.clientOperations.issueCertificate({
        params: path,
        body: { request, attributes: [] },
      });
      expect(issuedOf(answer).x509.subject).toBe('CN=forms.openssl.example');
    }
  });
});

describe('an issued certificate', () => {
  let request: TestRequest;
  let issued: IssuedCertificate;
  let uuid: string;

  beforeAll(async () => {
    request = await makeRequest({ subject: 'CN=detail.example,O=Example,C=CZ', dnsNames: ['detail.example'] });
    issued = await issue(client, path, request);
    ({ uuid } = issued);
  });

  it('is stored exactly as it was returned', async () => {
    const detail = await client.certificates.getCertificate({ params: { uuid } });
    expect(Buffer.from(detail.certificateContent ?? '', 'base64').equals(issued.der)).toBe(true);
    expect(detail).toMatchObject({
      state: 'issued',
      validationStatus: 'valid',
      commonName: 'detail.example',
      serialNumber: issued.x509.serialNumber.toLowerCase().replace(/^0+/, ''),
      fingerprint: issued.x509.fingerprint256.replaceAll(':', '').toLowerCase(),
      issuerCommonName: 'Signetry Root',
      publicKeyAlgorithm: 'ECDSA',
      keySize: 256,
      subjectAlternativeNames: { dNSName: ['detail.example'] },
      raProfile: { uuid: path.raProfileUuid, name: 'default', authorityInstanceUuid: path.authorityUuid },
      owner: 'admin',
    });
    expect(detail.certificateRequest?.content).toBe(Buffer.from(request.der).toString('base64'));
  });

  it('has a history that starts with the request', async () => {
    const history = await historyOf(client, uuid);
    expect(history).toEqual([
      expect.stringMatching(/^Issue Certificate SUCCESS: /),
      expect.stringMatching(/^Request Certificate SUCCESS: /),
    ]);
  });

  it('passes validation, with every check of the chain successful', async () => {
    const { resultStatus, validationChecks } = await client.certificates.getCertificateValidationResult({
      params: { uuid },
    });
    expect(resultStatus).toBe('valid');
    expect(validationChecks?.certificate_chain?.status).toBe('valid');
    expect(validationChecks?.signature?.status).toBe('valid');
  });

  it('has a chain that leads to the root', async () => {
    const { certificates, completeChain } = await client.certificates.getCertificateChain({
      params: { uuid },
      query: { withEndCertificate: true },
    });
    expect(completeChain).toBe(true);
    expect(certificates.map(({ commonName }) => commonName)).toEqual(['detail.example', 'Signetry Root']);
    const [, root] = certificates;
    expect(Buffer.from(root?.certificateContent ?? '', 'base64').equals((await rootOf(server.ready)).raw)).toBe(true);
  });

  it('can be downloaded raw, as PEM and as DER', async () => {
    const download = (encoding: 'pem' | 'der') =>
      client.certificates.downloadCertificate({ params: { uuid, certificateFormat: 'raw' }, query: { encoding } });
    const der = await download('der');
    expect(der).toMatchObject({ format: 'raw', encoding: 'der' });
    expect(Buffer.from(der.content, 'base64').equals(issued.der)).toBe(true);
    const pem = Buffer.from((await download('pem')).content, 'base64').toString();
    expect(pem).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
    expect(new X509Certificate(pem).raw.equals(issued.der)).toBe(true);
  });

  it.skipIf(!HAS_OPENSSL)(
    `can be downloaded with its chain as a PKCS #7 file that openssl can read${OPENSSL_NOTE}`,
    async () => {
      for (const encoding of ['pem', 'der'] as const) {
        const { content, completeChain } = await client.certificates.downloadCertificateChain({
          params: { uuid, certificateFormat: 'pkcs7' },
          query: { encoding, withEndCertificate: true },
        });
        expect(completeChain).toBe(true);
        await openssl.write('chain.p7', Buffer.from(content, 'base64'));
        const printed = await openssl.run([
          'pkcs7',
          '-inform',
          encoding.toUpperCase(),
          '-in',
          'chain.p7',
          '-print_certs',
          '-noout',
        ]);
        expect([...printed.matchAll(/subject=.*CN = (.+)/g)].map(([, name]) => name)).toEqual([
          'detail.example',
          'Signetry Root',
        ]);
      }
    },
  );
});

describe('a stored request', () => {
  it('can be issued later, but only once', async () => {
    const request = await makeRequest({ subject: 'CN=later.example' });
    const stored = await client.certificates.submitCertificateRequest({
      body: { raProfileUuid: path.raProfileUuid, request: request.pem, issueAttributes: [] },
    });
    expect(stored.state).toBe('requested');
    const params = { ...path, certificateUuid: stored.uuid };
    const issued = issuedOf(await client.clientOperations.issueRequestedCertificate({ params }));
    expect(issued.uuid).toBe(stored.uuid);
    await expect(client.clientOperations.issueRequestedCertificate({ params })).rejects.toMatchObject({
      status: 422,
      problems: [expect.stringContaining('is issued')],
    });
  });
});
