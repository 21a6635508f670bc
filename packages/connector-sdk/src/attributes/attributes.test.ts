import { describe, expect, it } from 'vitest';
import { ConnectorError } from '../connector-error.ts';
import { dataAttribute, inRange, inTime, infoAttribute, matching } from './define-attributes.ts';
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
const given = (name: string, contentType: AttributeContentType, ...data: unknown[]): RequestAttributeDto => ({
  uuid: 'any',
  name,
  contentType,
  content: data.map((entry) => ({ data: entry })),
});

const definitions = [
  infoAttribute({ uuid: uuid(), name: 'info_form', label: 'About', text: 'What this form is for.' }),
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
    constraints: [inTime({ from: '2020-01-01T00:00:00Z' })],
  }),
  dataAttribute({
    uuid: uuid(),
    name: 'shape',
    label: 'Shape',
    contentType: 'object',
    choices: [{ reference: 'One', data: { a: 1, b: 2 } }],
  }),
];
const host = given('host', 'string', 'a.example');
const problems = (...values: RequestAttributeDto[]): string[] => validateAttributes(definitions, [host, ...values]);

describe('validateAttributes', () => {
  it('accepts good values, whatever the order of members', () => {
    expect(
      problems(
        given('port', 'integer', 8443),
        given('modes', 'string', 'safe', 'fast'),
        given('shape', 'object', { b: 2, a: 1 }),
      ),
    ).toEqual([]);
  });

  it('takes blank values of forms as absent', () => {
    expect(
      problems(given('port', 'integer'), given('mode', 'string', ' '), given('password', 'secret', { secret: null })),
    ).toEqual([]);
    expect(validateAttributes(definitions, [given('host', 'string', '')])).toEqual(['"Host" (host) is required.']);
  });

  it.each([
    ['a missing required value', [], '"Host" (host) is required.'],
    ['another content type', [given('host', 'text', 'a')], '"Host" (host) has the content type string, not text.'],
    ['a value of another form', [given('host', 'string', 5)], '"Host" (host) must be text.'],
    ['a value that the pattern does not match', [given('host', 'string', 'A1')], '"Host" (host) must match [a-z.]+.'],
    ['two values where one is taken', [given('host', 'string', 'a', 'b')], '"Host" (host) takes one value.'],
  ])('refuses %s', (_, values, problem) => {
    expect(validateAttributes(definitions, values)).toContain(problem);
  });

  it.each([
    ['a number out of range', given('port', 'integer', 0), '"Port" (port) must be at least 1.'],
    ['a fraction', given('port', 'integer', 1.5), '"Port" (port) must be an integer.'],
    [
      'a value beside the choices',
      given('modes', 'string', 'slow'),
      '"Modes" (modes) has no choice "slow"; choose from "fast", "safe".',
    ],
    ['two choices of a single list', given('mode', 'string', 'fast', 'safe'), '"Mode" (mode) takes one value.'],
    ['a changed fixed value', given('fixed', 'string', 'other'), '"Fixed" (fixed) must keep its value.'],
    [
      'an early time',
      given('since', 'datetime', '2019-12-31T23:59:59Z'),
      '"Since" (since) must not be before 2020-01-01T00:00:00Z.',
    ],
    ['an unknown attribute', given('strange', 'string', 'x'), 'Attribute "strange" is not known here.'],
    ['an attribute given twice', host, 'Attribute "host" is given more than once.'],
  ])('refuses %s', (_, value, problem) => {
    expect(problems(value)).toEqual([problem]);
  });

  it('answers all problems at once', () => {
    expect(validateAttributes(definitions, [given('port', 'integer', 0), given('mode', 'string', 'x')])).toHaveLength(
      3,
    );
  });

  it('answers quickly for a pattern that blocks a backtracking engine', () => {
    const hostile = dataAttribute({
      uuid: uuid(),
      name: 'h',
      label: 'H',
      contentType: 'string',
      constraints: [matching('(a+)+b')],
    });
    const started = performance.now();
    expect(validateAttributes([hostile], [given('h', 'string', 'a'.repeat(5000))])).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(500);
  });

  it('is not defined with a pattern that cannot be enforced', () => {
    const facts = { uuid: uuid(), name: 'b', label: 'B', contentType: 'string' } as const;
    const define = () => dataAttribute({ ...facts, constraints: [matching('(?>a)')] });
    expect(define).toThrow(/attribute b has the pattern \(\?>a\), which cannot be enforced: .*atomic groups/);
  });
});

describe('dataAttribute', () => {
  const facts = { uuid: uuid(), name: 'x', label: 'X', contentType: 'string' as const };
  it.each([
    ['an identifier that is none', { ...facts, uuid: 'x' }],
    ['several choices without a list', { ...facts, multiSelect: true }],
    ['a fixed value that is not stated', { ...facts, readOnly: true }],
    ['a blank label', { ...facts, label: ' ' }],
  ])('refuses %s', (_, bad) => {
    expect(() => dataAttribute(bad)).toThrow('The definition of attribute x');
  });
});

describe('the readers', () => {
  const values = [
    given('text', 'string', ' a '),
    given('blank', 'string', '  '),
    given('number', 'integer', 7),
    given('flag', 'boolean', false),
    given('secret', 'secret', { secret: 's3' }),
    given('file', 'file', { content: 'AQID', fileName: 'f', mimeType: 'm' }),
    given('instant', 'datetime', '2026-01-02T03:04:05.678+01:00'),
    given('local', 'datetime', '2026-01-02T03:04'),
    given('several', 'string', 'a', 'b'),
  ];
  it('answer typed values and undefined for what is absent', () => {
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

  it('refuse a value of another type by name', () => {
    expect(() => readInteger(values, 'text')).toThrow(ConnectorError);
    expect(() => readDateTime(values, 'text')).toThrow('"text"');
  });
});
