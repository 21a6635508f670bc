import type { FilterConditionOperator } from '@signetry/contract';
import { conditionsByType } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import {
  draftsOf,
  editorOf,
  emptyDraft,
  filterOf,
  problemOfDraft,
  problemsByIndex,
  withCondition,
  withField,
  refreshFields,
} from './drafts.ts';
import { fieldGroups, nameOfField } from './filter-fields.ts';
import { readPeriod, describePeriod, writePeriod } from './period.ts';

const groups = fieldGroups([
  {
    filterFieldSource: 'custom',
    searchFieldData: [
      { fieldIdentifier: 'audit|TIME', fieldLabel: 'Hour of the Audit', type: 'date', conditions: ['EQUALS', 'IN_NEXT'], attributeContentType: 'time' },
    ],
  },
  {
    filterFieldSource: 'property',
    searchFieldData: [
      { fieldIdentifier: 'RA_PROFILE_NAME', fieldLabel: 'RA Profile', type: 'list', conditions: ['EQUALS', 'EMPTY', 'COUNT_EQUAL'], value: ['web'] },
      { fieldIdentifier: 'NOT_AFTER', fieldLabel: 'Expires At', type: 'datetime', conditions: [...conditionsByType.datetime] },
      { fieldIdentifier: 'COMMON_NAME', fieldLabel: 'Common Name', type: 'string', conditions: [...conditionsByType.string] },
    ],
  },
]); // prettier-ignore
const fields = groups.flatMap((group) => group.fields);
const [profile, end, name, hour] = fields as [
  (typeof fields)[0],
  (typeof fields)[0],
  (typeof fields)[0],
  (typeof fields)[0],
];

describe('filter fields', () => {
  it('are grouped by source, with names spelled as in the console', () => {
    expect(groups.map(({ group }) => group)).toEqual(['Properties', 'Custom attributes']);
    expect(fields.map((field) => field.name)).toEqual(['RA profile', 'Expires at', 'Common name', 'Hour of the Audit']);
    expect(nameOfField('certificates', { fieldSource: 'meta', fieldIdentifier: 'place|STRING' })).toBe('place');
    expect(nameOfField('certificates', { fieldSource: 'property', fieldIdentifier: 'NEW' })).toBe('NEW');
  });

  it.each<readonly [(typeof fields)[0], FilterConditionOperator, string]>([
    [profile, 'EQUALS', 'choices'],
    [profile, 'COUNT_EQUAL', 'count'],
    [profile, 'EMPTY', 'none'],
    [end, 'GREATER', 'datetime'],
    [end, 'IN_NEXT', 'period'],
    [name, 'CONTAINS', 'texts'],
    [name, 'NOT_MATCHES', 'pattern'],
    [hour, 'EQUALS', 'time'],
  ])('with %o %s use the editor %s', (field, condition, editor) => {
    expect(editorOf(field, condition)).toBe(editor);
  });
});

describe('an edited filter', () => {
  it('starts with the first condition of its field, and keeps a value that is still valid', () => {
    const draft = withField(emptyDraft(0), name);
    expect(draft).toMatchObject({ condition: 'CONTAINS', values: [] });
    const entered = { ...draft, values: ['shop', 'mail'] };
    expect(withCondition(entered, 'STARTS_WITH').values).toEqual(['shop', 'mail']);
    expect(withCondition(entered, 'MATCHES').values).toEqual([]);
    expect(withCondition(withField(entered, end), 'IN_NEXT').values).toEqual(['P30D']);
  });

  it('reports missing values', () => {
    expect(problemOfDraft(emptyDraft(0))).toBe('Choose a field.');
    expect(problemOfDraft(withField(emptyDraft(0), name))).toBe('Enter a value.');
    expect(problemOfDraft(withField(emptyDraft(0), profile))).toBe('Choose at least one value.');
    expect(problemOfDraft(withCondition(withField(emptyDraft(0), profile), 'EMPTY'))).toBeUndefined();
  });

  it('is read from a search and written back unchanged', () => {
    const filters = [
      { fieldSource: 'property', fieldIdentifier: 'RA_PROFILE_NAME', condition: 'EQUALS', value: ['web'] },
      { fieldSource: 'property', fieldIdentifier: 'RA_PROFILE_NAME', condition: 'EMPTY' },
      { fieldSource: 'property', fieldIdentifier: 'NOT_AFTER', condition: 'IN_NEXT', value: 'P1Y6M' },
      { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', condition: 'CONTAINS', value: ['a', 'b'] },
      { fieldSource: 'custom', fieldIdentifier: 'audit|TIME', condition: 'EQUALS', value: '10:00:00' },
    ] as const;
    const given = filters.map((filter) => ({
      ...filter,
      ...('value' in filter && Array.isArray(filter.value) ? { value: [...filter.value] } : {}),
    }));
    expect(draftsOf(given, fields).map(filterOf)).toEqual(given);
    const [gone] = draftsOf([{ fieldSource: 'meta', fieldIdentifier: 'x|STRING', condition: 'EMPTY' }], fields);
    expect(gone && problemOfDraft(gone)).toContain('This field no longer exists.');
  });

  it('shows the problems that the platform reports for that filter', () => {
    const { at, rest } = problemsByIndex([{ fieldIdentifier: 'KEY_SIZE' }, { fieldIdentifier: 'OWNER' }], [
      'KEY_SIZE: the value must be a number',
      'filters: must not contain more than 100 conditions',
    ]); // prettier-ignore
    expect([...at]).toEqual([[0, 'The value must be a number.']]);
    expect(rest).toEqual(['filters: must not contain more than 100 conditions']);
  });
});

it('periods are parsed and described in units', () => {
  for (const text of ['PT12H', 'P30D', 'P2W', 'P6M', 'P1Y']) expect(writePeriod(readPeriod(text)!)).toBe(text);
  expect(['P1D', 'PT12H', 'P1Y6M'].map(describePeriod)).toEqual(['1 day', '12 hours', 'P1Y6M']);
});

it('edited filters use updated fields when new values arrive', () => {
  const drafts = [withField(emptyDraft(0), profile), emptyDraft(1)];
  const arrived = { ...profile, value: ['web', 'mail'] };
  expect(refreshFields(drafts, [arrived, name])).toEqual([{ ...drafts[0], field: arrived }, emptyDraft(1)]);
  expect(refreshFields(drafts, [])).toEqual(drafts);
});
