import { describe, expect, it } from 'vitest';
import { parseDurationMs, parseWholeNumber } from './flag-values.ts';

describe('the flag parser', () => {
  it.each([
    ['30m', 1_800_000],
    ['12h', 43_200_000],
    ['90d', 7_776_000_000],
    ['2w', 1_209_600_000],
    ['1y', 31_536_000_000],
  ])('parses %s as a duration', (text, milliseconds) => {
    expect(parseDurationMs('--expires', text)).toBe(milliseconds);
  });

  it.each(['', '90', 'd', '0d', '-1d', '1.5d', '90 d', '90D', '1000000d', 'constructor'])(
    'rejects %j as a duration',
    (text) => {
      expect(() => parseDurationMs('--expires', text)).toThrow('--expires must be a duration');
    },
  );

  it('accepts whole numbers within the limits', () => {
    expect(parseWholeNumber('--page', { text: '1', min: 1, max: 9 })).toBe(1);
    expect(parseWholeNumber('--page', { text: '9', min: 1, max: 9 })).toBe(9);
  });

  it.each(['0', '10', '', '-1', '1.0', '1e0', '0x1', ' 1'])('rejects %j as a number from 1 to 9', (text) => {
    expect(() => parseWholeNumber('--page', { text, min: 1, max: 9 })).toThrow(
      '--page must be a whole number from 1 to 9',
    );
  });
});
