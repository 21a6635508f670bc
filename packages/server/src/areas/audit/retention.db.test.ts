// Goal: old audit records are removed in batches, and verification distinguishes this from manual deletion.
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform } from '@signetry/testkit/services';
import { expect, it, onTestFinished, vi } from 'vitest';
import { platformSettingsOperations } from '@signetry/contract';
import { coreContextFor } from '../../kernel/actor.ts';
import { createAuditArea } from './index.ts';

it('retention removes the oldest sealed records and leaves the audit trail intact', async () => {
  const clock = createFakeClock();
  const platform = testPlatform(await testDatabase(), { clock });
  const { database } = platform;
  const area = createAuditArea(platform);
  const context = coreContextFor(platformSettingsOperations.updatePlatformSettings);
  const write = (records: number) =>
    database.transaction(async (tx) => {
      for (let record = 0; record < records; record += 1) await area.trail.append(tx, context, { data: { record } });
    });
  const count = async (table: string) => (await database.query(`SELECT FROM ${table}`)).length;
  await area.start?.();
  onTestFinished(() => area.stop?.());

  await write(30);
  const [policy] = area.retentionPolicies ?? [];
  if (!policy) throw new Error('there is no policy');
  clock.advance(2 * 86_400_000);
  await write(5);
  await vi.waitFor(async () => expect(await count('audit_unsealed')).toBe(0), { timeout: 10_000, interval: 20 });
  const before = new Date(clock.now().getTime() - 86_400_000);
  const remove = () => database.transaction((tx) => policy.remove(tx, { before, limit: 20, context }));
  expect([await remove(), await remove(), await remove()]).toEqual([20, 10, 0]);
  expect(await count('audit_record')).toBe(5);
  expect(await count('audit_purge')).toBe(2);
  expect(await area.verify()).toMatchObject({ intact: true });

  await database.query('DELETE FROM audit_record WHERE id = (SELECT min(id) FROM audit_record)');
  expect(await area.verify()).toMatchObject({ intact: false });
});
