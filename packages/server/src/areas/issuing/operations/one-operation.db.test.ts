import { generateKeyPair } from '@signetry/pki/node';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import { readRequest } from '../../certificates/read-request.ts';
import { insertIssueOperation, insertRevokeOperation } from './store.ts';
import { reserve } from '../issuance/store.ts';
import { makeRequest } from '../../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../../inventory/testing/test-inventory.ts';
import { reservationFor } from '../testing/test-reservations.ts';

let test: TestInventory;
let profile: IssuingProfile;

beforeAll(async () => {
  test = await createTestInventory();
  profile = await test.addProfile('one at a time', {});
});

/** Creates a certificate object that waits in this state, and returns its UUID. */
async function waitingIn(state: 'requested' | 'issued'): Promise<string> {
  const certificateUuid = newUuid();
  const { database, clock } = test.platform;
  const keys = await generateKeyPair('P-256');
  const request = readRequest(await makeRequest(`one-${certificateUuid}`, keys), 'pkcs10');
  const needed = { raProfileUuid: profile.uuid, request, createdAt: clock.now() };
  const reservation = reservationFor(needed, { certificateUuid, operationUuid: null });
  const facts = { module: 'certificates', resource: 'certificates', operation: 'request' } as const;
  await reserve(database.executor, [reservation], [test.audit.record(test.context, { facts })]);
  await database.query('UPDATE certificate SET state = $2 WHERE uuid = $1', [certificateUuid, state]);
  return certificateUuid;
}

describe('an operation on a certificate', () => {
  it.each([
    ['issuing', 'requested', insertIssueOperation],
    ['revoking', 'issued', insertRevokeOperation],
  ] as const)('(%s) starts only once, even if a second caller waits for the first', async (_what, state, insert) => {
    const { database, clock } = test.platform;
    const certificateUuid = await waitingIn(state);
    const begin = (tx: Executor): Promise<boolean> =>
      insert(tx, {
        uuid: newUuid(),
        certificate_uuid: certificateUuid,
        ra_profile_uuid: profile.uuid,
        requester_uuid: null,
        requester_name: 'erin',
        payload: {},
        leased_by: newUuid(),
        leased_until: clock.now(),
        created_at: clock.now(),
      });
    const committing = Promise.withResolvers<void>();
    const inserted = Promise.withResolvers<boolean>();
    const first = database.transaction(async (tx) => {
      inserted.resolve(await begin(tx));
      await committing.promise;
    });
    expect(await inserted.promise).toBe(true);
    const second = database.transaction(begin);
    await vi.waitFor(async () => {
      const waiting = await database.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      expect(waiting).toHaveLength(1);
    });
    committing.resolve();
    await first;
    expect(await second).toBe(false);
  });
});
