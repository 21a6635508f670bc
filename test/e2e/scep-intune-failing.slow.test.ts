// Microsoft Intune services that do not respond, or that fail repeatedly.
import { describe, expect, it, vi } from 'vitest';
import { sharedScepWithIntune, soon } from './testing/scep-with-intune.ts';

const scep = sharedScepWithIntune();

describe('a notification to Intune', () => {
  it('is retried until Intune has accepted it', async () => {
    scep.intune.fail('successNotification', 500, 'cut', 403);
    await scep.enrolled();
    await vi.waitFor(async () => {
      await scep.dueNow();
      expect(scep.intune.named('successNotification')).toHaveLength(1);
    }, soon);
    await vi.waitFor(async () => expect(await scep.query('SELECT FROM scep_intune_notice')).toEqual([]), soon);
  });
});

describe('failing services', () => {
  it('cause the device to retry later if Intune does not respond', { timeout: 40_000 }, async () => {
    await scep.expectPutOff('validateRequest', ['hang'], /Microsoft Intune did not respond within 10 s/);
  });
});
