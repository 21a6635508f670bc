// Regular connector checks and their consequences.
import { connectorBaseOperations } from '@signetry/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FAILURES_TO_OPEN } from './circuit.ts';
import { CHECK_PERIOD_MS } from './store.ts';
import { infoOf, type FakeConnector } from './testing/fake-connector.ts';
import { createTestConnectors, newFakeConnector, type TestConnectors } from './testing/test-connectors.ts';

let test: TestConnectors;
let fake: FakeConnector;

beforeAll(async () => {
  test = await createTestConnectors();
});
beforeEach(async () => {
  await test.database.query('DELETE FROM connector');
  fake = await newFakeConnector();
});
afterAll(() => test.area.stop?.());

const create = () => test.create({ url: fake.url });
const statusOf = async (uuid: string) =>
  (await test.database.query<{ status: string }>('SELECT status FROM connector WHERE uuid = $1', [uuid]))[0]?.status;
const checks = async (uuid: string) =>
  (await test.audits(uuid)).filter(({ operation }) => operation === 'checkHealth').map(({ message }) => message);

/** Checks all due connectors, well after their next check was due. */
async function checkLater(): Promise<void> {
  test.clock.advance(2 * CHECK_PERIOD_MS);
  while (await test.area.lookAtThoseDue());
}

describe('a regular check', () => {
  it('marks an unresponsive connector as offline, and as connected again once it responds, each only once', async () => {
    const uuid = await create();
    fake.on('GET /v1', { status: 500 });
    await checkLater();
    await checkLater();
    expect(await statusOf(uuid)).toBe('offline');
    fake.on('GET /v1', { body: [infoOf('authorityProvider', ['Fake'])] });
    await checkLater();
    await checkLater();
    expect(await statusOf(uuid)).toBe('connected');
    const messages = await checks(uuid);
    expect(messages).toHaveLength(2);
    expect(messages[0]).toMatch(/^Connector .+ does not respond: Connector .+ failed: it returned status 500\.$/);
    expect(messages[1]).toMatch(/ responds again$/);
  });

  it('runs once per period, on whichever node starts it first', async () => {
    await create();
    const asked = fake.callsTo('GET /v1').length;
    await test.area.lookAtThoseDue();
    expect(fake.callsTo('GET /v1')).toHaveLength(asked);
    test.clock.advance(2 * CHECK_PERIOD_MS);
    const other = test.newArea();
    await Promise.all([test.area.lookAtThoseDue(), other.lookAtThoseDue(), test.area.lookAtThoseDue()]);
    expect(fake.callsTo('GET /v1')).toHaveLength(asked + 1);
    await other.stop?.();
  });

  it('runs in batches until all connectors are checked', async () => {
    const uuids: string[] = [];
    for (let at = 0; at < 20; at += 1) uuids.push(await create());
    await fake.close();
    await checkLater();
    for (const uuid of uuids) expect(await statusOf(uuid)).toBe('offline');
  });

  it('skips a connector that is waiting for approval', async () => {
    const body = { name: 'waiting', url: fake.url, authType: 'none' };
    const { uuid } = await test.call('registerConnector', { body });
    await checkLater();
    expect(fake.calls).toEqual([]);
    expect(await statusOf(uuid)).toBe('waitingForApproval');
  });

  it('and a concurrent check by a user record the same change only once', async () => {
    const uuid = await create();
    fake.on('GET /v1', { status: 404 });
    await Promise.all([test.call('getConnector', { params: { uuid } }), checkLater()]);
    expect(await checks(uuid)).toHaveLength(1);
  });
});

describe('calls to a connector that repeatedly fails', () => {
  const circuit = (uuid: string) => test.call('getConnectorCircuit', { params: { uuid } });
  const validate = async (uuid: string) => {
    const client = await test.area.client(uuid);
    const params = { functionalGroup: 'authorityProvider', kind: 'Fake' } as const;
    return client.call(connectorBaseOperations.validateAttributes, { params, body: [] });
  };
  const VALIDATE = 'POST /v1/authorityProvider/Fake/attributes/validate';

  it('are rejected without being sent, with this state visible to users, until a check finds that the connector works again', async () => {
    const uuid = await create();
    expect(await circuit(uuid)).toEqual({ node: test.platform.nodeId, state: 'closed', failures: 0 });
    fake.on(VALIDATE, { status: 503 });
    for (let at = 0; at < FAILURES_TO_OPEN; at += 1)
      await expect(validate(uuid)).rejects.toMatchObject({ code: 'connector_failed' });
    const made = fake.callsTo(VALIDATE).length;
    await expect(validate(uuid)).rejects.toMatchObject({ code: 'connector_unreachable' });
    await expect(validate(uuid)).rejects.toThrow(/its last 5 calls failed, and it will be retried in \d+ s/);
    expect(fake.callsTo(VALIDATE)).toHaveLength(made);
    expect(await circuit(uuid)).toMatchObject({ state: 'open', failures: 5, openedAt: expect.any(String) as string });
    expect(await test.platform.metrics.registry.metrics()).toContain('signetry_connector_circuit_open{connector=');
    fake.on(VALIDATE, {});
    await checkLater();
    expect(await circuit(uuid)).toMatchObject({ state: 'closed', failures: 0 });
    await expect(validate(uuid)).resolves.toBeUndefined();
    expect(await test.platform.metrics.registry.metrics()).not.toContain('signetry_connector_circuit_open{');
  });

  it('are still sent to other connectors, and to the same connector at a different URL', async () => {
    const [uuid, other] = [await create(), await create()];
    fake.on(VALIDATE, 'reset');
    for (let at = 0; at < FAILURES_TO_OPEN; at += 1) await validate(uuid).catch(() => undefined);
    fake.on(VALIDATE, {});
    await expect(validate(uuid)).rejects.toMatchObject({ code: 'connector_unreachable' });
    await expect(validate(other)).resolves.toBeUndefined();
    const moved = await newFakeConnector();
    await test.call('editConnector', { params: { uuid }, body: { url: moved.url } });
    await expect(validate(uuid)).resolves.toBeUndefined();
  });
});
