import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { assertLinked, bindingOf } from './linking.ts';
import { EstRejection } from './rejection.ts';

const EXPECTED = 'dGhlIHZhbHVlIG9mIGJvdGggZW5kcw==';
const presentBinding = () => EXPECTED;
const missingBinding = () => undefined;

describe('a request is bound to its connection', () => {
  it.each([
    ['by a challenge password that is the binding, where that is required', EXPECTED, true, presentBinding],
    ['by a challenge password that is the binding, where it is not', EXPECTED, false, presentBinding],
    ['without one, where none is required', undefined, false, presentBinding],
    ['without one behind a proxy, where none is required', undefined, false, missingBinding],
  ])('%s', (_how, challengePassword, isRequired, binding) => {
    expect(() => assertLinked(challengePassword, { binding, isRequired })).not.toThrow();
  });

  const other = 'The challengePassword of the request does not match the channel binding of this connection.';
  it.each([
    [
      'has none where it is required',
      undefined,
      true,
      presentBinding,
      'The request has no challengePassword with the channel binding of its connection (RFC 7030 §3.5).',
    ],
    ['has another one', EXPECTED.replace('d', 'e'), false, presentBinding, other],
    ['has a longer one', `${EXPECTED} `, false, presentBinding, other],
    ['has the beginning of it', EXPECTED.slice(0, -1), false, presentBinding, other],
    ['has an empty one', '', false, presentBinding, other],
    ['has one of as many characters but more octets', EXPECTED.replace('d', 'é'), true, presentBinding, other],
    [
      'has one that cannot be compared',
      EXPECTED,
      false,
      missingBinding,
      'Cannot verify the challengePassword of the request:',
    ],
    [
      'has none where it cannot be required',
      undefined,
      true,
      missingBinding,
      'The profile requires channel binding, but this connection ends at a proxy.',
    ],
  ])('or rejected when it %s', (_how, challengePassword, isRequired, binding, words) => {
    const check = () => assertLinked(challengePassword, { binding, isRequired });
    expect(check).toThrow(EstRejection);
    expect(check).toThrow(expect.objectContaining({ status: 400, message: expect.stringContaining(words) }));
  });

  it('without querying the connection if there is nothing to compare', () => {
    const binding = () => expect.fail('it was asked');
    expect(() => assertLinked(undefined, { binding, isRequired: false })).not.toThrow();
  });
});

describe("a connection's channel binding", () => {
  const finished = { getPeerFinished: () => Buffer.from('client'), getFinished: () => Buffer.from('server') };
  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  it('is the TLS 1.3 exporter value with the label from RFC 9266', () => {
    const asked: unknown[] = [];
    const socket: Partial<TLSSocket> = {
      ...finished,
      getProtocol: () => 'TLSv1.3',
      exportKeyingMaterial: (...of) => {
        asked.push(of);
        return Buffer.from('exported');
      },
    };
    expect(bindingOf(socket)).toBe(base64('exported'));
    expect(asked).toEqual([[32, 'EXPORTER-Channel-Binding', Buffer.alloc(0)]]);
  });

  it.each([
    ['the message of the client, in a full handshake', false, 'client'],
    ['the message of the server, where a session is resumed', true, 'server'],
  ])('is tls-unique in TLS 1.2: %s', (_what, isReused, expected) => {
    expect(bindingOf({ ...finished, getProtocol: () => 'TLSv1.2', isSessionReused: () => isReused })).toBe(
      base64(expected),
    );
  });

  it('is undefined without TLS, or before the handshake is complete', () => {
    expect(bindingOf({})).toBeUndefined();
    expect(bindingOf({ getProtocol: () => 'TLSv1.2', getPeerFinished: () => undefined })).toBeUndefined();
  });
});
