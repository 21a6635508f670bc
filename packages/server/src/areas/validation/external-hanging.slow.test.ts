// An external server that accepts requests and never responds: waits for the URLs in certificates are limited to a few
// seconds.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authorityInfoAccessExtension, crlDistributionPointsExtension, parseCertificate } from '@signetry/pki';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeCertificate, makeRoot, type TestCertificate } from '../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../inventory/testing/test-inventory.ts';

let test: TestInventory;
let root: TestCertificate;
let base: string;

beforeAll(async () => {
  test = await createTestInventory();
  root = await makeRoot('Hanging Root');
  await test.trust(root.der);
});
// A server that hung is not contacted again for a while.
beforeEach(async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // A listening TCP server has such an address.
  return () => {
    server.closeAllConnections();
    server.close();
  };
});

const validate = async (leaf: TestCertificate) => {
  const { validationChecks } = await test.inventory.validate(await test.upload(leaf.der), test.context);
  return { ocsp: validationChecks?.ocsp_verification };
};

describe('an OCSP responder', () => {
  it('that hangs delays one validation for a few seconds, and does not delay other validations with the same host', async () => {
    const leaf = (name: string) =>
      makeCertificate(name, { issuer: root, extensions: [authorityInfoAccessExtension({ ocsp: [`${base}/`] })] });
    const first = Date.now();
    expect((await validate(await leaf('hanging.test'))).ocsp).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('did not respond within'),
    });
    expect(Date.now() - first).toBeLessThan(15_000);
    const second = Date.now();
    expect((await validate(await leaf('hanging-too.test'))).ocsp?.status).toBe('failed');
    expect(Date.now() - second).toBeLessThan(2_000);
  }, 30_000);
});

it('validation waits only a few seconds for a CRL that does not arrive', async () => {
  const started = performance.now();
  const extensions = [crlDistributionPointsExtension([`${base}/hanging.crl`])];
  const leaf = await makeCertificate('hanging', { issuer: root, extensions });
  const path = { certificate: parseCertificate(leaf.der), issuers: [parseCertificate(root.der)] };
  expect(await test.validation.findRevocation(path)).toMatchObject({
    status: 'undetermined',
    message: expect.stringContaining('did not respond within 5 s'),
  });
  expect(performance.now() - started).toBeLessThan(9_000);
}, 20_000);
