import { describe, expect, it } from 'vitest';
import { daysOf, describeThresholds } from './thresholds.ts';

describe('entered thresholds', () => {
  it.each([
    ['30, 14, 7, 1', [30, 14, 7, 1]],
    ['1 7;14  30', [30, 14, 7, 1]],
    ['7, 7', [7]],
    ['', []],
    ['3650', [3650]],
  ])('%j are parsed as %j', (text, days) => expect(daysOf(text)).toEqual(days));

  it.each(['0', '3651', 'per week', '1.5', '-1', Array.from({ length: 21 }, (_, day) => day + 1).join()])(
    '%j are rejected',
    (text) => expect(daysOf(text)).toBeUndefined(),
  );
});

it('thresholds are formatted as readable text', () => {
  expect(describeThresholds([30, 7, 1])).toBe('30, 7 and 1 days before');
  expect(describeThresholds([1])).toBe('1 day before');
  expect(describeThresholds([])).toBe('Never');
});
