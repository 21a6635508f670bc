// Self-registration of connectors, and their approval.
import { createRateLimits, newSealingKey, createSealer, noRateLimits } from '@signetry/server/services';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { MAX_WAITING } from './registration.ts';
import { infoOf, type FakeConnector } from './testing/fake-connector.ts';
import {
  basic,
  createTestConnectors,
  newFakeConnector,
  newName,
  secret,
  text,
  type TestConnectors,
} from './testing/test-connectors.ts';

let test: TestConnectors;
let fake: FakeConnector;

beforeAll(async () => {
  test = await createTestConnectors();
});
beforeEach(async () => {
  fake = await newFakeConnector();
});
afterAll(() => test.area.stop?.());

const register = async (facts: object = {}, on = test): Promise<string> => {
  const body = { name: newName(), url: fake.url, authType: 'none', ...facts };
  return (await on.call('registerConnector', { body })).uuid;
};
const approve = (uuid: string) => test.call('approveConnector', { params: { uuid } });
const detail = (uuid: string) => test.call('getConnector', { params: { uuid } });

describe('a self-registered connector', () => {
  it('waits for approval, is listed as waiting, and has not been called', async () => {
    const uuid = await register(basic('canary'));
    expect(await detail(uuid)).toMatchObject({ status: 'waitingForApproval', functionGroups: [], authType: 'basic' });
    const waiting = await test.call('listConnectors', { query: { status: 'waitingForApproval' } });
    expect(waiting.map((each) => each.uuid)).toContain(uuid);
    expect(await test.audits(uuid)).toMatchObject([{ operation: 'register' }]);
    expect(fake.calls).toEqual([]);
  });

  it('is not called and receives no credentials before approval, whichever operation is requested', async () => {
    const uuid = await register(basic('canary'));
    const kind = { functionGroup: 'authorityProvider', kind: 'Fake' };
    await expect(test.area.client(uuid)).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(test.call('checkConnectorHealth', { params: { uuid } })).rejects.toThrow('waiting for approval');
    await expect(test.call('reconnectConnector', { params: { uuid } })).rejects.toThrow('waiting for approval');
    await expect(test.call('bulkReconnectConnector', { body: [uuid] })).rejects.toThrow('waiting for approval');
    await expect(test.call('getConnectorAttributes', { params: { uuid, ...kind } })).rejects.toThrow(
      'waiting for approval',
    );
    await expect(
      test.call('validateConnectorAttributes', { params: { uuid, ...kind }, body: [] }),
    ).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await test.call('getConnectorAttributesAll', { params: { uuid } })).toEqual({});
    await detail(uuid);
    await test.call('editConnector', { params: { uuid }, body: { url: `${fake.url}/other`, ...basic('second') } });
    await test.area.lookAtThoseDue();
    expect(fake.calls).toEqual([]);
    expect(await detail(uuid)).toMatchObject({ status: 'waitingForApproval', url: `${fake.url}/other` });
  });

  it('does not expose its stored credentials in a connection test', async () => {
    const uuid = await register(basic('canary'));
    await expect(test.call('connectConnector', { body: { uuid, url: fake.url, ...basic() } })).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
    expect(fake.calls).toEqual([]);
  });

  it.each([
    ['an existing name', async () => ({ name: (await test.call('listConnectors'))[0]?.name }), 'already_exists'],
    ['a URL that must not be called', async () => ({ url: 'http://169.254.169.254/' }), 'rejected_by_rules'],
    ['credentials in the URL', async () => ({ url: 'http://a:b@127.0.0.1' }), 'rejected_by_rules'],
    ['a file URL', async () => ({ url: 'file:///etc/passwd' }), 'rejected_by_rules'],
    ['the URL of a built-in connector', async () => ({ url: 'builtin:software-authority' }), 'rejected_by_rules'],
    ['a client certificate', async () => ({ authType: 'certificate' }), 'rejected_by_rules'],
    ['very long credentials', async () => basic('x'.repeat(20_000)), 'rejected_by_rules'],
    ['incomplete credentials', async () => ({ authType: 'apiKey', authAttributes: [secret('apiKey', 'k')] }), 'rejected_by_rules'],
    ['custom attributes', async () => ({ customAttributes: [text('costCentre', '1')] }), 'rejected_by_rules'],
  ])('is rejected with %s', async (_what, facts, code) => {
    await register();
    const before = await test.database.query('SELECT uuid FROM connector');
    await expect(register(await facts())).rejects.toMatchObject({ code });
    expect(await test.database.query('SELECT uuid FROM connector')).toEqual(before);
  }); // prettier-ignore
});

describe('approving a connector', () => {
  it('requests its function groups with its credentials, and makes the connector usable', async () => {
    const uuid = await register(basic('first'));
    await approve(uuid);
    expect(fake.calls).toMatchObject([
      { method: 'GET', path: '/v1', headers: { authorization: `Basic ${btoa('user:first')}` } },
    ]);
    expect(await detail(uuid)).toMatchObject({ status: 'connected', functionGroups: [{ kinds: ['Fake'] }] });
    expect((await test.area.client(uuid)).uuid).toBe(uuid);
    expect((await test.audits(uuid)).map(({ operation }) => operation)).toEqual(['register', 'approve']);
  });

  it('is rejected if the connector has already been approved', async () => {
    const uuid = await register();
    const outcomes = await Promise.allSettled([approve(uuid), approve(uuid)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(approve(uuid)).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(approve(newUuid())).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('leaves the connector waiting if it does not respond or if its response is unusable', async () => {
    const uuid = await register();
    fake.on('GET /v1', { status: 500 });
    await expect(approve(uuid)).rejects.toMatchObject({ code: 'connector_failed' });
    fake.on('GET /v1', { body: [{ ...infoOf('authorityProvider', ['Fake']), endPoints: [] }] });
    await expect(approve(uuid)).rejects.toMatchObject({ code: 'rejected_by_rules' });
    await fake.close();
    await expect(approve(uuid)).rejects.toMatchObject({ code: 'connector_unreachable' });
    expect(await detail(uuid)).toMatchObject({ status: 'waitingForApproval' });
  });

  it('is rejected if the connector is changed during the call', async () => {
    const uuid = await register();
    fake.on('GET /v1', async () => {
      await test.call('editConnector', { params: { uuid }, body: { url: 'http://127.0.0.1:1' } });
      return { body: [infoOf('authorityProvider', ['Fake'])] };
    });
    await expect(approve(uuid)).rejects.toThrow('was changed while it was being checked;');
    expect(await detail(uuid)).toMatchObject({ status: 'waitingForApproval', url: 'http://127.0.0.1:1' });
  });

  it('in bulk skips unknown and already approved connectors, approves all others, and reports any failure', async () => {
    const [first, second, approved] = [await register(), await register(), await register()];
    await approve(approved);
    await test.call('bulkApproveConnector', { body: [first, approved, newUuid(), first] });
    expect(await detail(first)).toMatchObject({ status: 'connected' });
    const dead = await register({ url: 'http://127.0.0.1:1' });
    await expect(test.call('bulkApproveConnector', { body: [dead, second] })).rejects.toMatchObject({
      code: 'connector_unreachable',
    });
    expect(await detail(second)).toMatchObject({ status: 'connected' });
    expect(await detail(dead)).toMatchObject({ status: 'waitingForApproval' });
  });

  it('is not applied if its audit record cannot be written', async () => {
    const uuid = await register();
    test.audit.isBroken = true;
    try {
      await expect(approve(uuid)).rejects.toThrow('audit trail');
      await expect(register()).rejects.toThrow('audit trail');
    } finally {
      test.audit.isBroken = false;
    }
    expect(await detail(uuid)).toMatchObject({ status: 'waitingForApproval' });
  });
});

describe('the number of self-registrations', () => {
  it('is limited across all waiting connectors, even for concurrent requests', async () => {
    const crowded = await createTestConnectors();
    try {
      const outcomes = await Promise.allSettled(Array.from({ length: MAX_WAITING + 5 }, () => register({}, crowded)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_WAITING);
      await expect(register({}, crowded)).rejects.toThrow('100 connectors are already waiting for approval');
    } finally {
      await crowded.area.stop?.();
    }
  });

  it('is limited for each client address', async () => {
    const { connectorRegistrations } = createRateLimits({
      database: test.database,
      sealer: createSealer([newSealingKey()]),
      rates: { ...noRates, connectorRegistrations: { count: 2, perS: 3_600 } },
    });
    const limited = await createTestConnectors({ limits: { ...noRateLimits, connectorRegistrations } });
    try {
      await register({}, limited);
      await register({}, limited);
      await expect(register({}, limited)).rejects.toMatchObject({ code: 'too_many_requests' });
    } finally {
      await limited.area.stop?.();
    }
  });
});

const noRates = {
  failedSignIns: undefined,
  failedSignInsOfUser: undefined,
  failedEnrollments: undefined,
  failedEnrollmentsOfProfile: undefined,
  passkeyChallenges: undefined,
  newCredentials: undefined,
  refusedChanges: undefined,
  connectorRegistrations: undefined,
  acmeAccounts: undefined,
  acmeOrders: undefined,
  acmeFailedValidations: undefined,
};
