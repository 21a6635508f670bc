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

/** The call, or what is wrong. */
function outcome(callback: Partial<AttributeCallback>, values: Partial<RequestAttributeCallback> = {}) {
  const mapped = mappedValues(found(callback), request(values));
  if (!('value' in mapped)) return mapped.problems;
  const call = pathCall(found(callback), mapped.value, endpoints);
  return 'value' in call ? call.value : call.problems;
}

describe('a call-back', () => {
  it('sends the values that its definition maps, encoded, and no others', () => {
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
    ['another host', 'http://169.254.169.254/latest'],
    ['another host without scheme', '//evil.example/v1'],
    ['a backslash', '/v1/authorityProvider/Fake\\list'],
    ['a step upwards', '/v1/authorityProvider/callbacks/../Fake/list'],
    ['an encoded step', '/v1/authorityProvider/callbacks/%2e%2e/x'],
    ['a query', '/v1/authorityProvider/Fake/list?x=1'],
    ['a fragment', '/v1/authorityProvider/Fake/list#x'],
    ['a line break', '/v1/authorityProvider/Fake/list\r\nHost: x'],
    ['a variable inside a segment', '/v1/authorityProvider/callbacks/a{b}'],
    ['what is not declared', '/v1/authorityProvider/authorities'],
    ['a variable in place of a fixed word', '/v1/authorityProvider/{kind}/list'],
    ['the call-backs of another group', '/v1/entityProvider/callbacks/x'],
    ['the folder itself', '/v1/authorityProvider/Fake/callbacks'],
  ])('that leads to %s is refused', (_what, callbackContext) => {
    expect(outcome({ callbackContext })).toEqual([expect.stringContaining('which is not among the endpoints')]);
  });

  it('leads to declared endpoints by their method only, and below the folder for call-backs', () => {
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
  ])('of connectors of others leads to %s with %j', (callbackContext, type, path) => {
    const mappings = callbackContext.includes('{') ? [mapping('type', 'pathVariable')] : [];
    expect(outcome({ callbackContext, mappings }, { pathVariable: { type } })).toMatchObject({ path });
  }); // prettier-ignore

  it.each([['.'], ['..'], [''], [{ value: '' }], [{ other: 1 }], [['a', 'b']], ['x'.repeat(1_001)], ['\uD800']])(
    'does not take %j as part of a path',
    (b) => {
      const callbackContext = '/v1/authorityProvider/callbacks/{b}';
      const problems = outcome({ callbackContext, mappings: [mapping('b', 'pathVariable')] }, { pathVariable: { b } });
      expect(problems).toEqual(expect.arrayContaining([expect.any(String)]));
    },
  );

  it.each([
    ['no method of HTTP', { callbackMethod: 'FETCH' }, 'no method of HTTP'],
    ['no context', { callbackContext: ' ' }, 'no context'],
    ['a mapping without target', { mappings: [mapping('x', 'body', { targets: [] })] }, 'as what x is sent'],
    ['a mapping without name', { mappings: [mapping(' ', 'body')] }, 'where its value goes'],
    ['a mapping without source', { mappings: [mapping('x', 'body', { from: '' })] }, 'where x comes from'],
    [
      'a value that the request lacks',
      { mappings: [mapping('x', 'body')] },
      'needs x as body, the value of field.data',
    ],
    [
      'a credential in the query',
      { mappings: [mapping('x', 'requestParameter', { attributeContentType: 'credential' })] },
      'elsewhere than in the body',
    ],
  ])('with %s is refused', (_what, callback, words) => {
    expect(outcome(callback as Partial<AttributeCallback>)).toEqual(
      expect.arrayContaining([expect.stringContaining(words)]),
    );
  });

  it('does not take inherited members for values', () => {
    expect(outcome({ mappings: [mapping('constructor', 'body')] }, { body: {} })).toEqual([
      expect.stringContaining('needs constructor'),
    ]);
  });
});
