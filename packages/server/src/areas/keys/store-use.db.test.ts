import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { createAuditArea } from '../audit/index.ts';
import { eventRow } from './store-events.ts';
import { findForUse, recordUses, type UseRecord } from './store-use.ts';

let database: Database;
const [token, profile, key] = [newUuid(), newUuid(), newUuid()];
const items = { good: newUuid(), disabled: newUuid(), public: newUuid() };

beforeAll(async () => {
  database = await testDatabase();
  await database.query(
    `INSERT INTO token (uuid, name, connector_name, connector_token_uuid, kind, status, removing, created_at, updated_at)
     VALUES ($1, 't', 'c', 't', 'SOFT', 'Activated', false, now(), now())`,
    [token],
  );
  await database.query(
    `INSERT INTO token_profile (uuid, name, token_uuid, enabled, usages, created_at, updated_at)
     VALUES ($1, 'p', $2, true, 1, now(), now())`,
    [profile, token],
  );
  await database.query(
    `INSERT INTO key (uuid, name, token_uuid, token_profile_uuid, created_at, updated_at)
     VALUES ($1, 'k', $2, $3, now(), now())`,
    [key, token, profile],
  );
  for (const [name, uuid] of Object.entries(items))
    await database.query(
      `INSERT INTO key_item (uuid, key_uuid, name, type, algorithm, format, length, key_data, usages, enabled, state,
         created_at, updated_at)
       VALUES ($1, $2, $3, $4, 'ECDSA', 'Custom', 256, $5, 1, $6, 'active', now(), now())`,
      [uuid, key, name, name === 'public' ? 'Public' : 'Private', name === 'public' ? 'c3BraQ==' : null, name !== 'disabled'], // prettier-ignore
    );
});

describe('concurrent uses of keys', () => {
  it('are looked up in one statement and returned in the order of the requests', async () => {
    const found = await findForUse(database.hot, [items.disabled, newUuid(), items.good.toUpperCase(), items.disabled]);
    expect(found.map((item) => item?.name)).toEqual(['disabled', undefined, 'good', 'disabled']);
    expect(found[2]).toMatchObject({ key_name: 'k', profile_uuid: profile, public_key: 'c3BraQ==', token_uuid: token });
  });

  it('are recorded together with their audit records, except for keys that can no longer be used', async () => {
    const { trail } = createAuditArea(testPlatform(database));
    const facts = { module: 'keys', resource: 'keys', operation: 'sign' } as const;
    const use = (itemUuid: string, name: string | undefined): UseRecord => ({
      event: eventRow({ itemUuid, event: 'Sign Data', status: 'SUCCESS', message: '' }, { at: new Date(), by: 'me' }),
      audit: name === undefined ? undefined : trail.record({ actor: anonymous, requestId: 'r' } as never, { facts, objects: [{ name }] }), // prettier-ignore
    });
    const uses = [
      use(items.disabled, 'first'),
      use(items.good, undefined),
      use(items.good, 'third'),
      use(newUuid(), 'fourth'),
      use(items.good, 'fifth'),
    ];
    expect(await recordUses(database.hot, uses)).toEqual([false, true, true, false, true]);
    const events = await database.query<{ uuid: string }>('SELECT uuid FROM key_event ORDER BY uuid');
    expect(events.map(({ uuid }) => uuid)).toEqual([1, 2, 4].map((place) => uses[place]?.event.uuid).toSorted());
    const records = await database.query<{ name: string }>(
      `SELECT resource_objects -> 0 ->> 'name' AS name FROM audit_record WHERE operation = 'sign' ORDER BY name`,
    );
    expect(records.map(({ name }) => name)).toEqual(['fifth', 'third']);
  });

  it('wait for a concurrent change to the key, and see its effect', async () => {
    const changing = await database.connect();
    await changing.query('BEGIN');
    await changing.query(`UPDATE key_item SET state = 'deactivated' WHERE uuid = $1`, [items.good]);
    const event = eventRow(
      { itemUuid: items.good, event: 'Sign Data', status: 'SUCCESS', message: '' },
      { at: new Date(), by: 'me' },
    );
    const recording = recordUses(database.hot, [{ event, audit: undefined }]);
    await changing.query('SELECT pg_sleep(0.1)');
    await changing.query('COMMIT');
    changing.release();
    expect(await recording).toEqual([false]);
  });
});
