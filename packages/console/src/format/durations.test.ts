import { expect, it } from 'vitest';
import { formatSeconds, secondsOf, splitSeconds } from './durations.ts';

it.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [30, '30 seconds'],
  [60, '1 minute'],
  [90, '90 seconds'],
  [36_000, '10 hours'],
  [86_400, '1 day'],
  [172_800, '2 days'],
])('%d seconds are formatted as %s', (seconds, words) => {
  expect(formatSeconds(seconds)).toBe(words);
});

it.each([0, 7, 60, 3_600, 5_400, 86_400])(
  '%d seconds are the same after they are split and joined again',
  (seconds) => {
    const { count, unit } = splitSeconds(seconds);
    expect(secondsOf(count, unit)).toBe(seconds);
  },
);
