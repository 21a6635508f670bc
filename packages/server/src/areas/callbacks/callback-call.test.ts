import type { AttributeCallback, AttributeCallbackMapping, RequestAttributeCallback } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { mappedValues, pathCall, type CallbackDefinition, type Endpoints } from './callback-call.ts';

const mapping = (to: string, target: string, facts: Partial<AttributeCallbackMapping> = {}) =>
  ({ from: 'field.data', to, targets: [target], ...facts }) as AttributeCallbackMapping;

const found = (callback: Partial<AttributeCallback>): CallbackDefinition => ({
  definition: { version: 2, uuid: 'u', name: 'choice', type: 'group' },
  callback: { callbackContext: '/v1/authorityProvider/Fake/list', callbackMethod: 'GET', mappings: [], ...callback },
  path: [],
});

const endpoints: Endpoints = {
  functionGroup: 'authorityProvider',
  endPoints: [
    { method: 'GET', context: '/v1/authorityProvider/Fake/list' },
    { method: 'get', context: '/v1/authorityProvider/authorities/{authorityUuid}/profiles/{id}' },
  ],
};

const request = (values: Partial<RequestAttributeCallback> = {}): RequestAttributeCallback => ({
  name: 'choice',
  ...values,
});

/** Returns the call, or the problems. */
function outcome(callback: Partial<AttributeCallback>, values: Partial<RequestAttributeCallback> = {}) {
  const mapped = mappedValues(found(callback), request(values));
  if (!('value' in mapped)) return mapped.problems;
  const call = pathCall(found(callback), mapped.value, endpoints);
  return 'value' in call ? call.value : call.problems;
}

describe('a callback', () => {
  it('sends only the values that its definition maps, encoded', () => {
    const call = outcome(
      {
        callbackContext: '/v1/authorityProvider/authorities/{a}/profiles/{b}',
        mappings: [
          mapping('a', 'pathVariable', { from: undefined as never, value: 'fixed' }),
          mapping('b', 'pathVariable'),
          mapping('q', 'requestParameter'),
          mapping('x', 'body'),
        ],
      },
      {
        pathVariable: { a: 'mine', b: '../a b/%2e?#', c: 'more' },
        requestParameter: { q: { value: 7 }, r: 'more' },
        body: { x: [{ data: 1 }], y: 'more' },
      },
    );
    expect(call).toEqual({
      method: 'GET',
      path: '/v1/authorityProvider/authorities/fixed/profiles/..%2Fa%20b%2F%252e%3F%23',
      query: { q: '7' },
      body: { x: [{ data: 1 }] },
    });
  });

  it.each([
    ['a different host', 'http://169.254.169.254/latest'],
    ['a different host without scheme', '//evil.example/v1'],
    ['a backslash', '/v1/authorityProvider/Fake\\list'],
    ['a parent directory', '/v1/authorityProvider/callbacks/../Fake/list'],
    ['an encoded parent directory', '/v1/authorityProvider/callbacks/%2e%2e/x'],
    ['a query', '/v1/authorityProvider/Fake/list?x=1'],
    ['a fragment', '/v1/authorityProvider/Fake/list#x'],
    ['a line break', '/v1/authorityProvider/Fake/list\r\nHost: x'],
    ['a variable inside a segment', '/v1/authorityProvider/callbacks/a{b}'],
    ['an undeclared endpoint', '/v1/authorityProvider/authorities'],
    ['a variable in place of a fixed segment', '/v1/authorityProvider/{kind}/list'],
    ['the callbacks of a different function group', '/v1/entityProvider/callbacks/x'],
    ['the callback folder itself', '/v1/authorityProvider/Fake/callbacks'],
  ])('that leads to %s is rejected', (_what, callbackContext) => {
    expect(outcome({ callbackContext })).toEqual([expect.stringContaining('which is not among the endpoints')]);
  });

  it('can reach declared endpoints only with their method, and any path below the callback folder', () => {
    expect(outcome({ callbackMethod: 'DELETE' })).toEqual([expect.stringContaining('DELETE /v1/authorityProvider')]);
    expect(outcome({ callbackContext: '/v1/authorityProvider/callbacks/any' })).toMatchObject({
      path: '/v1/authorityProvider/callbacks/any',
    });
    expect(
      outcome({ callbackContext: '/v1/authorityProvider/Fake/callbacks/x/y', callbackMethod: 'post' }),
    ).toMatchObject({ method: 'POST' });
  });

  it.each([
    ['v1/authorityProvider/Fake/list', {}, '/v1/authorityProvider/Fake/list'],
    ['v1/authorityProvider/credentialType/{type}/callback', 'token', '/v1/authorityProvider/credentialType/token/callback'],
    ['/v1/authorityProvider/callbacks/{type}', { reference: 'Token', data: 'token' }, '/v1/authorityProvider/callbacks/token'],
    ['/v1/authorityProvider/callbacks/{type}', { data: { uuid: 'u', name: 'n' } }, '/v1/authorityProvider/callbacks/u'],
    ['/v1/authorityProvider/callbacks/{type}', { id: 5, name: 'n' }, '/v1/authorityProvider/callbacks/5'],
  ])('from a third-party connector resolves %s with %j', (callbackContext, type, path) => {
    const mappings = callbackContext.includes('{') ? [mapping('type', 'pathVariable')] : [];
    expect(outcome({ callbackContext, mappings }, { pathVariable: { type } })).toMatchObject({ path });
  }); // prettier-ignore

  it.each([['.'], ['..'], [''], [{ value: '' }], [{ other: 1 }], [['a', 'b']], ['x'.repeat(1_001)], ['\uD800']])(
    'rejects %j as part of a path',
    (b) => {
      const callbackContext = '/v1/authorityProvider/callbacks/{b}';
      const problems = outcome({ callbackContext, mappings: [mapping('b', 'pathVariable')] }, { pathVariable: { b } });
      expect(problems).toEqual(expect.arrayContaining([expect.any(String)]));
    },
  );

  it.each([
    ['an unsupported HTTP method', { callbackMethod: 'FETCH' }, 'has no supported HTTP method'],
    ['an empty context', { callbackContext: ' ' }, 'no context'],
    [
      'a mapping without target',
      { mappings: [mapping('x', 'body', { targets: [] })] },
      'does not specify how x is sent',
    ],
    [
      'a mapping without name',
      { mappings: [mapping(' ', 'body')] },
      'has a mapping that does not specify its destination',
    ],
    [
      'a mapping without source',
      { mappings: [mapping('x', 'body', { from: '' })] },
      'does not specify the source of x',
    ],
    [
      'a value that is not in the request',
      { mappings: [mapping('x', 'body')] },
      'requires a value for x (body), from field.data',
    ],
    [
      'a credential in the query',
      { mappings: [mapping('x', 'requestParameter', { attributeContentType: 'credential' })] },
      'sends the credential x outside the body',
    ],
  ])('is rejected if it has %s', (_what, callback, problem) => {
    expect(outcome(callback as Partial<AttributeCallback>)).toEqual(
      expect.arrayContaining([expect.stringContaining(problem)]),
    );
  });

  it('ignores inherited object members', () => {
    expect(outcome({ mappings: [mapping('constructor', 'body')] }, { body: {} })).toEqual([
      expect.stringContaining('requires a value for constructor'),
    ]);
  });
});
