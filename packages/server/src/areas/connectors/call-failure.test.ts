import { describe, expect, it } from 'vitest';
import { asAppError, failureOfStatus } from './call-failure.ts';

const refusal = (status: number, body: unknown, sent?: unknown) => {
  const error = asAppError(failureOfStatus(status, body, { sent }), { connector: 'soft', objectId: '7' });
  return [error.code, error.message];
};

describe('a connector error message reaches the caller', () => {
  it.each([
    ['a message', { message: 'The token is locked.' }, 'it reported "The token is locked"'],
    [
      'a message and errors',
      { code: 701, message: 'Token instance problem', errors: [{ error: 'Cannot activate ftok1', type: 'TokenInstanceException' }] },
      'it reported "Token instance problem: Cannot activate ftok1"',
    ],
    ['errors alone', { message: '', errors: [{ error: 'Secret keys are not supported.' }] }, 'it reported "Secret keys are not supported"'],
    ['an error of a web framework', { error: 'Bad Request' }, 'it reported "Bad Request"'],
    ['text', 'no such host', 'it reported "no such host"'],
    ['a list', ['one', 'two'], 'it reported "one two"'],
    ['an empty body', undefined, 'no reason given'],
    ['a body without text', { message: { deep: 1 } }, 'no reason given'],
  ])('if the connector sends %s', (_what, body, reason) => {
    expect(refusal(400, body)).toEqual(['connector_refused', `Connector soft rejected the request (400): ${reason}.`]);
  }); // prettier-ignore

  it('as rule violations for status 422, even in an object', () => {
    expect(refusal(422, ['one', 'two'])).toEqual(['rejected_by_rules', 'one; two']);
    expect(refusal(422, { message: 'The name is taken.' })).toEqual(['rejected_by_rules', 'The name is taken.']);
    expect(refusal(422, undefined)).toEqual(['rejected_by_rules', 'Connector soft rejected the request.']);
  });

  it('as an operation that the connector does not support', () => {
    expect(refusal(501, { message: '', errors: [{ error: 'Secret keys are not supported.' }] })).toEqual([
      'rejected_by_rules',
      'Connector soft does not offer this operation: it reported "Secret keys are not supported".',
    ]);
  });

  it('as an object missing at the connector, not on the platform', () => {
    expect(refusal(404, { message: 'No kind Fake.' })).toEqual([
      'object_not_found',
      'Connector soft returned 404 (not found): it reported "No kind Fake".',
    ]);
    expect(refusal(404, undefined)).toEqual(['object_not_found', 'Connector soft returned 404 (not found).']);
  });

  it('without the secrets that were sent to it, limited in length, and without control characters', () => {
    const sent = [{ name: 'pin', contentType: 'secret', content: [{ data: { secret: 'open sesame' } }] }];
    const [, message = ''] = refusal(400, { message: 'The PIN open sesame\r\nis wrong' }, sent);
    expect(message).toContain('it reported "The PIN [hidden] is wrong"');
    expect(refusal(422, ['open sesame is wrong'], sent)).toEqual(['rejected_by_rules', '[hidden] is wrong']);
    expect(refusal(400, { message: 'x'.repeat(10_000) })[1]?.length).toBeLessThan(600);
  });
});
