import { platformSettingsOperations } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform } from '@signetry/testkit/services';
import { beforeEach, describe, expect, it } from 'vitest';
import { coreContextFor } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import { createAuditArea, type AuditTrail } from '../audit/index.ts';
import { createPlatformSection } from './platform-section.ts';
import { createSettingsService } from './service.ts';

const context = coreContextFor(platformSettingsOperations.updatePlatformSettings);

describe('settings', () => {
  let platform: Platform;
  let audit: AuditTrail;
  const clock = createFakeClock();

  beforeEach(async () => {
    platform = testPlatform(await testDatabase(), { clock });
    audit = createAuditArea(platform).trail;
  });

  /** Each has a memory of its own, like nodes. */
  const node = () =>
    createSettingsService(platform, {
      audit,
      section: createPlatformSection(platform),
    });

  it('validates certificates daily and warns for 30 days until somebody says otherwise', async () => {
    expect(await node().platform()).toEqual({
      utils: {},
      certificates: { validation: { enabled: true, frequency: 1, expiringThreshold: 30 } },
    });
  });

  it('keeps the part that a change leaves out, and forgets the numbers of a validation that is switched off', async () => {
    const service = node();
    await service.changePlatform({ utils: { utilsServiceUrl: 'https://utils.example' } }, context);
    const off = { enabled: false, frequency: 7, expiringThreshold: 60 };
    await service.changePlatform({ certificates: { validation: off } }, context);
    expect(await service.platform()).toEqual({
      utils: { utilsServiceUrl: 'https://utils.example' },
      certificates: { validation: { enabled: false } },
    });
  });

  it('refuses an address that a browser could be led astray by', async () => {
    const refused = node().changePlatform({ utils: { utilsServiceUrl: 'javascript:alert(1)' } }, context);
    await expect(refused).rejects.toMatchObject({ code: 'rejected_by_rules' });
  });

  it('counts at once on the node that made the change, and within five seconds on others', async () => {
    const [here, there] = [node(), node()];
    await there.platform();
    await here.changePlatform({ utils: { utilsServiceUrl: 'https://utils.example' } }, context);
    const changed = { utils: { utilsServiceUrl: 'https://utils.example' } };
    expect(await here.platform()).toMatchObject(changed);
    clock.advance(5_000);
    expect(await there.platform()).toMatchObject(changed);
  });

  it('records each change with what was set', async () => {
    await node().changePlatform({ certificates: {} }, context);
    const rows = await platform.database.query('SELECT operation, resource, operation_data FROM audit_record');
    expect(rows).toEqual([{ operation: 'update', resource: 'settings', operation_data: { certificates: {} } }]);
  });
});
