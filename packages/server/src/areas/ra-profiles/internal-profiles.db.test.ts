import { readFile } from 'node:fs/promises';
import { authorityOperations, raProfileOperations, type Operation } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { startFakeConnector, type FakeConnector } from '../connectors/testing/fake-connector.ts';
import { addAuthority, context, createTestAreas, type TestAreas } from './testing/test-areas.ts';

const MIGRATION = new URL('../../platform/database/migrations/0112-internal-ra-profiles.sql', import.meta.url);

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

type CallInput = { readonly params?: object; readonly query?: object; readonly body?: unknown };

function call(operation: Operation, { params = {}, query = {}, body }: CallInput = {}): Promise<unknown> {
  const routes = [...(areas.area.routes ?? []), ...(areas.authorities.routes ?? [])];
  const route = routes.find((each) => each.operation === operation);
  return route?.handle({ params, query, body, context: context(operation.audit) } as never) as Promise<unknown>;
}

describe('an internal profile', () => {
  const createInternal = () =>
    areas.area.createInternal(
      authorityUuid,
      { name: `ocsp-${newUuid()}`, attributes: [], enabled: true },
      context(raProfileOperations.createRaProfile.audit),
    );

  it('cannot be found or used by callers', async () => {
    const uuid = await createInternal();
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

  it("is removed with its authority, and does not prevent the authority's removal", async () => {
    const uuid = await createInternal();
    await call(authorityOperations.deleteAuthorityInstance, { params: { uuid: authorityUuid } });
    expect(await database.query('SELECT FROM ra_profile WHERE uuid = $1', [uuid])).toEqual([]);
    await expect(areas.area.forUpkeep(uuid)).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('is recognized after an upgrade by its description, or by OCSP responder certificates', async () => {
    // Description of profiles that an earlier version created.
    const described = 'Certificates of the OCSP responder of Root. Created and used by the platform.';
    const [known, used, other] = [await createInternal(), await createInternal(), await createInternal()];
    const certificateUuid = newUuid();
    await database.query('UPDATE ra_profile SET internal = false');
    await database.query('UPDATE ra_profile SET description = $2 WHERE uuid = $1', [known, described]);
    await database.query(
      `INSERT INTO certificate (uuid, state, common_name, subject_dn, subject_dn_normalized, public_key_algorithm,
         public_key_fingerprint, key_size, subject_alternative_names, ra_profile_uuid, created_at, updated_at)
       VALUES ($1, 'requested', '', '', '', 'ECDSA', '', 256, '{}', $2, now(), now())`,
      [certificateUuid, used],
    );
    await database.query(
      `INSERT INTO ocsp_responder (uuid, authority_uuid, sealed_key, public_key, certificate_uuid, created_at)
       VALUES ($1, $2, '', '', $3, now())`,
      [newUuid(), authorityUuid, certificateUuid],
    );
    await database.query('INSERT INTO renewal_setting (ra_profile_uuid, automatic) VALUES ($1, true)', [known]);
    const migration = await readFile(MIGRATION, 'utf8');
    for (const statement of migration.split(';').slice(1, -1)) await database.query(statement);
    const rows = await database.query<{ uuid: string }>('SELECT uuid FROM ra_profile WHERE internal ORDER BY uuid');
    expect(rows.map(({ uuid }) => uuid)).toEqual([known, used].toSorted());
    expect(rows.map(({ uuid }) => uuid)).not.toContain(other);
    expect(await database.query('SELECT FROM renewal_setting')).toEqual([]);
  });
});
