import type { AttributeContentType, BaseAttributeConstraintDto, RequestAttributeDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { checkValues } from './check-values.ts';
import { createPatternBudget } from './constraints.ts';
import type { ValueDefinition } from './attribute-terms.ts';

const UUID = '5a0c6f26-2f3a-4f62-9d0c-0a9b1c2d3e4f';

const definition = (facts: Partial<ValueDefinition> = {}): ValueDefinition => ({
  uuid: UUID,
  name: 'data_field',
  label: 'Field',
  contentType: 'string',
  required: false,
  readOnly: false,
  list: false,
  multiSelect: false,
  content: [],
  constraints: [],
  ...facts,
});

const sent = (
  content: RequestAttributeDto['content'],
  name = 'data_field',
  contentType: AttributeContentType = 'string',
): RequestAttributeDto => ({
  uuid: '00000000-0000-4000-8000-000000000000',
  name,
  contentType,
  content,
});

const check = (requested: RequestAttributeDto[], ...current: ValueDefinition[]) =>
  checkValues(requested, { current, earlier: [] }, createPatternBudget());

const problemsOf = (data: unknown, facts: Partial<ValueDefinition>) =>
  check([sent([{ data }], 'data_field', facts.contentType)], definition(facts)).problems;

describe('value validation', () => {
  it("matches a value to its definition by name, and assigns the definition's identifier", () => {
    const { problems, accepted } = check([sent([{ data: 'x' }])], definition({ contentType: 'text' }));
    expect(problems).toEqual([]);
    expect(accepted).toEqual([{ uuid: UUID, name: 'data_field', contentType: 'text', content: [{ data: 'x' }] }]);
  });

  it('rejects an attribute without a definition', () => {
    expect(check([sent([{ data: 'x' }], 'other')], definition()).problems).toEqual(['Attribute other is unknown.']);
  });

  it('finds the members of groups among previously stored definitions', () => {
    const outcome = checkValues(
      [sent([{ data: 'x' }])],
      { current: [], earlier: [definition({ required: true })] },
      createPatternBudget(),
    );
    expect(outcome.problems).toEqual([]);
    expect(outcome.accepted).toHaveLength(1);
  });

  it('enforces required attributes only if they are in the current definitions', () => {
    expect(check([], definition({ required: true })).problems).toEqual(['Attribute Field (data_field) is required.']);
    const earlier = [definition({ required: true })];
    expect(checkValues([], { current: [], earlier }, createPatternBudget()).problems).toEqual([]);
  });

  it('rejects a required attribute without content', () => {
    expect(check([sent([])], definition({ required: true })).problems).toEqual([
      'Attribute Field (data_field) is required.',
    ]);
  });

  it('rejects values with a different content type, and reports that the form may be out of date', () => {
    expect(check([sent([{ data: 5 }], 'data_field', 'integer')], definition()).problems).toEqual([
      'Attribute Field (data_field) accepts values of the content type string, not integer; its definition may have changed since the form was loaded, so reload it.',
    ]);
  });

  it('accepts only one value unless multiple choices are allowed', () => {
    const several = [sent([{ data: 'a' }, { data: 'b' }])];
    expect(check(several, definition()).problems).toEqual([
      'Attribute Field (data_field) accepts one value; 2 were sent.',
    ]);
    expect(check(several, definition({ list: true, multiSelect: true })).problems).toEqual([]);
  });

  it('accepts only listed choices, if there are any that can be compared', () => {
    const list = { list: true, content: [{ data: 'a', reference: 'A' }] };
    expect(problemsOf('a', list)).toEqual([]);
    expect(problemsOf('b', list)).toEqual(['Attribute Field (data_field) accepts only values from its choices.']);
    expect(problemsOf('b', { ...list, list: false })).toEqual([]);
    expect(problemsOf('b', { list: true })).toEqual([]);
    const named = {
      contentType: 'credential' as const,
      list: true,
      content: [{ data: { uuid: 'x', name: 'old name' } }],
    };
    expect(problemsOf({ uuid: 'x', name: 'new name' }, named)).toEqual([]);
  });

  it('rejects a duplicate attribute', () => {
    expect(check([sent([{ data: 'x' }]), sent([{ data: 'y' }])], definition()).problems).toEqual([
      'Attribute data_field was sent twice.',
    ]);
  });

  it('accepts a read-only attribute only with the content from its definition', () => {
    const readOnly = { readOnly: true, content: [{ reference: 'r', data: 'fixed' }] };
    expect(check([sent([{ data: 'fixed', reference: 'r' }])], definition(readOnly)).problems).toEqual([]);
    expect(check([sent([{ data: 'other', reference: 'r' }])], definition(readOnly)).problems).toHaveLength(1);
    expect(
      check([sent([{ data: 'fixed', reference: 'r' }, { data: 'more' }])], definition(readOnly)).problems,
    ).toHaveLength(1);
  });

  const good: [AttributeContentType, unknown][] = [
    ['string', ''],
    ['text', 'a\nb'],
    ['integer', -3],
    ['float', 1.5],
    ['boolean', false],
    ['date', '2024-02-29'],
    ['time', '23:59:59'],
    ['datetime', '2024-02-29T10:20:30.123+02:00'],
    ['datetime', '2024-02-29T10:20Z'],
    ['secret', { secret: 's' }],
    ['file', { content: 'AQID', fileName: 'a.bin', mimeType: 'application/octet-stream' }],
    ['file', { content: 'AQID', fileName: '', mimeType: '' }],
    ['credential', { uuid: UUID, name: 'c' }],
    ['codeblock', { language: 'json', code: 'e30=' }],
    ['object', { anything: [1, { deep: true }] }],
  ];
  it.each(good)('accepts %s %j', (contentType, data) => {
    expect(problemsOf(data, { contentType })).toEqual([]);
  });

  const bad: [AttributeContentType, unknown][] = [
    ['string', 5],
    ['string', null],
    ['string', undefined],
    ['string', 'a\0b'],
    ['text', '\ud800'],
    ['integer', 1.5],
    ['integer', 'five'],
    ['integer', '5.5'],
    ['float', Number.POSITIVE_INFINITY],
    ['boolean', 'yes'],
    ['date', '2023-02-29'],
    ['date', '2024-2-9'],
    ['time', '24:00:00'],
    ['datetime', '2024-02-29T10:20:30'],
    ['datetime', '2023-02-29T10:20:30Z'],
    ['secret', {}],
    ['secret', { secret: '' }],
    ['file', { content: '<>', fileName: 'a', mimeType: 'b' }],
    ['file', { fileName: 'a', mimeType: 'b' }],
    // Added by a newer connector.
    ['resource' as AttributeContentType, { uuid: UUID }],
    ['credential', { name: 'c' }],
    ['codeblock', { language: 'klingon', code: 'e30=' }],
    ['object', { text: '\0' }],
    ['object', nested(100)],
  ];
  it.each(bad)('rejects %s %j', (contentType, data) => {
    expect(problemsOf(data, { contentType })).toHaveLength(1);
  });

  it.each<[AttributeContentType, string, unknown]>([
    ['integer', ' 90 ', 90],
    ['float', '1e3', 1_000],
    ['boolean', 'True', true],
    ['secret', 'open sesame', { secret: 'open sesame' }],
  ])('converts %s values that clients send as text: %j', (contentType, text, data) => {
    for (const type of [contentType, 'string'] as const) {
      const outcome = check([sent([{ data: text }], 'data_field', type)], definition({ contentType }));
      expect(outcome).toMatchObject({ problems: [], accepted: [{ contentType, content: [{ data }] }] });
    }
  });
});

function nested(depth: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < depth; level += 1) value = { value };
  return value;
}

describe('constraint validation', () => {
  const pattern = (data: string, errorMessage?: string): BaseAttributeConstraintDto => ({
    type: 'regExp',
    data,
    errorMessage,
  });

  it('matches a pattern against the whole value', () => {
    expect(problemsOf('abc', { constraints: [pattern('[a-c]+')] })).toEqual([]);
    expect(problemsOf('abcd', { constraints: [pattern('[a-c]+')] })).toEqual([
      'Attribute Field (data_field) does not match the required pattern.',
    ]);
    expect(problemsOf('xab', { constraints: [pattern('ab')] })).toHaveLength(1);
    expect(problemsOf('bx', { constraints: [pattern('a|b')] })).toHaveLength(1);
  });

  it('shows the error message of the constraint', () => {
    const problems = problemsOf('CZE', { constraints: [pattern('[A-Z]{2}', 'Two capital letters.')] });
    expect(problems).toEqual(['Attribute Field (data_field) is rejected: Two capital letters.']);
  });

  it('checks each item in a list', () => {
    const { problems } = check(
      [sent([{ data: 'a' }, { data: 'b' }, { data: 'c' }])],
      definition({ constraints: [pattern('a|c')] }),
    );
    expect(problems).toHaveLength(1);
  });

  it('is not slowed by patterns that cause exponential backtracking', () => {
    const start = performance.now();
    expect(problemsOf(`${'a'.repeat(40)}!`, { constraints: [pattern('(a+)+')] })).toHaveLength(1);
    expect(problemsOf(`${'a'.repeat(5_000)}!`, { constraints: [pattern('(a|a?)+(a*)*')] })).toHaveLength(1);
    expect(performance.now() - start).toBeLessThan(500);
  });

  it('enforces lookaround, and never skips an unsupported pattern', () => {
    const constraints = [pattern('^(?=.{4,253}$)[a-z.]+$')];
    expect(problemsOf('host.example', { constraints })).toEqual([]);
    expect(problemsOf('abc', { constraints })).toEqual([
      expect.stringContaining('does not match the required pattern'),
    ]);
    expect(problemsOf('anything', { constraints: [pattern('(a)\\1')] })).toEqual([
      expect.stringContaining('has a pattern that is not supported'),
    ]);
  });

  it('rejects values after the request has used up its step budget for patterns, regardless of elapsed time', () => {
    const text = `${'a'.repeat(5_000)}!`;
    const items = Array.from({ length: 200 }, () => ({ data: text }));
    const { problems } = checkValues(
      [sent(items)],
      {
        current: [definition({ multiSelect: true, constraints: [pattern('(a|a?)+(a*)*!')] })],
        earlier: [],
      },
      createPatternBudget(),
    );
    expect(problems).toEqual([
      'Attribute Field (data_field) cannot be checked: it is too long, or its pattern is too complex.',
    ]);
  });

  it('rejects a constraint that does not apply to the content type', () => {
    expect(problemsOf(5, { contentType: 'integer', constraints: [pattern('5')] })).toEqual([
      'Attribute Field (data_field) has a regExp constraint, which does not apply to content type integer.',
    ]);
  });

  it('limits numbers to an inclusive range', () => {
    const constraints: BaseAttributeConstraintDto[] = [{ type: 'range', data: { from: 1, to: 10 } }];
    for (const value of [1, 10]) expect(problemsOf(value, { contentType: 'integer', constraints })).toEqual([]);
    for (const value of [0, 11]) expect(problemsOf(value, { contentType: 'integer', constraints })).toHaveLength(1);
    expect(problemsOf(10.01, { contentType: 'float', constraints })).toHaveLength(1);
  });

  it('limits times to bounds that are in UTC', () => {
    const constraints: BaseAttributeConstraintDto[] = [
      { type: 'dateTime', data: { from: '2024-01-01T00:00:00', to: '2024-12-31T23:59:59' } },
    ];
    expect(problemsOf('2024-01-01T01:00:00+01:00', { contentType: 'datetime', constraints })).toEqual([]);
    expect(problemsOf('2024-01-01T00:59:00+01:00', { contentType: 'datetime', constraints })).toHaveLength(1);
    expect(problemsOf('2025-01-01T00:00:00Z', { contentType: 'datetime', constraints })).toHaveLength(1);
  });
});
