import type { AttributeCallback } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import type { ContentItem } from './attribute-content.ts';
import { mappedValues } from './callback-request.ts';

const items: Readonly<Record<string, readonly ContentItem[]>> = {
  kind: [{ reference: 'New', data: 'new' }],
  plain: [{ data: 'p' }],
  profile: [{ data: { id: 7, name: 'seven' } }, { data: { id: 8 } }],
  empty: [],
  'with.dots': [{ data: 'd' }],
};
const values = (from: string | undefined, facts: Partial<AttributeCallback['mappings'][number]> = {}) =>
  mappedValues(
    {
      callbackContext: '/x',
      callbackMethod: 'GET',
      mappings: [{ from, to: 'x', targets: ['pathVariable'], ...facts }],
    },
    (name) => items[name] ?? [],
  )?.pathVariable?.['x'];

describe('callback values', () => {
  it.each([
    ['kind.data', 'new'],
    ['kind.reference', 'New'],
    ['plain.reference', 'p'],
    ['kind', 'new'],
    ['profile', { id: 7, name: 'seven' }],
    ['profile.data.id', 7],
    ['with.dots', 'd'],
  ])('are read from %s', (from, value) => {
    expect(values(from)).toEqual(value);
  });

  it.each(['empty.data', 'unknown.data', 'profile.data.missing', 'kind.data.length', 'profile.data.constructor'])(
    'are undefined for %s',
    (from) => {
      expect(values(from)).toBeUndefined();
    },
  );

  it('can be constant, and can have multiple targets', () => {
    expect(values(undefined, { value: 'fixed' })).toBe('fixed');
    const callback = { callbackContext: '/x', callbackMethod: 'POST' };
    const mappings = [{ from: 'plain.data', to: 'y', targets: ['requestParameter' as const, 'body' as const] }];
    expect(mappedValues({ ...callback, mappings }, (name) => items[name] ?? [])).toEqual({
      pathVariable: {},
      requestParameter: { y: 'p' },
      body: { y: 'p' },
    });
  });
});
