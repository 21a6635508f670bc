import { DerError, PkiError } from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { UnprovenRequestError } from '../../areas/certificates/index.ts';
import { AppError, rejected } from '../../kernel/errors.ts';
import { toRejection, CmpRejection, errorBody, failureOfRequest, rejectionStatus } from './rejection.ts';

describe('a CMP rejection', () => {
  it.each([
    ['a refusal of CMP', new CmpRejection('badPOP', 'no proof'), 'badPOP', 'no proof'],
    ['octets that are no DER', new DerError('truncated', 3), 'badDataFormat', /truncated|3/],
    ['an algorithm that is not known', new PkiError('unsupported-algorithm', 'MD2'), 'badAlg', 'MD2'],
    ['a version that is not known', new PkiError('unsupported-version', 'Version 9'), 'unsupportedVersion',
      'Version 9'],
    ['a message over a bound', new PkiError('bound-exceeded', 'too long'), 'badRequest', 'too long'],
    ['a rule on the platform', rejected('The key is too short'), 'badRequest', /The key is too short/],
    ['an object that is gone', new AppError('object_not_found', { what: 'RA profile', id: 'x' }), 'badRequest',
      /RA profile/],
    ['what cannot be done now', new AppError('unavailable', { reason: 'no token' }), 'systemUnavail',
      'The platform cannot do this now: no token.'],
    ['a connector that failed', new AppError('connector_failed', { connector: 'CA', problem: 'broke' }),
      'systemUnavail', 'Connector CA failed: broke.'],
    ['a connector that does not respond', new AppError('connector_unreachable', { connector: 'CA', reason: 'refused' }),
      'systemUnavail', /CA/],
    ['a rate that is too high', new AppError('too_many_requests', { what: 'requests', retryAfterS: 5 }),
      'systemUnavail', /requests/],
  ] as const)('is returned for %s', (_what, error, failure, words) => {
    const refusal = toRejection(error);
    expect(refusal?.failure).toBe(failure);
    expect(refusal?.message).toEqual(words instanceof RegExp ? expect.stringMatching(words) : words);
  }); // prettier-ignore

  it.each([[new TypeError('x is undefined')], ['text'], [undefined]])(
    'is not returned for an internal error (%s), whose message remains internal',
    (error) => expect(toRejection(error)).toBeUndefined(),
  );
});

describe('the failure of a rejected certificate request', () => {
  const caused = (cause: unknown) => new AppError('invalid_fields', { problems: ['request: x'] }, { cause });
  it.each([
    ['an unproven key', caused(new UnprovenRequestError('x')), 'badPOP'],
    ['an unknown algorithm', caused(new PkiError('unsupported-algorithm', 'MD2')), 'badAlg'],
    ['octets that are no DER', caused(new DerError('truncated', 3)), 'badDataFormat'],
    ['a weak key or a forbidden name', caused(undefined), 'badCertTemplate'],
    ['a rule on the platform', rejected('The name is not allowed'), 'badCertTemplate'],
    ['a rule of the authority', new AppError('connector_refused', { connector: 'CA', status: 422, problem: 'no' }),
      'badCertTemplate'],
    ['a failed connector', new AppError('connector_failed', { connector: 'CA', problem: 'broke' }), 'systemUnavail'],
    ['a missing object', new AppError('object_not_found', { what: 'RA profile', id: 'x' }), 'badRequest'],
  ] as const)('for %s is by its cause', (_what, error, failure) => {
    expect(failureOfRequest(error)).toBe(failure);
  }); // prettier-ignore
});

describe('an encoded rejection', () => {
  const refusal = new CmpRejection('badCertId', 'Not that certificate.');

  it('contains its failure bit and its text, both as a response and as an error', () => {
    const status = { status: 'rejection', failures: ['badCertId'], texts: ['Not that certificate.'] };
    expect(rejectionStatus(refusal)).toEqual(status);
    expect(errorBody(refusal)).toEqual({ type: 'error', status });
  });
});
