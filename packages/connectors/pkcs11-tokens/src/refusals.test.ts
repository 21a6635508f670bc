import { describe, expect, it } from 'vitest';
import { CKF, CKR } from './module/constants.ts';
import { ModuleError } from './module/module-error.ts';
import type { ModuleOperation } from './module/protocol.ts';
import { pinIsRefused, pinRefusal, refusalOf, triesLeft } from './refusals.ts';

const library = { name: 'hsm', path: '/opt/hsm/p11.so' };
const token = { name: 'Issuing CA', label: 'CA', serial: '42' };
const refused = (reason: string, { code, operation = 'sign' }: { code?: number; operation?: ModuleOperation } = {}) =>
  refusalOf(new ModuleError(reason, `The library answered ${reason}.`, code), {
    library,
    token,
    operation,
    keyUuid: 'k',
  });

describe('a refusal', () => {
  it.each([
    ['binding', 503, 'The npm package pkcs11js, which PKCS#11 needs, is not installed'],
    ['library', 503, 'The library hsm (/opt/hsm/p11.so) could not be loaded'],
    ['token missing', 503, 'The token "Issuing CA" (label "CA", serial number 42) is not present in the library hsm'],
    ['object missing', 404, 'Key k does not exist'],
    ['object ambiguous', 422, 'Give them different CKA_IDs'],
    ['timeout', 503, 'The token "Issuing CA"'],
  ])('for the reason "%s" has the status %i and says what is wrong', (reason, status, message) => {
    expect(refused(reason)).toMatchObject({ status, message: expect.stringContaining(message) });
  });

  it('is final where nobody knows what came of the call', () => {
    expect(refused('timeout', { operation: 'generatePair' })).toMatchObject({ status: 500 });
    expect(refused('session lost', { operation: 'generatePair' })).toMatchObject({ status: 500 });
    expect(refused('CKR_DEVICE_ERROR', { code: 0x30 })).toMatchObject({ status: 503 });
    expect(refused('CKR_GENERAL_ERROR', { code: 0x5 })).toMatchObject({ status: 500 });
  });

  it('puts return values into words, and leaves other errors as they are', () => {
    expect(refused('CKR_KEY_FUNCTION_NOT_PERMITTED', { code: 0x68 })).toMatchObject({
      status: 422,
      message: 'The token "Issuing CA" refused: the key may not be used for this (CKR_KEY_FUNCTION_NOT_PERMITTED).',
    });
    const other = new Error('other');
    expect(refusalOf(other, { library, operation: 'sign' })).toBe(other);
  });
});

describe('a PIN that is refused', () => {
  const wrong = new ModuleError('CKR_PIN_INCORRECT', '', CKR.pinIncorrect);

  it('comes with what the token tells of its counter', () => {
    expect(pinIsRefused(wrong)).toBe(true);
    expect(pinIsRefused(new ModuleError('CKR_DEVICE_ERROR', '', 0x30))).toBe(false);
    expect(pinRefusal(wrong, 0).message).toBe('The PIN is wrong.');
    expect(pinRefusal(wrong, CKF.userPinCountLow | CKF.userPinFinalTry).message).toContain('One try is left');
    expect(triesLeft(CKF.userPinLocked | CKF.userPinFinalTry)).toContain('The PIN is locked');
    expect(triesLeft(0)).toBeUndefined();
  });
});
