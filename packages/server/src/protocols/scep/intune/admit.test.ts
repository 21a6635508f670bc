import { describe, expect, it } from 'vitest';
import { Secret } from '../../../kernel/secret.ts';
import type { Logger } from '../../../platform/logging/logger.ts';
import { admitByIntune, intuneRequestOf } from './admit.ts';
import { IntuneFault, IntuneRefusal } from './faults.ts';

const account = { tenant: 'contoso.example', applicationId: 'app', applicationKey: new Secret('canary-key') };
const request = intuneRequestOf({ transactionId: 'T1' }, { der: Uint8Array.of(1, 2, 3) });

async function admit(failure?: Error) {
  const warnings: object[] = [];
  const log = { warn: (facts: object) => void warnings.push(facts) } as unknown as Logger; // all it calls
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

describe('the validation by Intune', () => {
  it('is of the request in Base64, in its transaction', async () => {
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
  ])('that ends with %s is a refusal with %s', async (code, failInfo) => {
    const { outcome, warnings } = await admit(new IntuneRefusal(code));
    expect(outcome).toMatchObject({ failInfo, message: `Microsoft Intune refused the request: ${code}.` });
    expect(warnings).toEqual([]);
  });

  it('has a device try again later where Intune gives no answer, which is logged', async () => {
    const problem = 'Microsoft Intune answered with status 500';
    const { outcome, warnings } = await admit(new IntuneFault(problem));
    expect(outcome).toMatchObject({
      failInfo: 'badRequest',
      message: `The request could not be validated now; try again later. ${problem}.`,
    });
    expect(warnings).toEqual([{ profile: 'phones', transactionId: 'T1', problem }]);
  });

  it('passes on faults of our own', async () => {
    const fault = new TypeError('broken');
    expect((await admit(fault)).outcome).toBe(fault);
  });
});
