import { describe, expect, it } from 'vitest';
import type { FilterConditionOperator, FilterFieldSource } from '@signetry/contract';
import { isAppError } from '../errors.ts';
import { propertyField, type FilterField } from './field.ts';
import { MAX_FILTERS, readFilters, readSearch } from './read-filters.ts';

const now = new Date('2026-01-31T12:30:00.000Z');

const fields = new Map(
  [
    propertyField('certificates', 'COMMON_NAME'),
    propertyField('certificates', 'NOT_AFTER'),
    propertyField('certificates', 'ARCHIVED'),
    propertyField('certificates', 'KEY_SIZE', { valueType: 'number' }),
    propertyField('certificates', 'GROUP_NAME', { many: true }),
    propertyField('keys', 'CKI_LENGTH'),
  ].map((field) => [field.identifier, field]),
);
const day: FilterField = {
  ...fields.get('NOT_AFTER')!,
  source: 'custom',
  identifier: 'day|DATE',
  type: 'date',
  valueType: 'date',
}; // Declared above.
const moment: FilterField = { ...day, identifier: 'moment|DATETIME', type: 'datetime', valueType: 'datetime' };

const lookup = (source: FilterFieldSource, identifier: string) =>
  source === 'property' ? fields.get(identifier) : [day, moment].find((field) => field.identifier === identifier);

const read = (identifier: string, condition: FilterConditionOperator, value?: unknown) =>
  readFilters(
    [{ fieldSource: identifier.includes('|') ? 'custom' : 'property', fieldIdentifier: identifier, condition, value }],
    { lookup, now },
  )[0];

const complaint = (identifier: string, condition: FilterConditionOperator, value?: unknown): string => {
  try {
    read(identifier, condition, value);
  } catch (error) {
    if (isAppError(error, 'invalid_fields')) return error.message;
    throw error;
  }
  throw new Error('nothing was rejected');
};

describe('request filters', () => {
  it("become conditions with values of the field's type", () => {
    expect(read('COMMON_NAME', 'NOT_CONTAINS', 'a%b')).toMatchObject({
      kind: 'text',
      place: 'anywhere',
      negated: true,
      texts: ['a%b'],
    });
    expect(read('KEY_SIZE', 'LESSER', 2048)).toMatchObject({ kind: 'compare', comparison: '<', value: 2048 });
    expect(read('KEY_SIZE', 'EQUALS', ['2048', 4096])).toMatchObject({
      kind: 'equals',
      negated: false,
      values: [2048, 4096],
    });
    expect(read('ARCHIVED', 'NOT_EQUALS', 'true')).toMatchObject({ kind: 'equals', negated: true, values: [true] });
    expect(read('GROUP_NAME', 'COUNT_GREATER_THAN', '2')).toMatchObject({ kind: 'count', comparison: '>', count: 2 });
    expect(read('CKI_LENGTH', 'LESSER', '1.5')).toMatchObject({ kind: 'compare', comparison: '<', value: 1.5 });
    expect(read('COMMON_NAME', 'EMPTY')).toMatchObject({ kind: 'empty', negated: false });
  });

  it('take the time zone offset into account instead of ignoring it', () => {
    expect(read('NOT_AFTER', 'GREATER', '2026-03-01T00:30+01:00')).toMatchObject({
      value: new Date('2026-02-28T23:30:00Z'),
    });
    expect(read('NOT_AFTER', 'GREATER', '2026-03-01T00:30:15.5Z')).toMatchObject({
      value: new Date('2026-03-01T00:30:15.500Z'),
    });
  });

  it('require a time zone offset for properties, while attribute values without one are in UTC', () => {
    expect(complaint('NOT_AFTER', 'GREATER', '2026-03-01T00:30:00')).toContain('with an offset');
    expect(read('moment|DATETIME', 'GREATER', '2026-03-01T00:30')).toMatchObject({
      value: new Date('2026-03-01T00:30:00Z'),
    });
  });

  it('reject dates that do not exist', () => {
    for (const value of ['2026-02-30T00:00Z', '2026-13-01T00:00Z', '2026-01-01T24:00Z', '2026-01-01 00:00Z', '', 5])
      expect(complaint('NOT_AFTER', 'EQUALS', value)).toContain('NOT_AFTER: the value must be a date and time');
    for (const value of ['2026-02-29', '2026-1-1', '0000-01-01'])
      expect(complaint('day|DATE', 'EQUALS', value)).toContain('day|DATE: the value must be a date');
    expect(read('day|DATE', 'EQUALS', '2028-02-29')).toMatchObject({ values: ['2028-02-29'] });
  });

  it('count calendar months from the current date, without spilling into the following month', () => {
    expect(read('NOT_AFTER', 'IN_NEXT', 'P1M')).toMatchObject({ from: now, to: new Date('2026-02-28T12:30:00Z') });
    expect(read('NOT_AFTER', 'IN_PAST', 'P1Y2M3DT4H5M6S')).toMatchObject({
      from: new Date('2024-11-27T08:24:54Z'),
      to: now,
    });
    expect(read('day|DATE', 'IN_NEXT', 'P1DT23H')).toMatchObject({ from: '2026-01-31', to: '2026-02-01' });
  });

  it('reject durations that are empty, negative, or beyond the supported calendar range', () => {
    for (const value of ['P', 'PT', 'P1DT', '-P1D', 'P-1D', '1D', 'P1.5D', 30])
      expect(complaint('NOT_AFTER', 'IN_NEXT', value)).toContain('must be a duration');
    expect(complaint('NOT_AFTER', 'IN_NEXT', 'P9000Y')).toContain('results in a date outside the supported range');
  });

  it('reject an unknown field and name it, even if its name is that of a built-in object member', () => {
    for (const name of ['NO_SUCH_FIELD', '__proto__', 'constructor', 'common_name; DROP TABLE x'])
      expect(complaint(name, 'EQUALS', 'x')).toContain(`${name}: no such property field`);
  });

  it('reject an operator that the field does not support', () => {
    expect(complaint('ARCHIVED', 'CONTAINS', 'x')).toContain(
      'ARCHIVED: CONTAINS is not supported for this field; use EQUALS',
    );
    expect(complaint('COMMON_NAME', 'COUNT_EQUAL', 1)).toContain('COUNT_EQUAL is not supported for this field');
  });

  it('reject values of the wrong type, and the error names the field', () => {
    expect(complaint('COMMON_NAME', 'EQUALS')).toBe('COMMON_NAME: the value is missing');
    expect(complaint('COMMON_NAME', 'EQUALS', [])).toBe('COMMON_NAME: the value is missing');
    expect(complaint('COMMON_NAME', 'EQUALS', { a: 1 })).toContain('must be a string');
    expect(complaint('COMMON_NAME', 'CONTAINS', 'a\0b')).toContain('contains a NUL character or an unpaired surrogate');
    expect(complaint('COMMON_NAME', 'CONTAINS', 'x'.repeat(2001))).toContain('longer than 2000 characters');
    expect(complaint('KEY_SIZE', 'EQUALS', 'big')).toContain('must be a number');
    expect(complaint('KEY_SIZE', 'LESSER', 'big')).toContain('must be a number');
    expect(complaint('KEY_SIZE', 'EQUALS', 'Infinity')).toContain('must be a number');
    expect(complaint('ARCHIVED', 'EQUALS', 'yes')).toContain('true or false');
    expect(complaint('GROUP_NAME', 'COUNT_EQUAL', -1)).toContain('must be a non-negative integer');
    expect(complaint('CKI_LENGTH', 'GREATER', [1, 2])).toContain('must be a single value');
  });

  it('reject regular expressions that different engines interpret differently', () => {
    for (const pattern of [String.raw`\Qa\E`, String.raw`a\\\G`, '***=a'])
      expect(complaint('COMMON_NAME', 'MATCHES', pattern)).toContain('must not');
    expect(read('COMMON_NAME', 'MATCHES', String.raw`a\\Q`)).toMatchObject({
      kind: 'matches',
      pattern: String.raw`a\\Q`,
    });
  });

  it('are rejected with all of their problems in one error', () => {
    const filters = ['X', 'Y'].map((fieldIdentifier) => ({
      fieldSource: 'property' as const,
      fieldIdentifier,
      condition: 'EMPTY' as const,
    }));
    expect(() => readFilters(filters, { lookup, now })).toThrow(/X: no such property field.*Y: no such property field/);
    const many = Array.from({ length: MAX_FILTERS + 1 }, () => ({
      fieldSource: 'property' as const,
      fieldIdentifier: 'COMMON_NAME',
      condition: 'EMPTY' as const,
    }));
    expect(() => readFilters(many, { lookup, now })).toThrow(/more than 100/);
  });
});

describe('a list request', () => {
  it('is rejected for a page that does not exist or is too large', () => {
    const page = (itemsPerPage: number, pageNumber: number) => () =>
      readSearch({ itemsPerPage, pageNumber }, { lookup, now });
    expect(page(1000, 1)()).toEqual({ page: { itemsPerPage: 1000, pageNumber: 1 }, conditions: [] });
    expect(page(1001, 1)).toThrow(/itemsPerPage: must be between 1 and 1000/);
    expect(page(0, 1)).toThrow(/itemsPerPage/);
    expect(page(10, 0)).toThrow(/pageNumber: must be 1 or greater/);
  });
});
