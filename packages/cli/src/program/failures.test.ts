import { ApiError, ConnectionError } from '@signetry/client';
import { describe, expect, it } from 'vitest';
import { CliFailure, describeFailure, failureLines, Interruption, messageOf, usageError } from './failures.ts';

const rejection = (status: number, facts: { problems?: readonly string[] } = {}) =>
  new ApiError(status, { message: 'No.', ...facts });

class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

describe('a failure', () => {
  it.each([
    ['a rejection', rejection(422), 1],
    ['not found', rejection(404), 1],
    ['an internal platform error', rejection(500), 1],
    ['not authenticated', rejection(401), 4],
    ['not authorized', rejection(403), 4],
    ['no response', new ConnectionError('x', { cause: undefined, timedOut: true }), 3],
    ['wrong usage', usageError('x'), 2],
    ['a configuration error', new ConfigurationError('x'), 2],
    ['an interruption', new Interruption(), 130],
    ['an unexpected error', new Error('x'), 1],
    ['a value that is not an error', 'x', 1],
  ])('of kind "%s" results in the corresponding exit code', (_, error, code) => {
    expect(describeFailure(error).exitCode).toBe(code);
  });

  it('is printed as one line, followed by hints', () => {
    const error = new CliFailure('It is closed.', { help: ['Open it.', 'Or wait.'] });
    expect(failureLines(error, { trace: false })).toEqual(['signetry: It is closed.', '  Open it.', '  Or wait.']);
  });

  it('lists every validation problem', () => {
    expect(failureLines(rejection(422, { problems: ['First.', 'Second.'] }), { trace: false })).toEqual([
      'signetry: First.',
      '  Second.',
    ]);
  });

  it('shows a stack trace only for programming errors or on request', () => {
    expect(failureLines(new Error('x'), { trace: false })).toHaveLength(1);
    expect(failureLines(new Error('x'), { trace: true }).join('\n')).toContain('failures.test.ts');
    expect(failureLines(new TypeError('x'), { trace: false }).join('\n')).toContain('failures.test.ts');
  });

  it('does not let a message control the terminal', () => {
    expect(failureLines(new Error('a\u001B[2Jb\nc'), { trace: false })).toEqual(['signetry: a\uFFFD[2Jb\n  c']);
  });

  it('to connect to the platform is reported with the URL instead of the operation', () => {
    const silent = new ConnectionError('listGroups: the request timed out (http://h/api)', {
      cause: undefined,
      timedOut: true,
    });
    expect(describeFailure(silent).message).toBe('No response from the platform: the request timed out (http://h/api)');
  });

  it('has a message even if multiple connection attempts failed', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED ::1:1'), { code: 'ECONNREFUSED' });
    expect(messageOf(new AggregateError([refused]))).toBe('connect ECONNREFUSED ::1:1');
  });
});
