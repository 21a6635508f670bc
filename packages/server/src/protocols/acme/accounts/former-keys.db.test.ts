import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock } from '@signetry/testkit/services';
import { expect, it } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import { findKeyThumbprints } from '../authorizations/store.ts';
import { createAcmeRows } from '../testing/acme-rows.ts';
import { setKey } from './store.ts';

it('an account can be identified by its current and former keys, newest first, and by none once it is deactivated', async () => {
  const database = await testDatabase();
  const clock = createFakeClock();
  const acmeProfileUuid = newUuid();
  await database.query(
    `INSERT INTO acme_profile (uuid, name, enabled, retry_interval_s, validity_s, dns_resolver_port, require_contact,
       require_terms_of_service, terms_of_service_change_disable, external_account_required, caa_identities,
       authorization_reuse_s, allow_loopback_validation, group_uuids, created_at, updated_at)
     VALUES ($1, 'p', true, 30, 60, 53, false, false, false, false, '{}', 0, false, '{}', now(), now())`,
    [acmeProfileUuid],
  );
  const { uuid } = await createAcmeRows(database, clock).account({ acmeProfileUuid });
  const listThumbprints = () => findKeyThumbprints(database.executor, uuid);
  const [first = ''] = await listThumbprints();
  const change = (from: string, thumbprint: string) =>
    setKey(database.executor, uuid, { from, thumbprint, jwk: {}, at: clock.now() });
  await change(first, 'second');
  await change('second', 'third');
  expect(await listThumbprints()).toEqual(['third', 'second', first]);
  await change('third', first);
  await change(first, 'fourth');
  expect(await listThumbprints()).toEqual(['fourth', first, 'third', 'second']);
  for (let at = 0; at < 120; at++) await change(at === 0 ? 'fourth' : `k${at - 1}`, `k${at}`);
  expect(await listThumbprints()).toHaveLength(101);
  expect((await listThumbprints()).slice(0, 2)).toEqual(['k119', 'k118']);
  await database.query(`UPDATE acme_account SET status = 'deactivated' WHERE uuid = $1`, [uuid]);
  expect(await listThumbprints()).toEqual([]);
});
