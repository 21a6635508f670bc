// Manufacturer certificates authenticate devices over CMP and EST unless their authority's CRL revokes them: real CRLs
// over HTTP, real TLS connections.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  assembleCrl,
  buildTbsCertList,
  crlDistributionPointsExtension,
  keyIdentifier,
  keyUsageExtension,
  parseCertificate,
  parsePublicKey,
  signatureAlgorithm,
  subjectKeyIdentifierExtension,
  writePem,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto, type KeyPair } from '@signetry/pki/node';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRequest } from '../load/requests.ts';
import { exchange, makeMessage, newTransaction, type CmpResponse } from './testing/cmp-client.ts';
import { certificatesNamed, serveCmp, SHARED } from './testing/cmp-profiles.ts';
import { base64, irOf, signerOf, signMessage, type CmpSigner } from './testing/cmp-signer.ts';
import { createExternalAuthority, type ExternalAuthority } from './testing/external-authority.ts';
import { createAuthority, defaultProfile, type IssuingPath } from './testing/profiles.ts';

const server = sharedTestServer({ args: ['--egress-allowed-hosts', '127.0.0.1'] });
const ECDSA = signatureAlgorithm('SHA256withECDSA');
let path: IssuingPath;
let keys: KeyPair;
let maker: ExternalAuthority;
let lists: Server;
let crl: Uint8Array;
let good: CmpSigner;
let revoked: CmpSigner;
let unreachable: CmpSigner;
let silent: CmpSigner;

beforeAll(async () => {
  path = await defaultProfile(server.client);
  lists = createServer(({ url }, response) => {
    if (url === '/makers.crl') response.writeHead(200).end(crl);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => lists.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has this address type.
  const base = `http://127.0.0.1:${(lists.address() as AddressInfo).port}`;
  keys = await generateKeyPair('P-256');
  maker = await createExternalAuthority('CN=Maker', keys);
  const device = (name: string, list?: string) =>
    signerOf(maker, `CN=${name}`, [
      keyUsageExtension(['digitalSignature']),
      subjectKeyIdentifierExtension(nodeCrypto.randomBytes(20)),
      ...(list ? [crlDistributionPointsExtension([base + list])] : []),
    ]);
  good = await device('device 1', '/makers.crl');
  revoked = await device('device 2', '/makers.crl');
  unreachable = await device('device 3', '/lost.crl');
  silent = await device('device 4');
  crl = buildCrl([revoked.certificate]);
});
afterAll(() => {
  lists.closeAllConnections();
  lists.close();
});

function buildCrl(revokedOnes: readonly Uint8Array[]): Uint8Array {
  const tbs = buildTbsCertList({
    signatureAlgorithm: ECDSA,
    issuer: parseCertificate(maker.der).subject,
    thisUpdateMs: Date.now() - 1000,
    nextUpdateMs: Date.now() + 3_600_000,
    crlNumber: 1,
    authorityKeyIdentifier: keyIdentifier(parsePublicKey(keys.spki), nodeCrypto.digest),
    entries: revokedOnes.map((der) => ({
      serialNumber: parseCertificate(der).serialBytes,
      revocationMs: Date.now() - 60_000,
      reason: 'keyCompromise' as const,
    })),
  });
  return assembleCrl(tbs, {
    algorithm: ECDSA,
    signature: nodeCrypto.sign(keys.privateKey, { algorithm: ECDSA, data: tbs }),
  });
}

const newName = (): string => `${randomUUID().slice(0, 8)}.example`;
const countOf = async (name: string) => (await certificatesNamed(server.client, name)).length;

describe('a signed request over CMP', () => {
  // Names in manufacturer certificates differ from the requested names.
  const signed = { requestProtectionMethod: 'signature', bindNames: false } as const;
  const ask = async (url: string, signer: CmpSigner, name: string): Promise<CmpResponse> =>
    exchange(url, signMessage(newTransaction(), await irOf(`CN=${name}`), signer));

  it('with a manufacturer certificate is accepted unless the certificate is revoked or its CRL is unavailable', async () => {
    const { url } = await serveCmp(server, path, { ...signed, trustedAuthorities: [base64(maker.der)] });
    for (const signer of [good, silent]) {
      const name = newName();
      expect((await ask(url, signer, name)).body.type).toBe('ip');
      expect(await countOf(name)).toBe(1);
    }
    const name = newName();
    const words = expect.stringMatching(/is revoked\. CN=device 2: Revoked at .*keyCompromise/);
    expect(await ask(url, revoked, name)).toMatchObject({ failures: ['certRevoked'], words });
    const unknown = expect.stringMatching(/^Cannot determine whether .* is revoked\. CN=device 3: .*status 404/);
    expect(await ask(url, unreachable, name)).toMatchObject({ failures: ['signerNotTrusted'], words: unknown });
    expect(await countOf(name)).toBe(0);
  });

  it('with a certificate from a different authority on the platform needs no CRL, since the inventory has its status', async () => {
    const { url: first } = await serveCmp(server, path);
    const [name, owned] = [newName(), await generateKeyPair('P-256')];
    const { body, certificate } = await exchange(
      first,
      await makeMessage(newTransaction(), await irOf(`CN=${name}`, { keys: owned }), SHARED),
    );
    const [root] = 'caPubs' in body ? body.caPubs : [];
    if (!certificate || !root) throw new Error('no certificate');
    expect(certificate.crlUrls.length).toBeGreaterThan(0);
    const other = await createAuthority(server.client, { name: `Other ${randomUUID()}` });
    const { url } = await serveCmp(server, other, { ...signed, trustedAuthorities: [base64(root)] });
    const signer = { certificate: certificate.der, keys: owned };
    expect((await ask(url, signer, newName())).body.type).toBe('ip');
    const [{ uuid: certificateUuid } = expect.fail('no certificate')] = await certificatesNamed(server.client, name);
    const params = { ...path, certificateUuid };
    const reason = { reason: 'superseded' as const, attributes: [] };
    await server.client.clientOperations.revokeCertificate({ params, body: reason });
    expect(await ask(url, signer, newName())).toMatchObject({ failures: ['certRevoked'] });
  });

  it('from a registration authority is rejected once its certificate is revoked', async () => {
    const registrationAuthorities = [good, revoked, unreachable].map(({ certificate }) => base64(certificate));
    const { url } = await serveCmp(server, path, { ...signed, registrationAuthorities });
    const withIssuer = (signer: CmpSigner): CmpSigner => ({ ...signer, chain: [maker.der] });
    const name = newName();
    expect((await ask(url, withIssuer(good), newName())).body.type).toBe('ip');
    expect(await ask(url, withIssuer(revoked), name)).toMatchObject({ failures: ['certRevoked'] });
    expect(await ask(url, withIssuer(unreachable), name)).toMatchObject({ failures: ['signerNotTrusted'] });
    // The issuer of the CRLs is unknown.
    const words = expect.stringContaining('does not contain its issuer');
    expect(await ask(url, good, name)).toMatchObject({ failures: ['signerNotTrusted'], words });
    expect(await countOf(name)).toBe(0);
  });
});

describe('a client certificate over EST', () => {
  interface HttpResponse {
    readonly status: number | undefined;
    readonly body: string;
  }

  const ask = (profile: string, signer: CmpSigner, request: string): Promise<HttpResponse> =>
    new Promise((resolve, reject) => {
      const url = new URL(`/.well-known/est/${profile}/simpleenroll`, server.ready.https ?? undefined);
      const options = {
        method: 'POST',
        ca: readFileSync(server.ready.rootCertificate),
        cert: writePem('CERTIFICATE', signer.certificate),
        key: signer.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
        headers: { 'content-type': 'application/pkcs10' },
      };
      const sent = httpsRequest(url, options, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
      });
      sent.on('error', reject).end(request);
    });

  it('from a manufacturer is accepted unless it is revoked or its CRL is unavailable', async () => {
    const { client } = server;
    const body = { certificate: base64(maker.der), customAttributes: [] };
    const { uuid } = await client.certificates.uploadCertificate({ body });
    const name = `est-${randomUUID()}`;
    const trusted = { trustedCertificateUuids: [uuid], bindNames: false };
    const settings = { name, raProfileUuid: path.raProfileUuid, ...trusted };
    const { uuid: estProfileUuid } = await client.estProfiles.createEstProfile({ body: settings });
    await client.estProfiles.enableEstProfile({ params: { estProfileUuid } });
    const requestAs = async (signer: CmpSigner) =>
      ask(name, signer, await makeRequest(`foreign-${randomUUID().slice(0, 8)}`));
    expect(await requestAs(good)).toMatchObject({ status: 200 });
    expect(await requestAs(silent)).toMatchObject({ status: 200 });
    const refused = await makeRequest('foreign-refused');
    expect(await ask(name, revoked, refused)).toEqual({
      status: 403,
      body: expect.stringMatching(/revoked.*keyCompromise/),
    });
    expect(await ask(name, unreachable, refused)).toEqual({
      status: 403,
      body: expect.stringContaining('its revocation status cannot be determined'),
    });
    expect(await countOf('foreign-refused.bench.example')).toBe(0);
  });
});
