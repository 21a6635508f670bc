import { CertificateLineage, certificateOperations, ChainValidation } from '@signetry/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { inventoryHandlers } from './routes.ts';
import { makeCertificate, makeRoot } from '../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from './testing/test-inventory.ts';

let test: TestInventory;
let uuid: string;

beforeAll(async () => {
  test = await createTestInventory();
  test.declareJobs();
  await test.platform.jobs.start();
  const root = await makeRoot('Route Root');
  await test.trust(root.der);
  uuid = await test.upload((await makeCertificate('route.test', { issuer: root, dnsNames: ['route.test'] })).der);
  return () => test.platform.jobs.stop();
});

type HandledOperation = keyof ReturnType<typeof inventoryHandlers>;

describe('inventory responses', () => {
  it.each([
    ['listCertificates', { body: { itemsPerPage: 10, pageNumber: 1 } }],
    ['getCertificateSearchFields', {}],
    ['getCertificateContent', { body: () => [uuid] }],
    ['getCertificate', {}],
    ['getCertificateChain', { query: { withEndCertificate: true } }],
    ['downloadCertificateChain', { params: { certificateFormat: 'pkcs7' }, query: { encoding: 'pem' } }],
    ['downloadCertificate', { params: { certificateFormat: 'raw' }, query: { encoding: 'der' } }],
    ['getCertificateEventHistory', {}],
    ['getCertificateValidationResult', {}],
    ['bulkDeleteCertificate', { body: { uuids: [] } }],
  ] as const satisfies readonly [HandledOperation, object][])('for %s match the contract', async (name, input) => {
    const given = { params: {}, query: {}, body: undefined, ...input };
    const body: unknown = typeof given.body === 'function' ? given.body() : given.body;
    // Each handler has its own input type.
    const handle = inventoryHandlers(test.inventory)[name] as (input: unknown) => Promise<unknown>;
    const answer = await handle({ ...given, body, params: { uuid, ...given.params }, context: test.context });
    const checked = certificateOperations[name].success.body.safeParse(answer);
    expect(checked.error?.issues ?? []).toEqual([]);
    expect(JSON.stringify(answer)).not.toContain('null');
  });

  it('for lineage and chain validation match the contract', async () => {
    const lineage = await test.inventory.lineage(uuid, test.context);
    expect(CertificateLineage.parse(lineage).certificates).toMatchObject([{ uuid, predecessors: [] }]);
    const validation = await test.validation.validateChain(uuid, test.context);
    expect(ChainValidation.parse(validation).chain).toMatchObject([{ uuid }, { commonName: 'Route Root' }]);
    expect(JSON.stringify([lineage, validation])).not.toContain('null');
  });

  it('for changes are empty', async () => {
    const handlers = inventoryHandlers(test.inventory);
    const input = { params: { uuid }, query: undefined, context: test.context };
    expect(await handlers.updateCertificateObjects({ ...input, body: {} })).toBeUndefined();
    expect(await handlers.deleteCertificate({ ...input, body: undefined })).toBeUndefined();
  });
});
