import type { BaseAttributeDto, DataAttribute } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { toBase64, describeItem } from './attribute-content.ts';
import { limitsOf, assignProblems, problemOf } from './attribute-problems.ts';
import {
  entryOf,
  isSameState,
  requestOf,
  sectionsOf,
  startState,
  waitsForOthers,
  type Entry,
  type FieldState,
  type PresentValues,
} from './attribute-values.ts';
import { addEntry, isFixedPosition, moveEntry, removeEntry } from './attribute-values.ts';

type Facts = Partial<Omit<DataAttribute, 'properties'>> & { properties?: Partial<DataAttribute['properties']> };

const field = ({ properties, ...facts }: Facts = {}): DataAttribute => ({
  version: 2,
  uuid: 'u',
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
const text = (value: string): FieldState => ({ control: 'text', text: value });
const present = (definition: DataAttribute, ...data: unknown[]): PresentValues => [
  { name: definition.name, contentType: definition.contentType, content: data.map((each) => ({ data: each })) },
];

/** Value sent for one field in a state. */
function sent(definition: DataAttribute, state?: FieldState, values?: PresentValues): unknown {
  const [attribute] = requestOf({
    definitions: [definition],
    present: values,
    stateOf: (each) => state ?? startState(each, values),
  });
  return attribute?.content;
}

describe('a field of a new object', () => {
  it.each([
    ['string', 'abc', text('abc')],
    ['integer', 90, text('90')],
    ['boolean', false, { control: 'boolean', value: false }],
    ['date', '2026-01-02', text('2026-01-02')],
    ['object', { a: 1 }, text('{\n  "a": 1\n}')],
  ] as const)('of type %s has its default as the initial value', (contentType, data, state) => {
    const definition = field({ contentType, content: [{ data }] });
    expect(startState(definition, undefined)).toEqual(state);
    expect(sent(definition)).toEqual([{ data }]);
  });

  it('with choices is initially empty, or contains the only choice if a value is required', () => {
    const list = { list: true };
    expect(sent(field({ content: [{ data: 'a' }], properties: list }))).toBeUndefined();
    expect(sent(field({ content: [{ data: 'a' }], properties: { ...list, required: true } }))).toEqual([{ data: 'a' }]);
  });

  it('is not sent if it is empty', () => {
    expect(sent(field(), text('  '))).toBeUndefined();
    expect(sent(field({ contentType: 'boolean' }))).toBeUndefined();
    expect(sent(field({ contentType: 'secret' }))).toBeUndefined();
  });

  it('for a required boolean is sent as false until the user selects a value', () => {
    expect(sent(field({ contentType: 'boolean', properties: { required: true } }))).toEqual([{ data: false }]);
  });
});

describe('a field of an existing object', () => {
  it('shows the stored value, not the default', () => {
    const definition = field({ contentType: 'integer', content: [{ data: 90 }] });
    expect(startState(definition, present(definition, 30))).toEqual(text('30'));
    expect(startState(definition, [])).toEqual(text(''));
  });

  it('is sent as empty if its value was removed', () => {
    const definition = field();
    expect(sent(definition, text(''), present(definition, 'x'))).toEqual([]);
  });

  it('keeps a stored secret unless the user replaces it', () => {
    const definition = field({ contentType: 'secret' });
    const kept = { reference: 'r', data: { protectionLevel: 'encrypted' } };
    const values: PresentValues = [{ name: definition.name, contentType: 'secret', content: [kept] }];
    expect(startState(definition, values)).toEqual({ control: 'secret', text: '', kept });
    expect(
      problemOf(
        { ...definition, properties: { ...definition.properties, required: true } },
        startState(definition, values),
      ),
    ).toBeUndefined();
    expect(sent(definition, undefined, values)).toEqual([kept]);
    expect(sent(definition, { control: 'secret', text: 's3cret', kept }, values)).toEqual([
      { data: { secret: 's3cret' } },
    ]);
    expect(sent(definition, { control: 'secret', text: '', kept: undefined }, values)).toEqual([]);
  });

  it('sends the values of fixed and hidden fields, which the user cannot change', () => {
    const fixed = field({ content: [{ data: 'as is' }], properties: { readOnly: true } });
    expect(sent(fixed, undefined, present(fixed, 'older'))).toEqual([{ data: 'as is' }]);
    const hidden = field({ content: [{ data: 'default' }], properties: { visible: false } });
    expect(sent(hidden, undefined, present(hidden, 'stored'))).toEqual([{ data: 'stored' }]);
    expect(sent(hidden)).toEqual([{ data: 'default' }]);
  });

  it("keeps a choice that is no longer offered, and the values of a group's fields", () => {
    const list = field({ content: [{ data: 'a' }], properties: { list: true, multiSelect: true } });
    expect(sent(list, undefined, present(list, 'gone', 'a'))).toEqual([{ data: 'gone' }, { data: 'a' }]);
    const group: BaseAttributeDto = { version: 2, uuid: 'g', name: 'group', type: 'group' };
    const child = { uuid: 'c', name: 'child', contentType: 'string' as const, content: [{ data: 'x' }] };
    const request = (definitions: BaseAttributeDto[]) =>
      requestOf({ definitions, present: [child], stateOf: (each) => startState(each, [child]) });
    expect(request([group])).toEqual([child]);
    expect(request([list])).toEqual([]);
  });
});

describe('a list without choices', () => {
  const several = (facts: Facts = {}) => field({ properties: { list: true, multiSelect: true }, ...facts });
  const entered = (...texts: string[]): FieldState => ({
    control: 'many',
    entries: texts.map((each, place) => ({ key: String(place), item: undefined, state: text(each) })),
  });

  it('accepts the entered values in order, and skips empty ones', () => {
    expect(sent(several(), entered('b', ' ', 'a'))).toEqual([{ data: 'b' }, { data: 'a' }]);
  });

  it('is a single field if it can hold only one value', () => {
    expect(startState(field({ properties: { list: true } }), undefined)).toEqual(text(''));
  });

  it('returns unchanged values with their reference', () => {
    const items = [{ reference: 'First', data: '2026-03-01T10:20:30.123Z' }, { data: '2026-03-02T10:20:30.000Z' }];
    const definition = several({ contentType: 'datetime' });
    const values: PresentValues = [{ name: definition.name, contentType: 'datetime', content: items }];
    expect(sent(definition, undefined, values)).toEqual(items);
  });

  it('keeps stored secrets in position', () => {
    const definition = several({ contentType: 'secret' });
    const state = startState(definition, present(definition, {}, {}));
    if (state.control !== 'many') expect.unreachable('must be a list');
    const entries = addEntry(state.entries, entryOf(definition, { key: '9' }));
    expect(entries.map((_, place) => isFixedPosition(entries, place))).toEqual([true, true, false]);
  });

  it('reports an invalid or missing value', () => {
    expect(problemOf(several({ contentType: 'integer' }), entered('1', 'x'))).toBe('Enter a whole number.');
    const required = several({ properties: { list: true, multiSelect: true, required: true } });
    expect(problemOf(required, entered(''))).toBe('Add a value.');
  });

  it('can be reordered', () => {
    const { entries } = entered('a', 'b', 'c') as Extract<FieldState, { control: 'many' }>; // Built by `entered`.
    const keys = (of: readonly Entry[]) => of.map(({ key }) => key).join('');
    expect(keys(moveEntry(entries, 2, -1))).toBe('021');
    expect(keys(moveEntry(entries, 0, -1))).toBe('012');
    expect(keys(moveEntry(entries, 2, 1))).toBe('012');
    expect(keys(removeEntry(entries, 1))).toBe('02');
  });
});

describe('typed text', () => {
  it.each([
    ['integer', ' 12 ', 12],
    ['float', '1,5', 1.5],
    ['time', '08:30', '08:30:00'],
    ['datetime', '2026-03-01T10:20:30', new Date(2026, 2, 1, 10, 20, 30).toISOString()],
    ['object', '{"a": [1]}', { a: [1] }],
    ['string', ' as typed ', ' as typed '],
  ] as const)('for type %s is sent in the format of that type', (contentType, typed, data) => {
    expect(sent(field({ contentType }), text(typed))).toEqual([{ data }]);
  });

  it('round-trips for local times and code', () => {
    const instant = field({ contentType: 'datetime', content: [{ data: '2026-03-01T10:20:30.000Z' }] });
    expect(sent(instant)).toEqual([{ data: '2026-03-01T10:20:30.000Z' }]);
    const code = { language: 'yaml', code: toBase64('größe: 1\n') };
    expect(sent(field({ contentType: 'codeblock', content: [{ data: code }] }))).toEqual([{ data: code }]);
  });

  it.each([
    ['integer', '1.5', 'Enter a whole number.'],
    ['integer', '99999999999', 'Enter a whole number.'],
    ['float', 'many', 'Enter a number.'],
    ['date', '2026-1-1', 'Enter a date.'],
    ['datetime', 'soon', 'Enter a date and time.'],
    ['object', '{', 'Enter valid JSON.'],
  ] as const)('for type %s is rejected immediately if it is "%s"', (contentType, typed, problem) => {
    expect(problemOf(field({ contentType }), text(typed))).toBe(problem);
  });
});

describe('constraints', () => {
  it('apply to the whole text, with their own error messages', () => {
    const constraints = [{ type: 'regExp', data: '[a-z]+', errorMessage: 'small letters only' }] as const;
    const definition = field({ constraints: [...constraints] });
    expect(problemOf(definition, text('abc'))).toBeUndefined();
    expect(problemOf(definition, text('abC'))).toBe('Small letters only.');
    expect(problemOf(field({ constraints: [{ type: 'regExp', data: 'a+' }] }), text('b'))).toBe('It must match a+');
  });

  it('leave an unsupported pattern to the connector, and evaluate a hostile pattern quickly', () => {
    expect(problemOf(field({ constraints: [{ type: 'regExp', data: '(a)\\1' }] }), text('b'))).toBeUndefined();
    const started = performance.now();
    const hostile = field({ constraints: [{ type: 'regExp', data: '(a+)+b' }] });
    expect(problemOf(hostile, text('a'.repeat(2_000)))).toBeDefined();
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it.each([
    [{ from: 1, to: 50 }, '51', 'It must be between 1 and 50.', '1 to 50.'],
    [{ from: 1 }, '0', 'It must be at least 1.', 'At least 1.'],
    [{ to: 5 }, '6', 'It must be at most 5.', 'At most 5.'],
  ])('limit numbers to %j', (data, typed, problem, limits) => {
    const definition = field({ contentType: 'integer', constraints: [{ type: 'range', data }] });
    expect(problemOf(definition, text(typed))).toBe(problem);
    expect(limitsOf(definition)).toBe(limits);
  });

  it('limit times', () => {
    const constraints = [{ type: 'dateTime', data: { from: '2026-01-01T00:00:00Z' } }] as const;
    const definition = field({ contentType: 'datetime', constraints: [...constraints] });
    expect(problemOf(definition, text('2020-01-01T00:00:00'))).toMatch(/^It must be no earlier than /);
    expect(problemOf(definition, text('2027-01-01T00:00:00'))).toBeUndefined();
  });

  it('are shown before the user enters a value, but a pattern is shown only if it has a description', () => {
    const [pattern, words] = [{ type: 'regExp', data: 'a+' } as const, 'letters a'];
    expect(limitsOf(field({ constraints: [pattern] }))).toBeUndefined();
    expect(limitsOf(field({ constraints: [{ ...pattern, description: words }] }))).toBe('Letters a.');
    const constraints = [{ type: 'dateTime', data: { from: '2026-01-01T00:00:00Z' } }] as const;
    expect(limitsOf(field({ contentType: 'datetime', constraints: [...constraints] }))).toMatch(
      /^No earlier than .+\.$/,
    );
  });

  it('require a value for required fields, unless the console cannot fetch the choices', () => {
    const required = { required: true, list: true };
    expect(problemOf(field({ properties: { required: true } }), text(' '))).toBe('A value is required.');
    const chosen: FieldState = { control: 'choice', chosen: [] };
    expect(problemOf(field({ content: [{ data: 'a' }], properties: required }), chosen)).toBe('Choose one.');
    const waiting = field({
      properties: required,
      attributeCallback: { callbackContext: '/x', callbackMethod: 'GET', mappings: [] },
    });
    expect(waitsForOthers(waiting)).toBe(true);
    expect(problemOf(waiting, chosen)).toBeUndefined();
  });
});

describe('sections', () => {
  it('are in the order of their first field, without hidden fields', () => {
    const named = (name: string, group?: string, visible = true): DataAttribute =>
      field({ name, properties: { label: name, visible, ...(group === undefined ? {} : { group }) } });
    const sections = sectionsOf([
      named('a'),
      named('b', 'B'),
      named('hidden', 'C', false),
      named('c'),
      named('d', 'B'),
    ]);
    expect(sections.map(({ title, definitions }) => [title, definitions.map(({ name }) => name)])).toEqual([
      [undefined, ['a', 'c']],
      ['B', ['b', 'd']],
    ]);
  });
});

describe('errors from the platform', () => {
  const fields = [
    { name: 'data_subject', label: 'Subject' },
    { name: 'data_validityDays', label: 'Validity (days)' },
  ];
  it.each([
    ['Attribute Validity (days) (data_validityDays) must be 1 or more.', 'data_validityDays', 'It must be 1 or more.'],
    ['"Validity (days)" (data_validityDays) must be at most 5.', 'data_validityDays', 'It must be at most 5.'],
    ['"Subject" (data_subject): not a name', 'data_subject', 'Not a name.'],
    ['"Subject" (data_subject) accepts only one value.', 'data_subject', 'It accepts only one value.'],
    ['data_subject: The name is not well-formed.', 'data_subject', 'The name is not well-formed.'],
    ['Attribute "data_subject" cannot be changed after the CA has been created.', 'data_subject', 'It cannot be changed after the CA has been created.'],
    ['A file (data_subject) can only be specified for an import.', 'data_subject', 'A file can only be specified for an import.'],
  ])('are shown next to the field that they name: %s', (problem, name, words) => {
    expect(assignProblems([problem], fields)).toEqual({ fields: new Map([[name, words]]), rest: [] });
  }); // prettier-ignore

  it('are shown above the buttons if they name no field', () => {
    expect(assignProblems(['The key is weak.'], fields)).toEqual({ fields: new Map(), rest: ['The key is weak.'] });
  });
});

describe('attribute values', () => {
  it.each([
    ['boolean', { data: true }, 'Yes'],
    ['string', { reference: 'ECDSA P-256', data: 'P-256' }, 'ECDSA P-256'],
    ['secret', { data: { secret: 'never shown' } }, 'Stored, not shown'],
    ['file', { data: { content: 'AA==', fileName: 'ca.p12', mimeType: 'm' } }, 'ca.p12, 1 byte'],
    ['codeblock', { data: { language: 'yaml', code: toBase64('a: ß') } }, 'a: ß'],
    ['object', { data: { b: 1, a: 2 } }, '{"a":2,"b":1}'],
  ] as const)('are displayed for type %s', (contentType, item, words) => {
    expect(describeItem(contentType, item)).toBe(words);
  });

  it('are compared regardless of member order', () => {
    const chosen = (data: unknown): FieldState => ({ control: 'choice', chosen: [{ data }] });
    expect(isSameState(chosen({ a: 1, b: 2 }), chosen({ b: 2, a: 1 }))).toBe(true);
  });
});
