import type { BaseAttributeDto, DataAttribute } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { definitionProblems } from './check-definition.ts';

const data = (
  facts: Partial<DataAttribute> = {},
  properties: Partial<DataAttribute['properties']> = {},
): DataAttribute => ({
  version: 2,
  uuid: '5a0c6f26-2f3a-4f62-9d0c-0a9b1c2d3e4f',
  name: 'data_field',
  type: 'data',
  contentType: 'string',
  properties: {
    label: 'Field',
    visible: true,
    required: false,
    readOnly: false,
    list: false,
    multiSelect: false,
    ...properties,
  },
  ...facts,
});

const callback = { callbackContext: 'v1/x', callbackMethod: 'GET', mappings: [] };

describe('definition rules', () => {
  it.each<[string, BaseAttributeDto]>([
    ['a plain one', data()],
    ['one with look-around', data({ constraints: [{ type: 'regExp', data: '^(?=.{4,253}$)[a-z]+$' }] })],
    ['a list of choices', data({ content: [{ data: 'a' }] }, { list: true, multiSelect: true })],
    ['a read-only one with content', data({ content: [{ data: 'a' }] }, { readOnly: true })],
    [
      'a group with a call-back',
      { version: 2, uuid: data().uuid, name: 'group', type: 'group', attributeCallback: callback },
    ],
  ])('accept %s', (_what, definition) => {
    expect(definitionProblems(definition)).toEqual([]);
  });

  it.each<[string, BaseAttributeDto]>([
    ['a malformed uuid', data({ uuid: 'abc' })],
    ['a blank name', data({ name: '  ' })],
    ['a name that cannot be stored', data({ name: 'a\0' })],
    ['a blank label', data({}, { label: ' ' })],
    ['several choices without a list', data({}, { multiSelect: true })],
    ['read-only without content', data({}, { readOnly: true })],
    ['read-only with a call-back', data({ content: [{ data: 'a' }], attributeCallback: callback }, { readOnly: true })],
    ['a read-only list', data({ content: [{ data: 'a' }] }, { readOnly: true, list: true })],
    ['a pattern that cannot be enforced', data({ constraints: [{ type: 'regExp', data: '(a)\\1' }] })],
    ['a group without a call-back', { version: 2, uuid: data().uuid, name: 'group', type: 'group' }],
  ])('reject %s', (_what, definition) => {
    expect(definitionProblems(definition)).toHaveLength(1);
  });
});
