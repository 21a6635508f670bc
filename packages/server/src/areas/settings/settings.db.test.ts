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

  /** Each node has its own cache. */
  const node = () =>
    createSettingsService(platform, {
      audit,
      section: createPlatformSection(platform),
    });

  it('validate certificates daily and warn 30 days before expiry by default', async () => {
    expect(await node().platform()).toEqual({
      utils: {},
      certificates: { validation: { enabled: true, frequency: 1, expiringThreshold: 30 } },
    });
  });

  it('keep the sections that a change omits, and discard the parameters of disabled validation', async () => {
    const service = node();
    await service.changePlatform({ utils: { utilsServiceUrl: 'https://utils.example' } }, context);
    const off = { enabled: false, frequency: 7, expiringThreshold: 60 };
    await service.changePlatform({ certificates: { validation: off } }, context);
    expect(await service.platform()).toEqual({
      utils: { utilsServiceUrl: 'https://utils.example' },
      certificates: { validation: { enabled: false } },
    });
  });

  it('reject a URL with a scheme that is dangerous in browsers', async () => {
    const refused = node().changePlatform({ utils: { utilsServiceUrl: 'javascript:alert(1)' } }, context);
    await expect(refused).rejects.toMatchObject({ code: 'rejected_by_rules' });
  });

  it('take effect immediately on the node where they were changed, and within five seconds on all others', async () => {
    const [here, there] = [node(), node()];
    await there.platform();
    await here.changePlatform({ utils: { utilsServiceUrl: 'https://utils.example' } }, context);
    const changed = { utils: { utilsServiceUrl: 'https://utils.example' } };
    expect(await here.platform()).toMatchObject(changed);
    clock.advance(5_000);
    expect(await there.platform()).toMatchObject(changed);
  });

  it('create an audit record with the new values for each change', async () => {
    await node().changePlatform({ certificates: {} }, context);
    const rows = await platform.database.query('SELECT operation, resource, operation_data FROM audit_record');
    expect(rows).toEqual([{ operation: 'update', resource: 'settings', operation_data: { certificates: {} } }]);
  });
});
