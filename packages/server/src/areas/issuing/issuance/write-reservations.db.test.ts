// A certificate has one successor at a time, regardless of the caller and the node.
import { generateKeyPair } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import { readRequest } from '../../certificates/read-request.ts';
import { makeRequest, makeRoot } from '../../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../../inventory/testing/test-inventory.ts';
import { reservationFor } from '../testing/test-reservations.ts';
import { createReservationWriter, type WriteReservation } from './write-reservations.ts';

let test: TestInventory;
let profile: IssuingProfile;

beforeAll(async () => {
  test = await createTestInventory();
  profile = await test.addProfile('successors', {});
});

const node = (): WriteReservation => {
  const { platform, audit, attributes } = test;
  const awaitApproval = () => Promise.reject(new Error('Nothing waits for approval here.'));
  return createReservationWriter({
    database: platform.database,
    sealer: platform.sealer,
    audit,
    attributes,
    awaitApproval,
  });
};

const newCertificate = async (name: string): Promise<string> => test.upload((await makeRoot(name)).der);

/** Returns the data needed to reserve a renewal of the certificate. */
async function successorOf(predecessorUuid: string, name: string) {
  const request = readRequest(await makeRequest(name, await generateKeyPair('P-256')), 'pkcs10');
  const at = test.clock.now();
  const facts = { kind: 'renew', predecessorUuid } as const;
  const reservation = reservationFor({ raProfileUuid: profile.uuid, request, createdAt: at }, facts);
  const { context } = test;
  return { reservation, context, values: [], groupUuids: [], durability: 'reservedFirst' as const, begunAt: at };
}

const end = (operationUuid: string | null, state: string) =>
  test.platform.database.query('UPDATE certificate_operation SET state = $2, finished_at = $3 WHERE uuid = $1', [
    operationUuid,
    state,
    test.clock.now(),
  ]);

const successorsOf = (uuid: string) =>
  test.platform.database.query('SELECT FROM certificate_relation WHERE predecessor_uuid = $1', [uuid]);

describe('a certificate with multiple simultaneous renewal requests', () => {
  it('gets only one successor, which is also returned to the other callers, on one node and on multiple nodes', async () => {
    const uuid = await newCertificate('asked six times');
    const wanted = await Promise.all([1, 2, 3, 4, 5, 6].map(() => successorOf(uuid, 'asked six times')));
    const nodes = [node(), node()];
    const outcomes = await Promise.all(wanted.map((item, index) => nodes[index % 2]?.(item)));
    const [winner, ...more] = wanted.filter((_item, index) => outcomes[index] === undefined);
    expect(more).toEqual([]);
    expect(await successorsOf(uuid)).toHaveLength(1);
    const successorUuid = winner?.reservation.certificateUuid;
    const others = outcomes.filter((outcome) => outcome !== undefined);
    expect(others).toHaveLength(5);
    for (const other of others)
      expect(other).toMatchObject({ predecessorUuid: uuid, successorUuid, state: 'pending', requesterName: 'erin' });
  });

  it.each(['failed', 'undecided'])('gets a second successor if the first one is %s', async (state) => {
    const uuid = await newCertificate(`first is ${state}`);
    const write = node();
    const first = await successorOf(uuid, 'first');
    expect(await write(first)).toBeUndefined();
    expect(await write(await successorOf(uuid, 'second'))).toMatchObject({ state: 'pending' });
    await end(first.reservation.operationUuid, state);
    expect(await write(await successorOf(uuid, 'third'))).toBeUndefined();
  });

  it('can be renewed again once the first successor is issued, but not by an earlier request', async () => {
    const uuid = await newCertificate('renewed again');
    const write = node();
    const [first, early] = [await successorOf(uuid, 'first'), await successorOf(uuid, 'early')];
    expect(await write(first)).toBeUndefined();
    test.clock.advance(1_000);
    await end(first.reservation.operationUuid, 'done');
    expect(await write(early)).toMatchObject({ state: 'done', successorUuid: first.reservation.certificateUuid });
    test.clock.advance(1_000);
    expect(await write(await successorOf(uuid, 'later'))).toBeUndefined();
    expect(await successorsOf(uuid)).toHaveLength(2);
  });

  it('can have one pending approval for each kind of succession', async () => {
    const uuid = await newCertificate('to be approved');
    const write = node();
    const first = await successorOf(uuid, 'first');
    expect(await write(first)).toBeUndefined();
    await end(first.reservation.operationUuid, 'awaiting_approval');
    expect(await write(await successorOf(uuid, 'second'))).toMatchObject({ state: 'awaiting_approval' });
    const { reservation, ...rest } = await successorOf(uuid, 'rekeyed');
    expect(await write({ ...rest, reservation: { ...reservation, kind: 'rekey' } })).toBeUndefined();
  });

  it('does not block simultaneous requests for other certificates', async () => {
    const [one, other] = [await newCertificate('one'), await newCertificate('other')];
    const write = node();
    const items = [await successorOf(one, 'one'), await successorOf(one, 'one'), await successorOf(other, 'other')];
    const { reservation, ...rest } = await successorOf(one, 'first of its kind');
    const fresh = {
      ...rest,
      reservation: { ...reservation, kind: 'issue' as const, predecessorUuid: null, certificateUuid: newUuid() },
    };
    const outcomes = await Promise.all([...items, fresh].map(write));
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(3);
  });
});
