import { expect, it } from 'vitest';
import { codeProblems } from './activation-code.ts';
import { lockedUntil, lockMs } from './code-attempts.ts';

it.each([
  ['1234567', 'The activation code must have at least 8 characters, not 7.'],
  ['aaaaaaaaaaaa', 'The activation code must not consist of one repeated character.'],
  ['x'.repeat(1025), 'The activation code must not exceed 1024 characters.'],
])('the code %s is rejected', (code, problem) => {
  expect(codeProblems(code)).toEqual([problem]);
});

it('length is counted in characters, not in bytes', () => {
  expect(codeProblems('żółtą gęś')).toEqual([]);
  expect(codeProblems('🔑🔑🔑🔑🔑🔑🗝')).toHaveLength(1);
});

it('the fifth wrong code locks the token for 30 seconds, and each further code locks it for twice as long, up to an hour', () => {
  const seconds = [1, 4, 5, 6, 7, 11, 12, 40].map((wrongCodes) => lockMs(wrongCodes) / 1000);
  expect(seconds).toEqual([0, 0, 30, 60, 120, 1920, 3600, 3600]);
});

it('a lock set while the clock was ahead ends after an hour', () => {
  const now = new Date('2026-11-23T10:00:00Z');
  const locked_until = new Date('2036-01-01T00:00:00Z');
  expect(lockedUntil({ locked_until }, now)?.toISOString()).toBe('2026-11-23T11:00:00.000Z');
  expect(lockedUntil({ locked_until: now }, now)).toBeUndefined();
});
