import { expect, it } from 'vitest';
import { linearPattern } from './linear-pattern.ts';
import { matchingText } from './matching-text.ts';

it.each([
  '[a-z][a-z0-9-]{0,31}',
  '\\d{1,3}(\\.\\d{1,3}){3}',
  '(https?)://[^/ ]+(/.*)?',
  '[A-Z]{2}',
  'CN=.+(, O=.+)?',
  '(?i)yes|no',
  '[^a-zA-Z0-9]+',
  '^$',
  '.{12,}',
])('matchingText generates a string that %s matches', (pattern) => {
  const text = matchingText(pattern);
  expect(text).toBeDefined();
  expect(linearPattern(pattern).matches(text ?? '')).toBe(true);
});

it('matchingText returns undefined if the pattern is unsupported or matches nothing', () => {
  expect(matchingText('(?=a)b')).toBeUndefined();
  expect(matchingText('^(?=.{4,253}$)[a-z]+$')).toHaveLength(8);
  expect(matchingText('a^b')).toBeUndefined();
});
