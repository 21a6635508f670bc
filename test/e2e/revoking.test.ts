// Revocation, and how relying parties learn of it: CRL, OCSP and issuer certificate at the URLs in certificates.
import { X509Certificate } from 'node:crypto';
import { revokedEntries, type CertificateList } from '@signetry/pki';
import type { Client } from '@signetry/client';
import type { CertificateRevocationReason } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { issue, rootOf, type IssuedCertificate } from './testing/certificates.ts';
import { downloadUrlsOf, download, fetchCrl, serialsIn } from './testing/downloads.ts';
import { HAS_OPENSSL, OPENSSL_NOTE, opensslFolder } from './testing/openssl.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer();
const openssl = opensslFolder();
let client: Client;
let path: IssuingPath;
let root: X509Certificate;
let addresses: ReturnType<typeof downloadUrlsOf>;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  root = await rootOf(server.ready);
  addresses = downloadUrlsOf(server.ready, path.authorityUuid);
});

const revoke = (certificate: IssuedCertificate, reason?: CertificateRevocationReason): Promise<void> =>
  client.clientOperations.revokeCertificate({
    params: { ...path, certificateUuid: certificate.uuid },
    body: { reason, attributes: [] },
  });

const issueFor = async (name: string): Promise<IssuedCertificate> =>
  issue(client, path, await makeRequest({ subject: `CN=${name}` }));

const serialOf = ({ x509 }: IssuedCertificate): string => x509.serialNumber.toLowerCase().replace(/^0+/, '');

/** Waits until the published CRL contains the certificate, and returns the CRL. */
const crlNaming = ({ x509 }: IssuedCertificate): Promise<CertificateList> =>
  vi.waitFor(
    async () => {
      const crl = await fetchCrl(addresses.crl, root.raw);
      expect(serialsIn(crl)).toContain(x509.serialNumber.toLowerCase().replace(/^0+/, ''));
      return crl;
    },
    { timeout: 10_000, interval: 100 },
  );

describe('a certificate', () => {
  it('contains the URLs of the CRL, the OCSP responder and its issuer, none of which require authentication', async () => {
    const { x509 } = await issueFor('addresses.example');
    const text = x509.infoAccess ?? '';
    expect(text).toContain(`OCSP - URI:${addresses.ocsp}`);
    expect(text).toContain(`CA Issuers - URI:${addresses.issuer}`);
    const issuer = new X509Certificate(await download(addresses.issuer));
    expect(x509.verify(issuer.publicKey)).toBe(true);
    expect(x509.raw.includes(Buffer.from(addresses.crl))).toBe(true);
    expect((await download(addresses.crl)).length).toBeGreaterThan(100);
  });
});

describe('a revocation', () => {
  it('is shown in the inventory with its reason, and in the validation result', async () => {
    const certificate = await issueFor('state.example');
    await revoke(certificate, 'keyCompromise');
    const { uuid } = certificate;
    const detail = await client.certificates.getCertificate({ params: { uuid } });
    expect(detail).toMatchObject({ state: 'revoked', validationStatus: 'revoked' });
    const [newest] = await client.certificates.getCertificateEventHistory({ params: { uuid } });
    expect(newest).toMatchObject({
      event: 'Revoke Certificate',
      status: 'SUCCESS',
      additionalInformation: { reason: { value: 'keyCompromise' } },
    });
    const { resultStatus } = await client.certificates.getCertificateValidationResult({ params: { uuid } });
    expect(resultStatus).toBe('revoked');
  });

  it('is rejected when it is repeated', async () => {
    const certificate = await issueFor('twice.example');
    await revoke(certificate);
    await expect(revoke(certificate)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('revoked'),
    });
  });

  it('can later have its reason changed to key compromise in the inventory, OCSP and the CRL, which blocks the key', async () => {
    const request = await makeRequest({ subject: 'CN=stolen-later.example' });
    const certificate = await issue(client, path, request);
    const { uuid } = certificate;
    await revoke(certificate, 'superseded');
    await crlNaming(certificate);
    const reissued = await issue(client, path, request);
    expect(reissued.uuid).not.toBe(uuid);
    await revoke(certificate, 'keyCompromise');
    const [newest] = await client.certificates.getCertificateEventHistory({ params: { uuid } });
    expect(newest).toMatchObject({
      event: 'Revoke Certificate',
      additionalInformation: { reason: { value: 'keyCompromise' } },
    });
    const { validationChecks } = await client.certificates.getCertificateValidationResult({ params: { uuid } });
    expect(JSON.stringify(validationChecks)).toContain('keyCompromise');
    await vi.waitFor(
      async () => {
        const crl = await fetchCrl(addresses.crl, root.raw);
        const serial = certificate.x509.serialNumber.toLowerCase().replace(/^0+/, '');
        expect([...revokedEntries(crl)].find(({ serialNumber }) => serialNumber === serial)?.reason).toBe(
          'keyCompromise',
        );
      },
      { timeout: 10_000, interval: 100 },
    );
    await expect(issue(client, path, request)).rejects.toMatchObject({
      message: expect.stringContaining('revoked as compromised'),
    });
    for (const reason of ['keyCompromise', 'superseded', 'unspecified', 'cACompromise'] as const)
      await expect(revoke(certificate, reason), reason).rejects.toMatchObject({ status: 422 });
  });

  it.each(['unspecified', 'cessationOfOperation', 'aACompromise'] as const)(
    'keeps its reason if the new reason is %s',
    async (reason) => {
      const certificate = await issueFor('other-reason.example');
      await revoke(certificate, 'superseded');
      await expect(revoke(certificate, reason)).rejects.toMatchObject({
        status: 422,
        message: expect.stringContaining('only by a key compromise'),
      });
    },
  );

  it('can be a hold that is later released, as shown in the inventory, validation and the CRL', async () => {
    const certificate = await issueFor('hold.example');
    const { uuid } = certificate;
    const stateOf = async () => {
      const { state, validationStatus, revocationReason } = await client.certificates.getCertificate({
        params: { uuid },
      });
      return { state, validationStatus, revocationReason };
    };
    await revoke(certificate, 'certificateHold');
    expect(await stateOf()).toEqual({
      state: 'revoked',
      validationStatus: 'revoked',
      revocationReason: 'certificateHold',
    });
    await crlNaming(certificate);
    await client.certificateHold.releaseCertificate({ params: { uuid } });
    expect((await stateOf()).state).toBe('issued');
    const [newest] = await client.certificates.getCertificateEventHistory({ params: { uuid } });
    expect(newest).toMatchObject({ event: 'Revoke Certificate', status: 'SUCCESS', message: 'Released from hold' });
    await vi.waitFor(async () => expect((await stateOf()).validationStatus).toBe('valid'), { timeout: 15_000 });
    await vi.waitFor(
      async () => expect(serialsIn(await fetchCrl(addresses.crl, root.raw))).not.toContain(serialOf(certificate)),
      { timeout: 10_000, interval: 100 },
    );
    await expect(client.certificateHold.releaseCertificate({ params: { uuid } })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('only a hold can be released'),
    });
  });

  it('makes a hold permanent if the reason is different, and keeps the date of the hold', async () => {
    const certificate = await issueFor('final.example');
    const { uuid } = certificate;
    await revoke(certificate, 'certificateHold');
    const { revokedAt } = await client.certificates.getCertificate({ params: { uuid } });
    await revoke(certificate, 'cessationOfOperation');
    expect(await client.certificates.getCertificate({ params: { uuid } })).toMatchObject({
      revokedAt,
      revocationReason: 'cessationOfOperation',
    });
    await vi.waitFor(
      async () => {
        const entries = [...revokedEntries(await fetchCrl(addresses.crl, root.raw))];
        expect(entries.find(({ serialNumber }) => serialNumber === serialOf(certificate))?.reason).toBe(
          'cessationOfOperation',
        );
      },
      { timeout: 10_000, interval: 100 },
    );
    await expect(client.certificateHold.releaseCertificate({ params: { uuid } })).rejects.toMatchObject({
      status: 422,
    });
    await expect(revoke(certificate, 'certificateHold')).rejects.toMatchObject({ status: 422 });
  });

  it('appears in the CRL within seconds, with a higher CRL number', async () => {
    const before = await fetchCrl(addresses.crl, root.raw);
    const certificate = await issueFor('listed.example');
    await revoke(certificate, 'superseded');
    const after = await crlNaming(certificate);
    expect(after.crlNumber).toBeGreaterThan(before.crlNumber ?? 0n);
  });
});

describe.skipIf(!HAS_OPENSSL)(`openssl${OPENSSL_NOTE}`, () => {
  const askOcsp = async (certificate: IssuedCertificate): Promise<string> => {
    await openssl.write('leaf.pem', certificate.pem);
    return openssl.run(
      ['ocsp', '-url', addresses.ocsp],
      ['-issuer', 'root.pem', '-CAfile', 'root.pem'],
      ['-cert', 'leaf.pem'],
    );
  };
  const verifyWithCrl = async (certificate: IssuedCertificate): Promise<string> => {
    await openssl.write('leaf.pem', certificate.pem);
    return openssl
      .run('verify', '-x509_strict', '-crl_check', '-CAfile', 'root.pem', '-CRLfile', 'list.pem', 'leaf.pem')
      .catch((error: unknown) => String(error));
  };
  const fetchIssuerAndCrl = async (crl: Uint8Array): Promise<void> => {
    await openssl.write('root.pem', new X509Certificate(await download(addresses.issuer)).toString());
    await openssl.write('list.crl', crl);
    await openssl.run('crl', '-inform', 'DER', '-in', 'list.crl', '-out', 'list.pem');
  };

  it('accepts the certificate before its revocation, rejects it afterwards, and still accepts a second certificate', async () => {
    const [revoked, good] = [await issueFor('revoked.openssl.example'), await issueFor('good.openssl.example')];
    await fetchIssuerAndCrl(await download(addresses.crl));
    expect(await verifyWithCrl(revoked)).toContain('leaf.pem: OK');
    expect(await askOcsp(revoked)).toMatch(/leaf\.pem: good[\s\S]*Response verify OK/);

    await revoke(revoked, 'keyCompromise');
    // OCSP reads the inventory, so it reflects the revocation immediately; the CRL follows within seconds.
    expect(await askOcsp(revoked)).toMatch(/leaf\.pem: revoked[\s\S]*Reason: keyCompromise[\s\S]*Response verify OK/);
    await fetchIssuerAndCrl((await crlNaming(revoked)).der);
    expect(await openssl.run('crl', '-in', 'list.pem', '-CAfile', 'root.pem', '-noout')).toContain('verify OK');
    expect(await openssl.run('crl', '-in', 'list.pem', '-noout', '-text')).toMatch(
      new RegExp(`Serial Number: ${revoked.x509.serialNumber}[\\s\\S]*?Key Compromise`),
    );
    expect(await verifyWithCrl(revoked)).toContain('certificate revoked');
    expect(await verifyWithCrl(good)).toContain('leaf.pem: OK');
    expect(await askOcsp(good)).toMatch(/leaf\.pem: good[\s\S]*Response verify OK/);
  });

  it('sees a hold and its release over OCSP immediately', async () => {
    const held = await issueFor('held.openssl.example');
    await fetchIssuerAndCrl(await download(addresses.crl));
    await revoke(held, 'certificateHold');
    expect(await askOcsp(held)).toMatch(/leaf\.pem: revoked[\s\S]*Reason: certificateHold/);
    await client.certificateHold.releaseCertificate({ params: { uuid: held.uuid } });
    expect(await askOcsp(held)).toMatch(/leaf\.pem: good[\s\S]*Response verify OK/);
    await revoke(held, 'superseded');
    expect(await askOcsp(held)).toMatch(/leaf\.pem: revoked[\s\S]*Reason: superseded/);
  });

  it('gets the status unknown for a serial number that has not been used', async () => {
    await fetchIssuerAndCrl(await download(addresses.crl));
    expect(
      await openssl.run(
        ['ocsp', '-url', addresses.ocsp],
        ['-issuer', 'root.pem', '-CAfile', 'root.pem'],
        ['-serial', '0x1234567890'],
      ),
    ).toMatch(/: unknown[\s\S]*Response verify OK/);
  });
});
