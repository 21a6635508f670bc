// Goal: an external certificate counts as revoked if any authorized source has ever reported it, and as good only on
// currently valid evidence. Method: CRLs over HTTP on loopback and the inventory in a database.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  assembleCrl,
  buildTbsCertList,
  crlDistributionPointsExtension,
  defaultSignatureAlgorithm,
  keyIdentifier,
  parseCertificate,
  parsePublicKey,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeCertificate, makeRoot, type TestCertificate } from '../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../inventory/testing/test-inventory.ts';

const HOUR_MS = 3_600_000;
let test: TestInventory;
let root: TestCertificate;
let server: Server;
let base: string;
/** By path. Other paths return 404. */
const lists = new Map<string, Uint8Array>();

beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    const list = lists.get(url);
    response.writeHead(list ? 200 : 404).end(list);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // A listening TCP server has this address type.
  test = await createTestInventory();
  root = await makeRoot('Makers Root');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function crlOf(issuer: TestCertificate, revoked: readonly TestCertificate[], signer = issuer): Uint8Array {
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(signer.keys.spki));
  const now = test.clock.now().getTime();
  const tbs = buildTbsCertList({
    signatureAlgorithm: algorithm,
    issuer: issuer.name,
    thisUpdateMs: now - 1000,
    nextUpdateMs: now + 48 * HOUR_MS,
    crlNumber: 1,
    authorityKeyIdentifier: keyIdentifier(parsePublicKey(issuer.keys.spki), nodeCrypto.digest),
    entries: revoked.map(({ der }) => ({
      serialNumber: parseCertificate(der).serialBytes,
      revocationMs: now - 60_000,
      reason: 'keyCompromise' as const,
    })),
  });
  return assembleCrl(tbs, { algorithm, signature: nodeCrypto.sign(signer.keys.privateKey, { algorithm, data: tbs }) });
}

const naming = (name: string, path: string, issuer = root) =>
  makeCertificate(name, { issuer, extensions: [crlDistributionPointsExtension([base + path])] });
const find = (leaf: TestCertificate, ...issuers: readonly TestCertificate[]) =>
  test.validation.findRevocation({
    certificate: parseCertificate(leaf.der),
    issuers: issuers.map(({ der }) => parseCertificate(der)),
  });

it('reports certificates listed on their CRL as revoked, and all others, including those without a CRL URL, as good', async () => {
  const listed = await naming('listed', '/one.crl');
  lists.set('/one.crl', crlOf(root, [listed]));
  expect(await find(listed, root)).toEqual({
    status: 'revoked',
    message: expect.stringMatching(/CN=listed.*: Revoked at .*keyCompromise/),
  });
  expect(await find(await naming('other', '/one.crl'), root)).toEqual({ status: 'good' });
  expect(await find(await makeCertificate('names none', { issuer: root }), root)).toEqual({ status: 'good' });
});

it('also checks the revocation of CAs below the trust anchor', async () => {
  const between = await makeCertificate('Between', {
    issuer: root,
    ca: true,
    extensions: [crlDistributionPointsExtension([`${base}/between.crl`])],
  });
  lists.set('/between.crl', crlOf(root, [between]));
  const leaf = await makeCertificate('below', { issuer: between });
  expect(await find(leaf, between, root)).toMatchObject({
    status: 'revoked',
    message: expect.stringContaining('Between'),
  });
});

it('is undetermined if the CRL is missing, forged, from an unknown issuer, or not served over HTTP', async () => {
  lists.set('/forged.crl', crlOf(root, [], await makeRoot('Makers Root')));
  for (const [path, words] of [
    ['/missing.crl', /status 404/],
    ['/forged.crl', /not signed/],
  ] as const)
    expect(await find(await naming(`of ${path}`, path), root)).toEqual({
      status: 'undetermined',
      message: expect.stringMatching(words),
    });
  expect(await find(await naming('alone', '/one.crl'))).toMatchObject({
    status: 'undetermined',
    message: expect.stringContaining('The inventory does not contain its issuer'),
  });
  const extensions = [crlDistributionPointsExtension(['ldap://127.0.0.1/cn=crl'])];
  const byDirectory = await makeCertificate('by directory', { issuer: root, extensions });
  expect(await find(byDirectory, root)).toMatchObject({
    status: 'undetermined',
    message: expect.stringContaining('HTTP'),
  });
});

it('checks the CRL of a directly trusted certificate if the inventory contains its issuer', async () => {
  const office = await makeRoot('Offices Root');
  await test.upload(office.der);
  test.issuers.forget();
  const listed = await naming('office 1', '/offices.crl', office);
  lists.set('/offices.crl', crlOf(office, [listed]));
  expect(await find(listed)).toMatchObject({ status: 'revoked' });
  expect(await find(await naming('office 2', '/offices.crl', office))).toEqual({ status: 'good' });
});

it('uses a CRL until its nextUpdate, but no longer, if the next CRL is unavailable', async () => {
  const [listed, other] = [await naming('kept listed', '/kept.crl'), await naming('kept other', '/kept.crl')];
  lists.set('/kept.crl', crlOf(root, [listed]));
  expect(await find(listed, root)).toMatchObject({ status: 'revoked' });
  lists.delete('/kept.crl');
  test.clock.advance(30 * HOUR_MS); // The CRL is requested again after a day.
  expect(await find(listed, root)).toMatchObject({ status: 'revoked' });
  expect(await find(other, root)).toEqual({ status: 'good' });
  test.clock.advance(20 * HOUR_MS);
  expect(await find(listed, root)).toMatchObject({ status: 'undetermined' });
  expect(await find(other, root)).toMatchObject({ status: 'undetermined' });
});

it('keeps a revocation recorded in the inventory, even if a later CRL omits it', async () => {
  await test.trust(root.der);
  const leaf = await naming('learned', '/learned.crl');
  lists.set('/learned.crl', crlOf(root, [leaf]));
  const uuid = await test.upload(leaf.der);
  expect((await test.inventory.validate(uuid, test.context)).resultStatus).toBe('revoked');
  lists.set('/learned.crl', crlOf(root, []));
  test.clock.advance(30 * HOUR_MS);
  expect(await find(leaf, root)).toMatchObject({ status: 'revoked', message: expect.stringContaining('inventory') });
});
