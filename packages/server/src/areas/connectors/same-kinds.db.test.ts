// The rule that no two connectors offer the same kinds, in installations that enable it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { infoOf } from './testing/fake-connector.ts';
import { createTestConnectors, newFakeConnector, type TestConnectors } from './testing/test-connectors.ts';

let test: TestConnectors;

beforeAll(async () => {
  test = await createTestConnectors({}, { sameKinds: 'refuse' });
});
afterAll(() => test.area.stop?.());

it('a second connector with the same groups and kinds is rejected when it is created, connected, edited or approved', async () => {
  const [fake, other] = [await newFakeConnector(), await newFakeConnector()];
  const uuid = await test.create({ name: 'first', url: fake.url });
  const same = 'A connector with the same function groups and kinds already exists: first.';
  await expect(test.create({ url: other.url })).rejects.toThrow(same);
  await expect(test.call('connectConnector', { body: { url: other.url, authType: 'none' } })).rejects.toThrow(same);
  const body = { name: 'announced', url: other.url, authType: 'none' };
  const announced = (await test.call('registerConnector', { body })).uuid;
  await expect(test.call('approveConnector', { params: { uuid: announced } })).rejects.toThrow(same);

  other.on('GET /v1', { body: [infoOf('authorityProvider', ['Fake', 'More'])] });
  const second = await test.create({ url: other.url });
  other.on('GET /v1', { body: [infoOf('authorityProvider', ['Fake'])] });
  await expect(test.call('editConnector', { params: { uuid: second }, body: {} })).rejects.toThrow(same);
  // A connector does not conflict with itself, and reconnecting accepts any kinds.
  await test.call('editConnector', { params: { uuid }, body: {} });
  await test.call('reconnectConnector', { params: { uuid: second } });
});
