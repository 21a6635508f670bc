import { describe, expect, it } from 'vitest';
import { CKF, CKR } from './module/constants.ts';
import { ModuleError } from './module/module-error.ts';
import type { ModuleOperation } from './module/protocol.ts';
import { isPinRejected, pinRejection, rejectionOf, describeTriesLeft } from './rejections.ts';

const library = { name: 'hsm', path: '/opt/hsm/p11.so' };
const token = { name: 'Issuing CA', label: 'CA', serial: '42' };
const rejectionFor = (
  reason: string,
  { code, operation = 'sign' }: { code?: number; operation?: ModuleOperation } = {},
) =>
  rejectionOf(new ModuleError(reason, `The library returned ${reason}.`, code), {
    library,
    token,
    operation,
    keyUuid: 'k',
  });

describe('a rejection', () => {
  it.each([
    ['binding', 503, 'The npm package pkcs11js, which is required for PKCS #11, is not installed.'],
    ['library', 503, 'Cannot load library hsm (/opt/hsm/p11.so): '],
    ['token missing', 503, 'Token "Issuing CA" (label "CA", serial number 42) was not found in library hsm.'],
    ['object missing', 404, 'Key k does not exist'],
    ['object ambiguous', 422, 'Assign different CKA_IDs to them.'],
    ['timeout', 503, 'Token "Issuing CA": '],
  ])('for the reason "%s" has the status %i and an explanation', (reason, status, message) => {
    expect(rejectionFor(reason)).toMatchObject({ status, message: expect.stringContaining(message) });
  });

  it('is final if the outcome of the call is unknown', () => {
    expect(rejectionFor('timeout', { operation: 'generatePair' })).toMatchObject({ status: 500 });
    expect(rejectionFor('session lost', { operation: 'generatePair' })).toMatchObject({ status: 500 });
    expect(rejectionFor('CKR_DEVICE_ERROR', { code: 0x30 })).toMatchObject({ status: 503 });
    expect(rejectionFor('CKR_GENERAL_ERROR', { code: 0x5 })).toMatchObject({ status: 500 });
  });

  it('explains PKCS #11 return values, and leaves other errors unchanged', () => {
    expect(rejectionFor('CKR_KEY_FUNCTION_NOT_PERMITTED', { code: 0x68 })).toMatchObject({
      status: 422,
      message:
        'Token "Issuing CA" rejected the call: the key does not permit this operation (CKR_KEY_FUNCTION_NOT_PERMITTED).',
    });
    const other = new Error('other');
    expect(rejectionOf(other, { library, operation: 'sign' })).toBe(other);
  });
});

describe('a rejected PIN', () => {
  const wrong = new ModuleError('CKR_PIN_INCORRECT', '', CKR.pinIncorrect);

  it("is reported with the state of the token's retry counter", () => {
    expect(isPinRejected(wrong)).toBe(true);
    expect(isPinRejected(new ModuleError('CKR_DEVICE_ERROR', '', 0x30))).toBe(false);
    expect(pinRejection(wrong, 0).message).toBe('Wrong PIN.');
    expect(pinRejection(wrong, CKF.userPinCountLow | CKF.userPinFinalTry).message).toContain(
      'One attempt is left before the token locks the PIN.',
    );
    expect(describeTriesLeft(CKF.userPinLocked | CKF.userPinFinalTry)).toContain('The PIN is locked');
    expect(describeTriesLeft(0)).toBeUndefined();
  });
});
