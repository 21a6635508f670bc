import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { expectOwnErrors } from '../testing/arbitraries.ts';
import { MAX_JSON_BYTES, MAX_JSON_DEPTH, parseStrictJson } from './strict-json.ts';

const parse = (text: string, maxBytes?: number): unknown => parseStrictJson(Buffer.from(text), maxBytes);
const malformed = expect.objectContaining({ name: 'JoseError', reason: 'malformed' }) as Error;

describe('strict JSON', () => {
  it('matches JSON.parse if no member is repeated', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 1, '\t'), (json, indent) => {
        const value: unknown = JSON.parse(json);
        expect(parse(JSON.stringify(value, undefined, indent))).toEqual(value);
      }),
    );
  });

  it.each([
    '{"alg":"a","alg":"b"}',
    '{"alg":"a","\\u0061lg":"b"}',
    '{"a":1, "a" \r\n\t: 2}',
    '{"jwk":{"kty":"RSA","kty":"EC"}}',
    '[{"a":[{"b":{},"b":{}}]}]',
    '{"\\\\":1,"\\\\":2}',
    '{"":1,"":2}',
    '{"__proto__":1,"__proto__":2}',
  ])('rejects %s, which parsers interpret differently', (text) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
    expect(() => parse(text)).toThrow(malformed);
  });

  it.each([
    '{"a":{"a":{"a":"a"}}}',
    '[{"a":1},{"a":2}]',
    '{"a":"a","b":"a","c":["a","a"]}',
    '{"a":"\\"a\\":1","b":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a\\\\":1,"a":2}',
    '{"a\\"":1,"a":2}',
    '"a"',
  ])('accepts %s, which has no repeated member', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it('detects a repeated name at any position, regardless of how it is escaped', () => {
    const unit = fc.oneof(fc.constantFrom(0x22, 0x5c, 0x61, 0xd83d, 0xde00), fc.integer({ min: 0, max: 0xffff }));
    const name = fc.array(unit, { minLength: 1, maxLength: 3 }).map((units) => String.fromCharCode(...units));
    const escapeAll = (text: string): string =>
      `"${Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`;
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 4 }), fc.nat(), (names, pick) => {
        const repeated = names[pick % names.length]!;
        const members = names.map((each) => `${JSON.stringify(each)}:{}`);
        expect(Object.keys(parse(`{${members.join()}}`) as object)).toHaveLength(names.length);
        expect(() => parse(`{${members.join()},${escapeAll(repeated)}:0}`)).toThrow(malformed);
      }),
    );
  });

  it('is limited in bytes and in depth', () => {
    const text = (length: number): string => JSON.stringify('x'.repeat(length - 2));
    expect(parse(text(MAX_JSON_BYTES))).toHaveLength(MAX_JSON_BYTES - 2);
    expect(() => parse(text(MAX_JSON_BYTES + 1))).toThrow(malformed);
    expect(() => parse('{"a":1}', 6)).toThrow(malformed);
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(parse(nested(MAX_JSON_DEPTH))).toBeDefined();
    expect(() => parse(nested(MAX_JSON_DEPTH + 1))).toThrow(malformed);
    expect(() => parse(nested(8000))).toThrow(malformed);
  });

  it('rejects anything that is not UTF-8 or not JSON, without quoting it', () => {
    expect(() => parseStrictJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(malformed);
    expect(() => parse('\uFEFF{}')).toThrow(malformed);
    for (const text of ['', '{', '{"secret":}', "{'a':1}", '{"a":1}x', 'NaN']) {
      expect(() => parse(text)).toThrow(malformed);
      expect(() => parse(text)).not.toThrow(/secret/);
    }
  });

  it('is parsed in linear time, regardless of its content', () => {
    const quotes = `{"a":"${'\\"'.repeat(500_000)}"}`;
    const backslashes = `{"a":"${'\\\\'.repeat(500_000)}"}`;
    const names = `{${Array.from({ length: 60_000 }, (_, i) => `"name${i}":0`).join()}}`;
    const startedMs = performance.now();
    for (const text of [quotes, backslashes, names]) expect(parse(text, 2_000_000)).toBeDefined();
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });

  it('causes only our own errors', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 60 }),
          fc
            .array(fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'a', '1', ' ', 'null'), { maxLength: 20 })
            .map((parts) => Buffer.from(parts.join(''))),
        ),
        (bytes) => expectOwnErrors(() => parseStrictJson(bytes)),
      ),
      { numRuns: 2000 },
    );
  });
});
