import { describe, expect, it } from 'vitest';
import { JSON_BODY_LIMIT_BYTES, JSON_VALUE_LIMIT, parseJsonBody } from './json-body.ts';

const parse = (text: string, values = JSON_VALUE_LIMIT): unknown => parseJsonBody(Buffer.from(text), { values });

describe('a JSON body', () => {
  it('is parsed like JSON.parse, but without null members and without a member named `__proto__`', () => {
    expect(parse('')).toBeUndefined();
    expect(parse('null')).toBeNull();
    expect(parse('{"a":null,"b":[null,{"c":null,"d":1}],"__proto__":{"e":1}}')).toEqual({ b: [null, { d: 1 }] });
  });

  it('can contain only a limited number of values, regardless of their type', () => {
    expect(parse('[1,2,3]', 4)).toEqual([1, 2, 3]);
    expect(parse('["a,b","[{,\\",{"]', 3)).toEqual(['a,b', '[{,",{']);
    for (const text of ['[1,2,3,4]', '[[],[],[],[]]', '{"a":1,"b":{"c":[2]},"d":3}'])
      expect(() => parse(text, 4)).toThrow('more than 4 values');
  });

  it('can be the longest list of identifiers that fits within the default byte limit', () => {
    const uuids = Array.from({ length: Math.floor(JSON_BODY_LIMIT_BYTES / 39) }, () => crypto.randomUUID());
    expect(parse(JSON.stringify(uuids))).toEqual(uuids);
  });

  it('with too many small values is rejected much faster than it could be parsed', () => {
    const bytes = Buffer.from(`{"a":[${'{},'.repeat(1_000_000)}{}]}`);
    const cpuMs = (work: () => void): number => {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    const refusing = cpuMs(() => expect(() => parseJsonBody(bytes, { values: JSON_VALUE_LIMIT })).toThrow('values'));
    expect(refusing * 5).toBeLessThan(cpuMs(() => void JSON.parse(bytes.toString())));
  });

  it.each([
    ['U+0000 in a text', '{"a":["\\u0000"]}', 'U+0000'],
    ['U+0000 in a name', '{"a\\u0000":1}', 'U+0000'],
    ['a string contains an unpaired surrogate', '{"a":"\\ud83d"}', 'surrogate'],
    ['half of a surrogate pair in a name', '[{"\\udc00":1}]', 'surrogate'],
    ['65 levels', '['.repeat(65) + ']'.repeat(65), 'the body is nested more than'],
    ['what is not JSON', '{"a":1,}', 'not valid JSON'],
  ])('with %s is rejected', (_what, text, problem) => {
    expect(() => parse(text)).toThrow(problem);
  });
});
