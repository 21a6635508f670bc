import { beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate, makeRoot } from '../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../inventory/testing/test-inventory.ts';

let test: TestInventory;

beforeAll(async () => {
  test = await createTestInventory();
});

describe('chain validation', () => {
  it('returns the checks for each certificate, and indicates where trust is missing', async () => {
    const root = await makeRoot('Tree Root');
    const rootUuid = await test.upload(root.der);
    const uuid = await test.upload((await makeCertificate('tree.test', { issuer: root })).der);
    const before = await test.validation.validateChain(uuid, test.context);
    expect(before.chain).toMatchObject([
      { uuid, commonName: 'tree.test', isTrustMissing: true, result: { resultStatus: 'invalid' } },
      { uuid: rootUuid, commonName: 'Tree Root', isTrustMissing: true },
    ]);
    expect(before.chain[1]?.result.validationChecks).toMatchObject({
      certificate_chain: { status: 'invalid', message: 'The root is not marked as a trusted CA.' },
      signature: { status: 'valid' },
      key_usage: { status: 'valid' },
    });
    await test.inventory.update(rootUuid, { trustedCa: true }, test.context);
    const after = await test.validation.validateChain(uuid, test.context);
    expect(after.chain.map(({ result }) => result.resultStatus)).toEqual(['valid', 'valid']);
    expect(after.chain.every(({ result }) => result.validationTimestamp !== undefined)).toBe(true);
    const purposes = after.chain.map((each) => each.purposes.filter(({ valid }) => valid).length);
    expect(purposes.every((count) => count > 0)).toBe(true);
    expect(before.chain.every((each) => each.purposes.every(({ valid }) => !valid))).toBe(true);
    const { validationChecks } = await test.inventory.validate(uuid, test.context);
    expect(after.chain[0]?.result.validationChecks).toEqual(validationChecks);
  });

  it('covers only the certificate itself if validation is disabled, and states the reason', async () => {
    const uuid = await test.upload((await makeCertificate('archived.test')).der);
    await test.platform.database.query('UPDATE certificate SET archived = true WHERE uuid = $1', [uuid]);
    const { chain } = await test.validation.validateChain(uuid, test.context);
    expect(chain).toMatchObject([
      { uuid, result: { resultStatus: 'not_checked', message: expect.stringContaining('archived') } },
    ]);
  });
});
