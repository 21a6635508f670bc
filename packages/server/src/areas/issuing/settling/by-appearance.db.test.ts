import { generateKeyPair, type KeyPair } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError, notFound } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import { readRequest } from '../../certificates/read-request.ts';
import * as store from '../../certificates/store.ts';
import { postponeOperation } from '../operations/store.ts';
import { reserve } from '../issuance/store.ts';
import {
  makeCertificate,
  makeRequest,
  makeRoot,
  type TestCertificate,
} from '../../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../../inventory/testing/test-inventory.ts';
import { reservationFor } from '../testing/test-reservations.ts';
import { createPersonSettler } from './by-person.ts';

let test: TestInventory;
let root: TestCertificate;
let profile: IssuingProfile;

beforeAll(async () => {
  test = await createTestInventory();
  root = await makeRoot('Settling Root');
  profile = await test.addProfile('settling', { caCertificateUuid: await test.trust(root.der) });
});

/** Creates a request whose outcome at the authority is unknown, and returns its certificate object. */
async function createUndecided(
  commonName: string,
  keys: KeyPair,
): Promise<{ certificateUuid: string; operationUuid: string }> {
  const [certificateUuid, operationUuid] = [newUuid(), newUuid()];
  const { database, clock } = test.platform;
  const request = readRequest(await makeRequest(commonName, keys), 'pkcs10');
  const needed = { raProfileUuid: profile.uuid, request, createdAt: clock.now() };
  const reservation = reservationFor(needed, { certificateUuid, operationUuid });
  const record = test.audit.record(test.context, {
    facts: { module: 'certificates', resource: 'certificates', operation: 'request' },
  });
  await reserve(database.executor, [reservation], [record]);
  await postponeOperation(database.executor, operationUuid, { state: 'undecided', problem: 'timed out' });
  await store.changeCertificateState(database.executor, certificateUuid, {
    from: ['requested'],
    to: 'pending_issue',
    at: clock.now(),
  });
  return { certificateUuid, operationUuid };
}

const operationState = async (uuid: string) =>
  (
    await test.platform.database.query<{ state: string }>('SELECT state FROM certificate_operation WHERE uuid = $1', [
      uuid,
    ])
  )[0]?.state;

const setKnown = (facts: { knows: boolean }) => {
  test.identify = () => (facts.knows ? Promise.resolve([]) : Promise.reject(notFound('Certificate', 'x')));
};

describe('uploading a certificate that has a pending operation with an unknown outcome', () => {
  it('completes the operation with the uploaded certificate', async () => {
    const keys = await generateKeyPair('P-256');
    const { certificateUuid, operationUuid } = await createUndecided('settled.test', keys);
    setKnown({ knows: true });
    const leaf = await makeCertificate('settled.test', { issuer: root, keys });
    expect(await test.upload(leaf.der)).toBe(certificateUuid);
    expect(await operationState(operationUuid)).toBe('done');
    expect(await test.inventory.detail(certificateUuid, test.context)).toMatchObject({
      state: 'issued',
      validationStatus: 'valid',
      certificateContent: leaf.base64,
      raProfile: { name: 'settling' },
    });
    const history = await test.inventory.history(certificateUuid);
    expect(history.find(({ event }) => event === 'Issue Certificate')).toMatchObject({
      status: 'SUCCESS',
      createdBy: 'alice',
    });
  });

  it('does not complete the operation if the authority responds that it did not issue the certificate', async () => {
    const keys = await generateKeyPair('P-256');
    const { certificateUuid, operationUuid } = await createUndecided('foreign.test', keys);
    setKnown({ knows: false });
    const uuid = await test.upload((await makeCertificate('foreign.test', { issuer: root, keys })).der);
    expect(uuid).not.toBe(certificateUuid);
    expect(await operationState(operationUuid)).toBe('undecided');
    expect(await test.inventory.detail(certificateUuid, test.context)).toMatchObject({ state: 'pending_issue' });
  });

  it('relies on the CA certificate of the RA profile if the authority cannot be reached', async () => {
    test.identify = () => Promise.reject(new AppError('connector_unreachable', { connector: 'x', reason: 'refused' }));
    const keys = await generateKeyPair('P-256');
    const { certificateUuid } = await createUndecided('offline.test', keys);
    const other = await makeRoot('Other Root');
    await test.trust(other.der);
    expect(await test.upload((await makeCertificate('offline.test', { issuer: other, keys })).der)).not.toBe(
      certificateUuid,
    );
    expect(await test.upload((await makeCertificate('offline.test', { issuer: root, keys })).der)).toBe(
      certificateUuid,
    );
  });

  it.each([
    ['another key', { commonName: 'strict.test' }],
    ['another common name', { commonName: 'other.test', sameKey: true }],
    [
      'a beginning long before the request',
      { commonName: 'strict.test', sameKey: true, notBefore: new Date(Date.now() - 3 * 86_400_000) },
    ],
    [
      'a beginning in the future',
      { commonName: 'strict.test', sameKey: true, notBefore: new Date(Date.now() + 86_400_000) },
    ],
    ['a signature that the named issuer did not make', { commonName: 'strict.test', sameKey: true, forged: true }],
  ])(
    'creates a separate object for a certificate with %s',
    async (_difference, facts: { commonName: string; sameKey?: boolean; notBefore?: Date; forged?: boolean }) => {
      const keys = await generateKeyPair('P-256');
      const { certificateUuid } = await createUndecided('strict.test', keys);
      setKnown({ knows: true });
      const wish = {
        issuer: root,
        ...(facts.sameKey ? { keys } : {}),
        ...(facts.notBefore ? { notBefore: facts.notBefore } : {}),
        ...(facts.forged ? { signer: keys } : {}),
      };
      expect(await test.upload((await makeCertificate(facts.commonName, wish)).der)).not.toBe(certificateUuid);
    },
  );
});

describe('declaring that a certificate with an unknown outcome was not issued', () => {
  const declare = (uuid: string) =>
    createPersonSettler(test)(uuid, { reason: 'not in the list of the CA' }, test.context);

  it('marks the operation as failed, with the user and the reason in the history and in the audit log', async () => {
    const { certificateUuid, operationUuid } = await createUndecided('never.test', await generateKeyPair('P-256'));
    await declare(certificateUuid);
    expect(await operationState(operationUuid)).toBe('failed');
    expect(await test.inventory.detail(certificateUuid, test.context)).toMatchObject({ state: 'failed' });
    expect((await test.inventory.history(certificateUuid))[0]).toMatchObject({
      event: 'Issue Certificate',
      status: 'FAILED',
      createdBy: 'alice',
      message: 'Declared as not issued by alice: not in the list of the CA',
    });
    expect((await test.audited()).at(-1)).toMatchObject({
      operation_result: 'success',
      resource_objects: [{ uuid: certificateUuid }],
    });
  });

  it('is rejected if it is repeated, and for operations that are already settled', async () => {
    const { certificateUuid } = await createUndecided('once.test', await generateKeyPair('P-256'));
    await declare(certificateUuid);
    await expect(declare(certificateUuid)).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(declare(newUuid())).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('is rejected while the authority is still being called', async () => {
    const { certificateUuid, operationUuid } = await createUndecided('asked.test', await generateKeyPair('P-256'));
    await test.platform.database.query(`UPDATE certificate_operation SET state = 'pending' WHERE uuid = $1`, [
      operationUuid,
    ]);
    await expect(declare(certificateUuid)).rejects.toThrow(/still being requested from its authority/);
    expect(await test.inventory.detail(certificateUuid, test.context)).toMatchObject({ state: 'pending_issue' });
  });

  it('does not prevent a later import of the certificate, as a separate object', async () => {
    const keys = await generateKeyPair('P-256');
    const { certificateUuid } = await createUndecided('late.test', keys);
    await declare(certificateUuid);
    setKnown({ knows: true });
    const uuid = await test.upload((await makeCertificate('late.test', { issuer: root, keys })).der);
    expect(uuid).not.toBe(certificateUuid);
    expect(await test.inventory.detail(certificateUuid, test.context)).toMatchObject({ state: 'failed' });
  });
});
