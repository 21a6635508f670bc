import { expect, it } from 'vitest';
import { periodsOf, startOfDay, wordsOf } from './expiry-periods.ts';

const today = startOfDay(Date.parse('2026-11-20T15:00:00Z'));
const day = (number: number, certificates: number) => ({
  from: new Date(today.getTime() + number * 86_400_000).toISOString().slice(0, 10),
  certificates,
});

it('has a place for every certificate: expired, soon, within a year, and later', () => {
  const days = [day(0, 1), day(29, 2), day(30, 4), day(359, 8)];
  const periods = periodsOf(days, today, { expired: 16, later: 32 });
  expect(periods.map(({ certificates }) => certificates)).toEqual([16, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 32]);
  expect(periods.map(({ tone }) => tone)).toEqual(['bad', 'warn', ...Array.from({ length: 12 }, () => 'good')]);
});

it('names the time of each, with the same bounds as the list that it leads to', () => {
  const [expired, soon, next] = periodsOf([day(0, 1)], today, { expired: 2, later: 0 });
  expect(expired && wordsOf(expired)).toMatch(/^2 certificates expired before .*2026$/);
  expect(soon && wordsOf(soon)).toMatch(/^1 certificate expires from .*2026 to .*2026$/);
  const boundsOf = (filters: readonly { readonly condition: string; readonly value?: unknown }[] = []) =>
    filters.slice(1).map(({ condition, value }) => [condition, value]);
  expect(boundsOf(soon?.search.filters)).toEqual([
    ['GREATER_OR_EQUAL', '2026-11-20T00:00:00.000Z'],
    ['LESSER', '2026-12-20T00:00:00.000Z'],
  ]);
  expect(boundsOf(next?.search.filters)[0]).toEqual(['GREATER_OR_EQUAL', '2026-12-20T00:00:00.000Z']);
});
