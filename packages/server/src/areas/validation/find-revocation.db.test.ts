// Goal: a certificate of another authority is taken for revoked when anybody who may say so ever said so, and for good
// only by what can be believed at this time. Method: CRLs over HTTP on loopback, the inventory on a database.
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
/** By path; without one the answer is 404. */
const lists = new Map<string, Uint8Array>();

beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    const list = lists.get(url);
    response.writeHead(list ? 200 : 404).end(list);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a listening TCP server has such an address
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

it('names what its CRL lists, and takes the others and what names no CRL for good', async () => {
  const listed = await naming('listed', '/one.crl');
  lists.set('/one.crl', crlOf(root, [listed]));
  expect(await find(listed, root)).toEqual({
    status: 'revoked',
    message: expect.stringMatching(/CN=listed.*: Revoked at .*keyCompromise/),
  });
  expect(await find(await naming('other', '/one.crl'), root)).toEqual({ status: 'good' });
  expect(await find(await makeCertificate('names none', { issuer: root }), root)).toEqual({ status: 'good' });
});

it('asks about the authorities below the anchor, too', async () => {
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

it('is undetermined where the list is missing, forged, of nobody known, or not over HTTP', async () => {
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
    message: expect.stringContaining('Its issuer'),
  });
  const extensions = [crlDistributionPointsExtension(['ldap://127.0.0.1/cn=crl'])];
  const byDirectory = await makeCertificate('by directory', { issuer: root, extensions });
  expect(await find(byDirectory, root)).toMatchObject({
    status: 'undetermined',
    message: expect.stringContaining('HTTP'),
  });
});

it('knows the list of a certificate that is trusted itself where the inventory holds its issuer', async () => {
  const office = await makeRoot('Offices Root');
  await test.upload(office.der);
  test.issuers.forget();
  const listed = await naming('office 1', '/offices.crl', office);
  lists.set('/offices.crl', crlOf(office, [listed]));
  expect(await find(listed)).toMatchObject({ status: 'revoked' });
  expect(await find(await naming('office 2', '/offices.crl', office))).toEqual({ status: 'good' });
});

it('counts a list until its next one is due when that cannot be had, and no longer', async () => {
  const [listed, other] = [await naming('kept listed', '/kept.crl'), await naming('kept other', '/kept.crl')];
  lists.set('/kept.crl', crlOf(root, [listed]));
  expect(await find(listed, root)).toMatchObject({ status: 'revoked' });
  lists.delete('/kept.crl');
  test.clock.advance(30 * HOUR_MS); // it is asked for again after a day
  expect(await find(listed, root)).toMatchObject({ status: 'revoked' });
  expect(await find(other, root)).toEqual({ status: 'good' });
  test.clock.advance(20 * HOUR_MS);
  expect(await find(listed, root)).toMatchObject({ status: 'undetermined' });
  expect(await find(other, root)).toMatchObject({ status: 'undetermined' });
});

it('remembers a revocation that the inventory learned, whatever the list says later', async () => {
  await test.trust(root.der);
  const leaf = await naming('learned', '/learned.crl');
  lists.set('/learned.crl', crlOf(root, [leaf]));
  const uuid = await test.upload(leaf.der);
  expect((await test.inventory.validate(uuid, test.context)).resultStatus).toBe('revoked');
  lists.set('/learned.crl', crlOf(root, []));
  test.clock.advance(30 * HOUR_MS);
  expect(await find(leaf, root)).toMatchObject({ status: 'revoked', message: expect.stringContaining('inventory') });
});
