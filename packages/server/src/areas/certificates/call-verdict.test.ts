import { describe, expect, it } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { CallFailure } from '../connectors/index.ts';
import { certainlyWithoutEffect, verdictOf } from './call-verdict.ts';

describe('verdict on a failed call', () => {
  it.each([
    ['the authority refuses', new CallFailure('rejected', 'no', { outcome: 'notCarriedOut', status: 422 }), 'refused'],
    ['the connector is down', new CallFailure('unreachable', 'refused', { outcome: 'notCarriedOut' }), 'notReached'],
    ['the connector resets the connection', new CallFailure('unreachable', 'reset', { outcome: 'unknown' }), 'unknown'],
    [
      'the connector answers 500',
      new CallFailure('failed', '500', { outcome: 'reportedFailure', status: 500 }),
      'reportedFailure',
    ],
    ['the platform refuses before the call', new AppError('unavailable', { reason: 'x' }), 'notReached'],
    ['something else breaks', new TypeError('x'), 'unknown'],
  ] as const)('%s', (_name, cause, verdict) => {
    expect(verdictOf(cause)).toBe(verdict);
  });

  it('does not take a connector that is down for a failure when an earlier attempt may have had its effect', () => {
    expect(certainlyWithoutEffect('notReached', 1)).toBe(true);
    expect(certainlyWithoutEffect('notReached', 2)).toBe(false);
    expect(certainlyWithoutEffect('refused', 2)).toBe(true);
    expect(certainlyWithoutEffect('unknown', 1)).toBe(false);
  });
});
