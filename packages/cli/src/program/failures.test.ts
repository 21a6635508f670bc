import { ApiError, ConnectionError } from '@signetry/client';
import { describe, expect, it } from 'vitest';
import { CliFailure, describeFailure, failureLines, Interruption, messageOf, wrongUsage } from './failures.ts';

const refusal = (status: number, facts: { problems?: readonly string[] } = {}) =>
  new ApiError(status, { message: 'No.', ...facts });

class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

describe('a failure', () => {
  it.each([
    ['refused', refusal(422), 1],
    ['not found', refusal(404), 1],
    ['a fault of the platform', refusal(500), 1],
    ['not signed in', refusal(401), 4],
    ['not permitted', refusal(403), 4],
    ['no answer', new ConnectionError('x', { cause: undefined, timedOut: true }), 3],
    ['wrong usage', wrongUsage('x'), 2],
    ['a configuration mistake', new ConfigurationError('x'), 2],
    ['an interruption', new Interruption(), 130],
    ['anything else', new Error('x'), 1],
    ['no error at all', 'x', 1],
  ])('of the kind "%s" ends with its code', (_, error, code) => {
    expect(describeFailure(error).exitCode).toBe(code);
  });

  it('is one line, then what would help', () => {
    const error = new CliFailure('It is closed.', { help: ['Open it.', 'Or wait.'] });
    expect(failureLines(error, { trace: false })).toEqual(['signetry: It is closed.', '  Open it.', '  Or wait.']);
  });

  it('lists every finding of a validation', () => {
    expect(failureLines(refusal(422, { problems: ['First.', 'Second.'] }), { trace: false })).toEqual([
      'signetry: First.',
      '  Second.',
    ]);
  });

  it('shows a stack for faults of the program and on demand only', () => {
    expect(failureLines(new Error('x'), { trace: false })).toHaveLength(1);
    expect(failureLines(new Error('x'), { trace: true }).join('\n')).toContain('failures.test.ts');
    expect(failureLines(new TypeError('x'), { trace: false }).join('\n')).toContain('failures.test.ts');
  });

  it('does not let a message steer the terminal', () => {
    expect(failureLines(new Error('a\u001B[2Jb\nc'), { trace: false })).toEqual(['signetry: a\uFFFD[2Jb\n  c']);
  });

  it('to reach the platform names the address, not the operation', () => {
    const silent = new ConnectionError('listGroups: no answer in time (http://h/api)', {
      cause: undefined,
      timedOut: true,
    });
    expect(describeFailure(silent).message).toBe('No answer from the platform: no answer in time (http://h/api)');
  });

  it('of several connection attempts has a message', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED ::1:1'), { code: 'ECONNREFUSED' });
    expect(messageOf(new AggregateError([refused]))).toBe('connect ECONNREFUSED ::1:1');
  });
});
