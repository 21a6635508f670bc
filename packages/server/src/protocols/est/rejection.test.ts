import { describe, expect, it } from 'vitest';
import { AppError, notFound, rejected } from '../../kernel/errors.ts';
import { toEstRejection, EstRejection, unauthenticated } from './rejection.ts';

describe('an EST rejection', () => {
  it('offers password authentication to unauthenticated clients', () => {
    expect(unauthenticated('Who?')).toMatchObject({
      status: 401,
      message: 'Who?',
      headers: { 'www-authenticate': 'Basic realm="EST", charset="UTF-8"' },
    });
  });

  it('is passed through unchanged', () => {
    const refusal = new EstRejection(503, 'Later.', { 'retry-after': '1' });
    expect(toEstRejection(refusal)).toBe(refusal);
  });

  it.each([
    ['a rule of the issuing path', rejected('one', 'two'), 400, 'one; two', {}],
    [
      'a state that does not allow it',
      new AppError('invalid_state', { what: 'A', name: 'b', state: 'c', needed: 'd' }),
      400,
      'A b is c; this operation requires d.',
      {},
    ],
    ['a field of the request', new AppError('invalid_fields', { problems: ['x'] }), 400, 'x', {}],
    ['something that is not there', notFound('User', 'u'), 404, 'User u does not exist or is not visible to you.', {}],
    [
      'a connector',
      new AppError('connector_failed', { connector: 'c', problem: 'p' }),
      502,
      'Connector c failed: p.',
      {},
    ],
    [
      'a limit',
      new AppError('too_many_requests', { what: 'x', retryAfterS: 7 }),
      429,
      'Too many x; try again in 7 s.',
      { 'retry-after': '7' },
    ],
  ])('has the message of %s', (_from, error, status, message, headers) => {
    const refusal = toEstRejection(error);
    expect(refusal).toBeInstanceOf(EstRejection);
    expect(refusal).toMatchObject({ status, message });
    expect(refusal.headers).toEqual(headers);
  });
});
