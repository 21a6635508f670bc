import { IDEMPOTENCY_FEATURE, type RequestAttributeDto } from '@signetry/contract';
import { generateKeyPair } from '@signetry/pki/node';
import type { FakeClock } from '@signetry/testkit/services';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import { createLeases, type Leases } from '../operations/leases.ts';
import { readRequest } from '../../certificates/read-request.ts';
import { createReconciler, type Reconciler } from './reconcile.ts';
import { resume } from './resume.ts';
import { createFailureSettler } from '../issuance/settle-failure.ts';
import { endOperation } from '../operations/store.ts';
import { reserve } from '../issuance/store.ts';
import { makeRequest } from '../../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../../inventory/testing/test-inventory.ts';
import { reservationFor } from '../testing/test-reservations.ts';
import { LEASE_MS, type IssuingWork, type Outcome } from '../operations/work.ts';

let test: TestInventory;
let clock: FakeClock;
let good: IssuingProfile;
let hanging: IssuingProfile;
/** Its authority does not support replay. */
let plain: IssuingProfile;
let request: Awaited<ReturnType<typeof readRequest>>;

beforeAll(async () => {
  test = await createTestInventory();
  ({ clock } = test);
  good = { ...(await test.addProfile('good')), features: [IDEMPOTENCY_FEATURE] };
  hanging = { ...(await test.addProfile('hanging')), features: [IDEMPOTENCY_FEATURE] };
  plain = await test.addProfile('plain');
  request = readRequest(await makeRequest('reconciled.test', await generateKeyPair('P-256')), 'pkcs10');
});

beforeEach(() => test.platform.database.query('DELETE FROM certificate_operation'));

/** Creates operations whose worker is gone, with expired leases. */
async function abandonOperations(
  profile: IssuingProfile,
  count: number,
  facts: { readonly by?: string; readonly leasedUntil?: Date; readonly createdAt?: Date } = {},
): Promise<void> {
  const { database } = test.platform;
  const record = test.audit.record(test.context, {
    facts: { module: 'certificates', resource: 'certificates', operation: 'request' },
  });
  const now = clock.now().getTime();
  const needed = { raProfileUuid: profile.uuid, request, createdAt: facts.createdAt ?? new Date(now - 90_000) };
  const lease = { leasedBy: facts.by ?? newUuid(), leasedUntil: facts.leasedUntil ?? new Date(now - 60_000) };
  const reservations = Array.from({ length: count }, () => reservationFor(needed, lease));
  await reserve(
    database.executor,
    reservations,
    reservations.map(() => record),
  );
}

const pending = async (profile: IssuingProfile): Promise<number> => {
  const rows = await test.platform.database.query(
    `SELECT FROM certificate_operation WHERE state = 'pending' AND ra_profile_uuid = $1`,
    [profile.uuid],
  );
  return rows.length;
};

interface Node {
  readonly reconciler: Reconciler;
  readonly leases: Leases;
  /** Profile names of the operations that were carried out or are in progress. */
  readonly asked: string[];
  /** Releases the hanging calls. */
  release(): void;
}

/** Starts a node whose authority hangs under one profile, and finishes immediately under the others. */
function startNode(nodeId: string = newUuid()): Node {
  const platform = { ...test.platform, nodeId };
  const { database } = platform;
  const asked: string[] = [];
  const released = Promise.withResolvers<void>();
  const carryOut = async (work: IssuingWork): Promise<Outcome> => {
    asked.push(work.profile.name);
    if (work.profile.uuid === hanging.uuid) await released.promise;
    await endOperation(database.executor, work.operationUuid, { state: 'done', problem: null, at: clock.now() });
    return { status: 'issued', der: new Uint8Array() };
  };
  const raProfiles = {
    forUpkeep: async (uuid: string) => [good, plain].find((each) => each.uuid === uuid) ?? hanging,
  };
  const attributes = { read: () => Promise.resolve<RequestAttributeDto[]>([]) };
  const parts = {
    executor: database.executor,
    sealer: platform.sealer,
    raProfiles,
    issueAttributes: attributes,
    revokeAttributes: attributes,
    carryOut,
    carryOutRevocation: () => Promise.reject(new Error('No operation revokes.')),
    settle: createFailureSettler({ platform, audit: test.audit }),
  };
  const leases = createLeases(platform);
  const reconciler = createReconciler({
    platform,
    raProfiles,
    leases,
    resume: (operation) => resume(parts, operation),
  });
  return { reconciler, leases, asked, release: released.resolve };
}

describe('reconciliation', () => {
  it('completes the operations of one connector even if a different one hangs', async () => {
    await abandonOperations(hanging, 60);
    await abandonOperations(good, 30, { leasedUntil: new Date(clock.now().getTime() - 1_000) });
    const node = startNode();
    await node.reconciler.runOnce();
    await vi.waitFor(async () => expect(await pending(good)).toBe(0), { timeout: 10_000 });
    expect(await pending(hanging)).toBe(60);
    node.release();
    await node.reconciler.stop();
  });

  it('sends only a few operations at a time to a connector, until all are completed', async () => {
    await abandonOperations(hanging, 20);
    const node = startNode();
    await node.reconciler.runOnce();
    await vi.waitFor(() => expect(node.asked.length).toBeGreaterThan(1));
    await node.reconciler.runOnce();
    expect(node.asked.length).toBeLessThanOrEqual(8);
    node.release();
    await node.reconciler.idle();
    expect([node.asked.length, await pending(hanging)]).toEqual([20, 0]);
  });

  it('prevents other nodes from taking over its operations in progress, however long these take', async () => {
    await abandonOperations(hanging, 2);
    const [node, other] = [startNode(), startNode()];
    await node.reconciler.runOnce();
    await vi.waitFor(() => expect(node.asked).toHaveLength(2));
    for (let third = 0; third < 9; third += 1) {
      clock.advance(LEASE_MS / 3);
      await node.leases.renew();
    }
    await other.reconciler.runOnce();
    await other.reconciler.idle();
    expect(other.asked).toEqual([]);
    node.release();
    await node.reconciler.idle();
    expect(await pending(hanging)).toBe(0);
  });

  it('takes over operations whose lease a node no longer renews', async () => {
    await abandonOperations(hanging, 1);
    const [dead, other] = [startNode(), startNode()];
    await dead.reconciler.runOnce();
    await vi.waitFor(() => expect(dead.asked).toHaveLength(1));
    clock.advance(LEASE_MS + 1);
    await other.reconciler.runOnce();
    await vi.waitFor(() => expect(other.asked).toHaveLength(1));
    for (const node of [dead, other]) node.release();
    await Promise.all([dead.reconciler.idle(), other.reconciler.idle()]);
  });

  it('immediately takes over operations from a previous run of the same node, but none that other nodes hold', async () => {
    const nodeId = newUuid();
    const held = { leasedUntil: new Date(clock.now().getTime() + LEASE_MS / 2) };
    await abandonOperations(good, 2, { ...held, by: nodeId });
    await abandonOperations(good, 3, held);
    const node = startNode(nodeId);
    await node.reconciler.runOnce();
    await node.reconciler.idle();
    expect([node.asked.length, await pending(good)]).toEqual([2, 3]);
  });

  it('starts approved operations even without replay support, but not those that a different worker may have started', async () => {
    const { database } = test.platform;
    const states = () => database.query(`SELECT attempts, state FROM certificate_operation ORDER BY attempts`);
    await abandonOperations(plain, 2);
    await database.query(
      `UPDATE certificate_operation SET attempts = 0 WHERE uuid = (SELECT uuid FROM certificate_operation LIMIT 1)`,
    );
    const node = startNode();
    await node.reconciler.runOnce();
    await node.reconciler.idle();
    expect(node.asked).toEqual(['plain']);
    expect(await states()).toEqual([
      { attempts: 1, state: 'done' },
      { attempts: 2, state: 'undecided' },
    ]);
  });

  it('does not start an approved operation if its key was compromised in the meantime', async () => {
    const { database } = test.platform;
    await abandonOperations(plain, 1);
    await database.query(`UPDATE certificate_operation SET attempts = 0`);
    await database.query('INSERT INTO compromised_key (public_key_fingerprint, known_since) VALUES ($1, now())', [
      request.public_key_fingerprint,
    ]);
    const node = startNode();
    await node.reconciler.runOnce();
    await node.reconciler.idle();
    await database.query('DELETE FROM compromised_key');
    expect(node.asked).toEqual([]);
    expect(await database.query('SELECT state, last_problem FROM certificate_operation')).toEqual([
      { state: 'failed', last_problem: expect.stringContaining('compromised') },
    ]);
  });

  it('starts nothing new once it is stopping', async () => {
    await abandonOperations(hanging, 20);
    const node = startNode();
    await node.reconciler.runOnce();
    await vi.waitFor(() => expect(node.asked).toHaveLength(8));
    const stopped = node.reconciler.stop();
    node.release();
    await stopped;
    expect([node.asked.length, await pending(hanging)]).toEqual([8, 12]);
  });
});
