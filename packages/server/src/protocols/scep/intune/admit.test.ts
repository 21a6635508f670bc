import { describe, expect, it } from 'vitest';
import { Secret } from '../../../kernel/secret.ts';
import type { Logger } from '../../../platform/logging/logger.ts';
import { admitByIntune, intuneRequestOf } from './admit.ts';
import { IntuneFault, IntuneRejection } from './faults.ts';

const account = { tenant: 'contoso.example', applicationId: 'app', applicationKey: new Secret('canary-key') };
const request = intuneRequestOf({ transactionId: 'T1' }, { der: Uint8Array.of(1, 2, 3) });

async function admit(failure?: Error) {
  const warnings: object[] = [];
  const log = { warn: (facts: object) => void warnings.push(facts) } as unknown as Logger; // partial stub
  const validated: unknown[] = [];
  const validate = async (...asked: unknown[]) => {
    validated.push(asked);
    if (failure) throw failure;
  };
  const parts = { intune: { validate }, log };
  const outcome: unknown = await admitByIntune(parts, { account, profile: 'phones', request }).catch(
    (error: unknown) => error,
  );
  return { outcome, validated, warnings };
}

describe('Intune validation', () => {
  it('receives the request in Base64 with its transaction ID', async () => {
    const { outcome, validated, warnings } = await admit();
    expect([outcome, warnings]).toEqual([undefined, []]);
    expect(validated).toEqual([[account, { transactionId: 'T1', request: 'AQID' }]]);
  });

  it.each([
    ['ChallengeExpired', 'badMessageCheck'],
    ['ChallengePasswordMissing', 'badMessageCheck'],
    ['SignatureValidationFailed', 'badMessageCheck'],
    ['BadDeviceIdInChallenge', 'badMessageCheck'],
    ['BadXInChallengeAgain', 'badRequest'],
    ['BadInChallenge', 'badRequest'],
    ['SubjectNameMismatch', 'badRequest'],
    ['NotChallengeExpired', 'badRequest'],
    ['SomethingNew', 'badRequest'],
  ])('that returns %s leads to a rejection with %s', async (code, failInfo) => {
    const { outcome, warnings } = await admit(new IntuneRejection(code));
    expect(outcome).toMatchObject({ failInfo, message: `Microsoft Intune rejected the request: ${code}.` });
    expect(warnings).toEqual([]);
  });

  it('causes the device to retry later, and is logged, if Intune does not respond', async () => {
    const problem = 'Microsoft Intune returned status 500';
    const { outcome, warnings } = await admit(new IntuneFault(problem));
    expect(outcome).toMatchObject({
      failInfo: 'badRequest',
      message: `Cannot validate the request at this time; try again later. ${problem}.`,
    });
    expect(warnings).toEqual([{ profile: 'phones', transactionId: 'T1', problem }]);
  });

  it('rethrows internal errors', async () => {
    const fault = new TypeError('broken');
    expect((await admit(fault)).outcome).toBe(fault);
  });
});
