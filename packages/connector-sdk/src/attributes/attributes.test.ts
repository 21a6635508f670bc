import { describe, expect, it } from 'vitest';
import { ConnectorError } from '../connector-error.ts';
import { dataAttribute, inRange, inTimeRange, infoAttribute, matching } from './define-attributes.ts';
import {
  readBoolean,
  readDateTime,
  readFile,
  readInteger,
  readSecret,
  readString,
  readStrings,
} from './read-attributes.ts';
import { validateAttributes } from './validate-attributes.ts';
import type { AttributeContentType, RequestAttributeDto } from '@signetry/contract';

let count = 0;
const uuid = (): string => `0193f0a2-0000-7000-8000-${String((count += 1)).padStart(12, '0')}`;
const requestAttribute = (
  name: string,
  contentType: AttributeContentType,
  ...data: unknown[]
): RequestAttributeDto => ({
  uuid: 'any',
  name,
  contentType,
  content: data.map((entry) => ({ data: entry })),
});

const definitions = [
  infoAttribute({ uuid: uuid(), name: 'info_form', label: 'About', text: 'Purpose of this form.' }),
  dataAttribute({
    uuid: uuid(),
    name: 'host',
    label: 'Host',
    contentType: 'string',
    required: true,
    constraints: [matching('[a-z.]+')],
  }),
  dataAttribute({
    uuid: uuid(),
    name: 'port',
    label: 'Port',
    contentType: 'integer',
    content: 443,
    constraints: [inRange({ from: 1, to: 65_535 })],
  }),
  dataAttribute({
    uuid: uuid(),
    name: 'modes',
    label: 'Modes',
    contentType: 'string',
    choices: ['fast', { reference: 'Careful', data: 'safe' }],
    multiSelect: true,
  }),
  dataAttribute({ uuid: uuid(), name: 'mode', label: 'Mode', contentType: 'string', choices: ['fast', 'safe'] }),
  dataAttribute({
    uuid: uuid(),
    name: 'fixed',
    label: 'Fixed',
    contentType: 'string',
    content: 'as is',
    readOnly: true,
  }),
  dataAttribute({ uuid: uuid(), name: 'password', label: 'Password', contentType: 'secret' }),
  dataAttribute({
    uuid: uuid(),
    name: 'since',
    label: 'Since',
    contentType: 'datetime',
    constraints: [inTimeRange({ from: '2020-01-01T00:00:00Z' })],
  }),
  dataAttribute({
    uuid: uuid(),
    name: 'shape',
    label: 'Shape',
    contentType: 'object',
    choices: [{ reference: 'One', data: { a: 1, b: 2 } }],
  }),
];
const host = requestAttribute('host', 'string', 'a.example');
const problems = (...values: RequestAttributeDto[]): string[] => validateAttributes(definitions, [host, ...values]);

describe('validateAttributes', () => {
  it('accepts valid values, regardless of member order', () => {
    expect(
      problems(
        requestAttribute('port', 'integer', 8443),
        requestAttribute('modes', 'string', 'safe', 'fast'),
        requestAttribute('shape', 'object', { b: 2, a: 1 }),
      ),
    ).toEqual([]);
  });

  it('treats blank values as absent', () => {
    expect(
      problems(
        requestAttribute('port', 'integer'),
        requestAttribute('mode', 'string', ' '),
        requestAttribute('password', 'secret', { secret: null }),
      ),
    ).toEqual([]);
    expect(validateAttributes(definitions, [requestAttribute('host', 'string', '')])).toEqual([
      '"Host" (host) is required.',
    ]);
  });

  it.each([
    ['a missing required value', [], '"Host" (host) is required.'],
    [
      'a different content type',
      [requestAttribute('host', 'text', 'a')],
      '"Host" (host) must have the content type string, not text.',
    ],
    ['a value of the wrong type', [requestAttribute('host', 'string', 5)], '"Host" (host) must be text.'],
    [
      'a value that the pattern does not match',
      [requestAttribute('host', 'string', 'A1')],
      '"Host" (host) must match [a-z.]+.',
    ],
    [
      'two values for a single-value attribute',
      [requestAttribute('host', 'string', 'a', 'b')],
      '"Host" (host) accepts only one value.',
    ],
  ])('rejects %s', (_, values, problem) => {
    expect(validateAttributes(definitions, values)).toContain(problem);
  });

  it.each([
    ['a number out of range', requestAttribute('port', 'integer', 0), '"Port" (port) must be at least 1.'],
    ['a fraction', requestAttribute('port', 'integer', 1.5), '"Port" (port) must be an integer.'],
    [
      'a value that is not offered',
      requestAttribute('modes', 'string', 'slow'),
      '"Modes" (modes) does not offer "slow"; choose from "fast", "safe".',
    ],
    [
      'two choices in a single-choice list',
      requestAttribute('mode', 'string', 'fast', 'safe'),
      '"Mode" (mode) accepts only one value.',
    ],
    [
      'a changed read-only value',
      requestAttribute('fixed', 'string', 'other'),
      '"Fixed" (fixed) is read-only and must not be changed.',
    ],
    [
      'a time before the minimum',
      requestAttribute('since', 'datetime', '2019-12-31T23:59:59Z'),
      '"Since" (since) must not be before 2020-01-01T00:00:00Z.',
    ],
    ['an unknown attribute', requestAttribute('strange', 'string', 'x'), 'Unknown attribute "strange".'],
    ['a duplicate attribute', host, 'Attribute "host" is specified more than once.'],
  ])('rejects %s', (_, value, problem) => {
    expect(problems(value)).toEqual([problem]);
  });

  it('returns all problems together', () => {
    expect(
      validateAttributes(definitions, [
        requestAttribute('port', 'integer', 0),
        requestAttribute('mode', 'string', 'x'),
      ]),
    ).toHaveLength(3);
  });

  it('stays fast for a pattern that causes catastrophic backtracking in other engines', () => {
    const hostile = dataAttribute({
      uuid: uuid(),
      name: 'h',
      label: 'H',
      contentType: 'string',
      constraints: [matching('(a+)+b')],
    });
    const started = performance.now();
    expect(validateAttributes([hostile], [requestAttribute('h', 'string', 'a'.repeat(5000))])).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(500);
  });

  it('relies on dataAttribute to reject patterns that it cannot enforce', () => {
    const facts = { uuid: uuid(), name: 'b', label: 'B', contentType: 'string' } as const;
    const define = () => dataAttribute({ ...facts, constraints: [matching('(?>a)')] });
    expect(define).toThrow(/attribute b has the pattern \(\?>a\), which cannot be enforced: .*atomic groups/);
  });
});

describe('dataAttribute', () => {
  const facts = { uuid: uuid(), name: 'x', label: 'X', contentType: 'string' as const };
  it.each([
    ['a malformed UUID', { ...facts, uuid: 'x' }],
    ['multiple choices without a list', { ...facts, multiSelect: true }],
    ['a read-only attribute without a value', { ...facts, readOnly: true }],
    ['a blank label', { ...facts, label: ' ' }],
  ])('rejects %s', (_, bad) => {
    expect(() => dataAttribute(bad)).toThrow('The definition of attribute x');
  });
});

describe('the readers', () => {
  const values = [
    requestAttribute('text', 'string', ' a '),
    requestAttribute('blank', 'string', '  '),
    requestAttribute('number', 'integer', 7),
    requestAttribute('flag', 'boolean', false),
    requestAttribute('secret', 'secret', { secret: 's3' }),
    requestAttribute('file', 'file', { content: 'AQID', fileName: 'f', mimeType: 'm' }),
    requestAttribute('instant', 'datetime', '2026-01-02T03:04:05.678+01:00'),
    requestAttribute('local', 'datetime', '2026-01-02T03:04'),
    requestAttribute('several', 'string', 'a', 'b'),
  ];
  it('return typed values, and undefined for absent ones', () => {
    expect(readString(values, 'text')).toBe('a');
    expect(readString(values, 'blank')).toBeUndefined();
    expect(readInteger(values, 'number')).toBe(7);
    expect(readInteger(values, 'absent')).toBeUndefined();
    expect(readBoolean(values, 'flag')).toBe(false);
    expect(readSecret(values, 'secret')).toBe('s3');
    expect(readFile(values, 'file')).toEqual({ bytes: Uint8Array.of(1, 2, 3), fileName: 'f', mimeType: 'm' });
    expect(readDateTime(values, 'instant')?.toISOString()).toBe('2026-01-02T02:04:05.678Z');
    expect(readDateTime(values, 'local')?.toISOString()).toBe('2026-01-02T03:04:00.000Z');
    expect(readStrings(values, 'several')).toEqual(['a', 'b']);
  });

  it('name the attribute in the error when they reject a value of the wrong type', () => {
    expect(() => readInteger(values, 'text')).toThrow(ConnectorError);
    expect(() => readDateTime(values, 'text')).toThrow('"text"');
  });
});
