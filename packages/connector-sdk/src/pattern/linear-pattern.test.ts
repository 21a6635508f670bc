import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearPattern, MAX_TEXT_CHARACTERS } from './linear-pattern.ts';
import { PatternError } from './pattern-error.ts';

const cases: readonly [pattern: string, matching: readonly string[], other: readonly string[]][] = [
  ['abc', ['abc'], ['ab', 'abcd', 'xabc', '']],
  ['^abc$', ['abc'], ['abcd']],
  ['a|bc|', ['a', 'bc', ''], ['b', 'abc']],
  ['(?:ab)+', ['ab', 'abab'], ['', 'aba']],
  ['(?<name>x)?y', ['xy', 'y'], ['x']],
  ['a{2,3}', ['aa', 'aaa'], ['a', 'aaaa']],
  ['a{2}', ['aa'], ['a', 'aaa']],
  ['a{2,}', ['aa', 'aaaaaa'], ['a']],
  ['[^a-c]', ['d', 'é', '-'], ['a', 'b', '']],
  ['[]-]+'.replace('[]', '[\\]'), [']-]'], ['a']],
  ['[\\w.-]+\\.example\\.com', ['a-b.example.com', 'x.y.example.com'], ['example.com', 'a.exampleXcom']],
  ['\\d{3}\\s\\S', ['123 x'], ['12a x', '123xx']],
  ['\\p{Lu}\\p{L}*', ['Ärger'], ['ärger', '1']],
  ['\\p{Alnum}+', ['a1'], ['é']],
  ['.', ['a', '😀'], ['\n', '\u0085', 'ab']],
  ['\\x41\\u00e9', ['Aé'], ['Ae']],
  ['a\\b.c', ['a c'], ['abc']],
  ['(?i)straße', ['STRAßE', 'Straße'], ['strasse']],
  ['(?i)[^a-c]', ['d', 'D'], ['a', 'B']],
  ['(a*)*', ['', 'aaaa'], ['b']],
  ['a*?b+?', ['b', 'aab', 'abbb'], ['a']],
  ['^(?=.{4,8}$)[a-z]+(\\.[a-z]+)*$', ['abcd', 'ab.cd', 'abcdefgh'], ['abc', 'abcdefghi', 'ab..c']],
  ['(?!-)[a-z-]+(?<!-)', ['a', 'a-b'], ['-a', 'a-', '-']],
  ['(?=.*\\d)(?=.*[a-z])(?!.*\\s).{4,}', ['ab12', '1234x'], ['1234', 'abcd', 'ab 12', 'a1']],
  ['(?<=^|,)a(?=,|$)', ['a'], ['b', 'a,']],
  ['a(?=b(?!c))b.?', ['ab', 'abd'], ['abc']],
];

describe('linearPattern', () => {
  for (const [pattern, matching, other] of cases) {
    it(`matches entire strings with ${pattern}`, () => {
      const compiled = linearPattern(pattern);
      for (const text of matching) expect([text, compiled.matches(text)]).toEqual([text, true]);
      for (const text of other) expect([text, compiled.matches(text)]).toEqual([text, false]);
    });
  }

  for (const pattern of [
    '(a)\\1',
    '(?>a)',
    'a++',
    '(',
    ')',
    '[a',
    'a**',
    '*a',
    'a{3,2}',
    'a{1001}',
    '\\q',
    '[z-a]',
    '\\',
    '^*',
    '(?=a)*',
    '(?i:a)',
    '[a&&b]',
  ]) {
    it(`rejects ${pattern}`, () => {
      expect(() => linearPattern(pattern)).toThrow(PatternError);
    });
  }

  it('rejects patterns that need too many states', () => {
    expect(() => linearPattern('(a{1000}){1000}')).toThrow(/states/);
    expect(() => linearPattern('('.repeat(100) + ')'.repeat(100))).toThrow(PatternError);
    expect(() => linearPattern('a'.repeat(2000))).toThrow(PatternError);
  });

  it('rejects strings that exceed the length limit', () => {
    expect(() => linearPattern('a*').matches('a'.repeat(MAX_TEXT_CHARACTERS + 1))).toThrow(PatternError);
  });

  it('stays fast for patterns that cause catastrophic backtracking in other engines', () => {
    const started = performance.now();
    expect(linearPattern('^(a+)+$').matches(`${'a'.repeat(4000)}b`)).toBe(false);
    expect(linearPattern('(a|a)*(a|aa)*c').matches('a'.repeat(4000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(500);
  });

  it('limits the cost of lookahead', () => {
    expect(() => linearPattern('((?=a*b)a)*b').matches(`${'a'.repeat(4000)}b`)).toThrow(
      /The pattern is too complex for this text\./,
    );
    expect(linearPattern('^(?=.{4,253}$)[a-z.]+$').matches('a'.repeat(253))).toBe(true);
  });

  it('returns the same results as the built-in engine for random small patterns', () => {
    const look = fc.constantFrom('(?=a)', '(?!b)', '(?<=a)', '(?<!c)', '(?=.*b)', '(?<!^)', '(?=a(?!b))');
    const atom = fc.constantFrom('a', 'b', '[ab]', '[^a]', '.', 'ab', '(a|b)', '(ab)?', 'c');
    const quantifier = fc.constantFrom('', '?', '*', '+', '{2}', '{1,2}', '*?');
    const piece = fc.tuple(atom, quantifier).map(([part, count]) => `(?:${part})${count}`);
    const pattern = fc
      .array(fc.oneof(piece, look, fc.constant('|')), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 }), (source, text) => {
        expect(linearPattern(source).matches(text)).toBe(new RegExp(`^(?:${source})$`, 'su').test(text));
      }),
      { numRuns: 1000 },
    );
  });
});
