// Services of Microsoft Intune that do not answer, or fail again and again.
import { describe, expect, it, vi } from 'vitest';
import { sharedScepWithIntune, soon } from './testing/scep-with-intune.ts';

const scep = sharedScepWithIntune();

describe('what Intune is told', () => {
  it('is told again until Intune took it', async () => {
    scep.intune.fail('successNotification', 500, 'cut', 403);
    await scep.enrolled();
    await vi.waitFor(async () => {
      await scep.dueNow();
      expect(scep.intune.named('successNotification')).toHaveLength(1);
    }, soon);
    await vi.waitFor(async () => expect(await scep.query('SELECT FROM scep_intune_notice')).toEqual([]), soon);
  });
});

describe('services that fail', () => {
  it('have a device try again later: Intune does not answer', { timeout: 40_000 }, async () => {
    await scep.expectPutOff('validateRequest', ['hang'], /Microsoft Intune did not answer within 10 s/);
  });
});
