// History of a certificate after a revocation that requested the destruction of its key. Key destruction in tokens is
// tested with the whole platform; here, tokens fail as a test specifies.
import { beforeAll, expect, it } from 'vitest';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, rejected } from '../../../kernel/errors.ts';
import { makeCertificate } from '../../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../../inventory/testing/test-inventory.ts';
import { declareKeyDestruction } from './destroy-key.ts';

let test: TestInventory;
/** Response of the token, and the contexts of the calls to it. */
let answer: () => Promise<void>;
const asked: RequestContext[] = [];

const key = {
  uuid: '0197b1f4-0000-7cc2-9d4e-2f6a7b8c9d0e',
  name: 'web',
  items: [],
  associations: 1,
  complianceStatus: 'not_checked',
} as const;

beforeAll(async () => {
  test = await createTestInventory();
  const { platform } = test;
  declareKeyDestruction(platform, {
    findByPublicKey: async () => ({ ...key, creationTime: platform.clock.now().toISOString(), items: [] }),
    destroy: async (_uuid, context) => {
      asked.push(context);
      return answer();
    },
  });
  await platform.jobs.start();
  await platform.events.start();
  return async () => {
    await platform.events.stop();
    await platform.jobs.stop();
  };
});

async function historyAfterDestroying(name: string): Promise<readonly string[]> {
  const certificateUuid = await test.upload((await makeCertificate(name)).der);
  const { database, events } = test.platform;
  await database.transaction((tx) =>
    events.append(tx, 'certificate_key_unwanted', { certificateUuid, requestedBy: 'alice' }),
  );
  events.wake();
  const revocationHistory = async () =>
    (await test.inventory.history(certificateUuid)).flatMap(({ event, status, message, createdBy }) =>
      event === 'Revoke Certificate' ? [`${status} by ${createdBy}: ${message}`] : [],
    );
  await expect.poll(revocationHistory, { timeout: 10_000 }).toHaveLength(1);
  return revocationHistory();
}

it('records that the key was destroyed, and creates an audit record for the key destruction', async () => {
  answer = () => Promise.resolve();
  expect(await historyAfterDestroying('destroyed.test')).toEqual(['SUCCESS by alice: The key web was destroyed']);
  expect(asked.at(-1)?.audit).toMatchObject({ resource: 'keys', operation: 'destroy' });
});

it.each([
  ['in use', () => rejected('The key web is in use: authorities sign with it: Root.')],
  ['unreachable', () => new AppError('unavailable', { reason: 'the token is unreachable' })],
])('records why the key was not destroyed if it is %s', async (name, error) => {
  answer = () => Promise.reject(error());
  expect(await historyAfterDestroying(`${name.replace(' ', '-')}.test`)).toEqual([
    `FAILED by alice: The key web was not destroyed; destroy it manually. ${error().message}`,
  ]);
});
