import { authorityOperations, raProfileOperations, type Operation } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { startFakeConnector, type FakeConnector } from '../connectors/testing/fake-connector.ts';
import { addAuthority, context, createTestAreas, type TestAreas } from './testing/test-areas.ts';

let database: Database;
let areas: TestAreas;
let authorityUuid: string;
let fake: FakeConnector;

beforeAll(async () => {
  database = await testDatabase();
  areas = createTestAreas(testPlatform(database));
  fake = await startFakeConnector();
});
beforeEach(async () => {
  authorityUuid = await addAuthority(areas, fake.url);
});
afterAll(async () => {
  await areas.connectors.stop?.();
  await fake.close();
});

type Given = { readonly params?: object; readonly query?: object; readonly body?: unknown };

function call(operation: Operation, { params = {}, query = {}, body }: Given = {}): Promise<unknown> {
  const routes = [...(areas.area.routes ?? []), ...(areas.authorities.routes ?? [])];
  const route = routes.find((each) => each.operation === operation);
  return route?.handle({ params, query, body, context: context(operation.audit) } as never) as Promise<unknown>;
}

describe('an internal profile', () => {
  const internal = () =>
    areas.area.createInternal(
      authorityUuid,
      { name: `ocsp-${newUuid()}`, attributes: [], enabled: true },
      context(raProfileOperations.createRaProfile.audit),
    );

  it('is not found by what callers name it with, and not held for their use', async () => {
    const uuid = await internal();
    expect(await areas.area.findByUuid(uuid)).toBeUndefined();
    expect(await areas.area.findMany([uuid])).toEqual([]);
    expect((await areas.area.listNames()).map((each) => each.uuid)).not.toContain(uuid);
    expect(JSON.stringify(await call(raProfileOperations.listRaProfiles))).not.toContain(uuid);
    for (const use of [
      () => areas.area.forIssuing(authorityUuid, uuid),
      () => areas.area.forIssuingByUuid(uuid),
      () => database.transaction((tx) => areas.area.holdForUse(tx, uuid)),
      () => call(raProfileOperations.bulkDisableRaProfile, { body: [uuid] }),
      () => call(raProfileOperations.bulkDeleteRaProfile, { body: [uuid] }),
    ]) {
      const message = expect.stringContaining('is internal');
      await expect(use()).rejects.toMatchObject({ code: 'invalid_state', message });
    }
    expect(await areas.area.forUpkeep(uuid)).toMatchObject({ internal: true, enabled: true });
  });

  it('goes with its authority, whose removal it does not prevent', async () => {
    const uuid = await internal();
    await call(authorityOperations.deleteAuthorityInstance, { params: { uuid: authorityUuid } });
    expect(await database.query('SELECT FROM ra_profile WHERE uuid = $1', [uuid])).toEqual([]);
    await expect(areas.area.forUpkeep(uuid)).rejects.toMatchObject({ code: 'object_not_found' });
  });
});
