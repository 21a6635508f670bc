// The path of an ACME client from account to certificate to revocation, over real sockets and with every challenge
// type.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AcmeTestClient } from '@signetry/testkit/acme';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedAcmeServer } from './testing/acme-server.ts';

const acme = sharedAcmeServer();
let client: AcmeTestClient;

beforeAll(async () => {
  client = await acme.account();
});

describe('an ACME client', () => {
  it('gets a certificate for the names in its order, with a chain to the root', async () => {
    const names = [acme.host('web'), acme.host('www')];
    const { chain } = await acme.issue(client, names);
    const [leaf = '', issuer = ''] = pemBlocks(chain);
    const certificate = new X509Certificate(leaf);
    const root = new X509Certificate(await readFile(acme.server.ready.rootCertificate));
    expect(certificate.subjectAltName?.split(', ').toSorted()).toEqual(names.map((name) => `DNS:${name}`).toSorted());
    expect(certificate.verify(root.publicKey)).toBe(true);
    expect(new X509Certificate(issuer).fingerprint256).toBe(root.fingerprint256);
  });

  it('validates a wildcard name over DNS', async () => {
    const base = acme.host('wild');
    const { chain } = await acme.issue(client, [`*.${base}`, base], { challenge: 'dns-01' });
    expect(new X509Certificate(chain).checkHost(`anything.${base}`)).toBeDefined();
  });

  it('validates a name and an IP address over TLS', async () => {
    const name = acme.host('alpn');
    expect(
      new X509Certificate((await acme.issue(client, [name], { challenge: 'tls-alpn-01' })).chain).checkHost(name),
    ).toBe(name);
    const { chain } = await acme.issue(client, ['127.0.0.1'], { challenge: 'tls-alpn-01' });
    expect(new X509Certificate(chain).checkIP('127.0.0.1')).toBe('127.0.0.1');
  });

  it('has its certificate in the inventory, linked to the profile and the account', async () => {
    const name = acme.host('linked');
    await acme.issue(client, [name]);
    const { certificates } = await acme.server.client.certificates.listCertificates({
      body: {
        filters: [
          { fieldSource: 'property', fieldIdentifier: 'SUBJECT_ALTERNATIVE_NAMES', condition: 'CONTAINS', value: name },
        ],
      },
    });
    const [listed] = certificates;
    const detail = await acme.server.client.certificates.getCertificate({ params: { uuid: listed?.uuid ?? '' } });
    expect(detail.state).toBe('issued');
    expect(detail.protocolInfo?.protocol).toBe('acme');
    expect(detail.owner).toBeUndefined();
  });

  it('revokes its certificate with its account, and sees that it is revoked', async () => {
    const { chain } = await acme.issue(client, [acme.host('revoked')]);
    const der = new X509Certificate(chain).raw;
    expect((await client.revoke(der, { reason: 4 })).status).toBe(200);
    const again = await client.revoke(der);
    expect([again.status, again.problem]).toEqual([400, 'alreadyRevoked']);
  });

  it('gets the same certificate if it repeats the finalize request', async () => {
    const { order, url, certificateUrl, request } = await acme.issue(client, [acme.host('again')]);
    const again = await client.finalize(order.finalize, request.der);
    expect(again.body.certificate).toBe(certificateUrl);
    expect((await client.order(url)).body.certificate).toBe(certificateUrl);
  });
});

const pemBlocks = (chain: string): string[] =>
  chain.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
