import { describe, expect, it } from 'vitest';
import { asAppError, failureOfStatus } from './call-failure.ts';

const refusal = (status: number, body: unknown, sent?: unknown) => {
  const error = asAppError(failureOfStatus(status, body, { sent }), { connector: 'soft', objectId: '7' });
  return [error.code, error.message];
};

describe('what a connector says about a refusal reaches the caller', () => {
  it.each([
    ['a message', { message: 'The token is locked.' }, 'it says "The token is locked"'],
    [
      'a message and errors',
      { code: 701, message: 'Token instance problem', errors: [{ error: 'Cannot activate ftok1', type: 'TokenInstanceException' }] },
      'it says "Token instance problem: Cannot activate ftok1"',
    ],
    ['errors alone', { message: '', errors: [{ error: 'Secret keys are not supported.' }] }, 'it says "Secret keys are not supported"'],
    ['a word of a framework', { error: 'Bad Request' }, 'it says "Bad Request"'],
    ['text', 'no such host', 'it says "no such host"'],
    ['a list', ['one', 'two'], 'it says "one two"'],
    ['nothing', undefined, 'no reason given'],
    ['nothing that is text', { message: { deep: 1 } }, 'no reason given'],
  ])('as %s', (_what, body, words) => {
    expect(refusal(400, body)).toEqual(['connector_refused', `Connector soft refused the request (400): ${words}.`]);
  }); // prettier-ignore

  it('as complaints where its rules refuse, also in an object', () => {
    expect(refusal(422, ['one', 'two'])).toEqual(['rejected_by_rules', 'one; two']);
    expect(refusal(422, { message: 'The name is taken.' })).toEqual(['rejected_by_rules', 'The name is taken.']);
    expect(refusal(422, undefined)).toEqual(['rejected_by_rules', 'Connector soft refuses the request.']);
  });

  it('as what it does not offer', () => {
    expect(refusal(501, { message: '', errors: [{ error: 'Secret keys are not supported.' }] })).toEqual([
      'rejected_by_rules',
      'Connector soft does not offer this: it says "Secret keys are not supported".',
    ]);
  });

  it('as what it does not have, and not as an object of the platform', () => {
    expect(refusal(404, { message: 'No kind Fake.' })).toEqual([
      'object_not_found',
      'Connector soft returned 404 (not found): it says "No kind Fake".',
    ]);
    expect(refusal(404, undefined)).toEqual(['object_not_found', 'Connector soft returned 404 (not found).']);
  });

  it('without the secrets that it was sent, within bounds, and without control characters', () => {
    const sent = [{ name: 'pin', contentType: 'secret', content: [{ data: { secret: 'open sesame' } }] }];
    const [, message = ''] = refusal(400, { message: 'The PIN open sesame\r\nis wrong' }, sent);
    expect(message).toContain('it says "The PIN [hidden] is wrong"');
    expect(refusal(422, ['open sesame is wrong'], sent)).toEqual(['rejected_by_rules', '[hidden] is wrong']);
    expect(refusal(400, { message: 'x'.repeat(10_000) })[1]?.length).toBeLessThan(600);
  });
});
