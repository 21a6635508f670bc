// Goal: trusting, uploading and validating work no matter how many CAs share one name. Method: more of them than the
// limits of path building allow.
import { authorityKeyIdentifierExtension, basicConstraintsExtension, keyUsageExtension } from '@signetry/pki';
import { generateKeyPair, type KeyPair } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate, makeRoot, type TestCertificate } from '../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../inventory/testing/test-inventory.ts';

const DAY_MS = 86_400_000;

let test: TestInventory;
beforeAll(async () => {
  test = await createTestInventory();
  return () => test.stopWork();
});

const upload = (pem: string) => test.inventory.upload({ certificate: pem, customAttributes: [] }, test.context);
const validate = (uuid: string) => test.inventory.validate(uuid, test.context);

/** Creates roots with the same name and different keys; each starts its validity later than the one before. */
const roots = async (name: string, keys: readonly KeyPair[]): Promise<TestCertificate[]> =>
  Promise.all(
    keys.map((own, index) => makeRoot(name, { keys: own, notBefore: new Date(Date.now() - (400 - index) * DAY_MS) })),
  );
const keyPairs = (count: number, type: 'P-256' | 'P-521') =>
  Promise.all(Array.from({ length: count }, () => generateKeyPair(type)));

describe('CAs with the same name', () => {
  it('can be trusted even if they exceed the limit for synchronous work, and certificates issued by them can be uploaded', async () => {
    const all = await roots('Costly Name', await keyPairs(16, 'P-521'));
    for (const { der } of all) await test.trust(der);
    const leaf = await makeCertificate('costly.test', { issuer: all[7] as TestCertificate });
    expect(await validate(await upload(leaf.pem))).toMatchObject({ resultStatus: 'valid' });
  });

  it('are found by key identifier, even if more CAs share the name than the search tries', async () => {
    const all = await roots('Common Name', await keyPairs(70, 'P-256'));
    const [oldest, second] = all as [TestCertificate, TestCertificate];
    await test.trust(oldest.der);
    await upload(
      all
        .slice(1)
        .map(({ pem }) => pem)
        .join(''),
    );
    const leaf = await upload((await makeCertificate('oldest.test', { issuer: oldest })).pem);
    expect(await validate(leaf)).toMatchObject({ resultStatus: 'valid' });
    const below = await upload((await makeCertificate('second.test', { issuer: second })).pem);
    expect(await validate(below)).toMatchObject({
      message: expect.stringMatching(/The certificate is self-signed but not trusted\./),
    });
  });

  it('are not reported as having the wrong key if the search limit prevented some from being tried', async () => {
    const all = await roots('Common Name', [await generateKeyPair('P-256')]);
    const issuer = all[0] as TestCertificate;
    const anonymous = await makeCertificate('anonymous.test', {
      issuer,
      only: [basicConstraintsExtension({ ca: false }), keyUsageExtension(['digitalSignature'])],
    });
    const wrongHint = await makeCertificate('hint.test', {
      issuer,
      only: [authorityKeyIdentifierExtension(Uint8Array.of(1, 2, 3))],
    });
    for (const { pem } of [anonymous, wrongHint]) {
      const { message, validationChecks } = await validate(await upload(pem));
      expect(message).toMatch(/examined; more certificates have a matching name but exceed the limit\./);
      expect(validationChecks?.signature?.status).toBe('not_checked');
    }
  });
});
