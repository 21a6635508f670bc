import { expect, it } from 'vitest';
import { periodsOf, supplementarySearches, describePeriod } from './expiry-periods.ts';

const now = new Date('2026-11-20T15:00:00Z');
const TODAY = Date.parse('2026-11-20T00:00:00Z');
const day = (number: number, certificates: number) => ({
  from: new Date(TODAY + number * 86_400_000).toISOString().slice(0, 10),
  certificates,
});
const nothing = { expired: 0, later: 0, endedToday: 0, soonOnLastDay: 0 };
const countsOf = (...given: Parameters<typeof periodsOf>) =>
  periodsOf(...given).map(({ certificates }) => certificates);

it('has a period for every certificate: expired, soon, within a year, and later', () => {
  const days = [day(0, 1), day(29, 2), day(30, 4), day(359, 8)];
  const periods = periodsOf(days, now, { ...nothing, expired: 16, later: 32 });
  expect(periods.map(({ certificates }) => certificates)).toEqual([16, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 32]);
  expect(periods.map(({ tone }) => tone)).toEqual(['bad', 'warn', ...Array.from({ length: 12 }, () => 'good')]);
});

it('starts the "soon" period now and ends it at the same time of day, although counts are for whole days', () => {
  const days = [day(0, 5), day(30, 7)];
  const counts = countsOf(days, now, { ...nothing, expired: 2, endedToday: 2, soonOnLastDay: 3 });
  expect(counts.slice(0, 3)).toEqual([2, 5 - 2 + 3, 7 - 3]);
  expect(countsOf(days, now, { ...nothing, endedToday: 9 })[1]).toBe(0);
});

const boundsOf = (filters: readonly { readonly condition: string; readonly value?: unknown }[] = []) =>
  filters.slice(1).map(({ condition, value }) => [condition, value]);

it('counts partial days up to the same times', () => {
  const { endedToday, soonOnLastDay } = supplementarySearches(now);
  expect([endedToday, soonOnLastDay].map(({ filters }) => boundsOf(filters))).toEqual([
    [['GREATER_OR_EQUAL', '2026-11-20T00:00:00.000Z'], ['LESSER', '2026-11-20T15:00:00.000Z']],
    [['GREATER_OR_EQUAL', '2026-12-20T00:00:00.000Z'], ['LESSER', '2026-12-20T15:00:00.000Z']],
  ]); // prettier-ignore
});

it('describes each period, with the same bounds as the list that it links to', () => {
  const [expired, soon, next, third] = periodsOf([day(0, 1), day(31, 2)], now, { ...nothing, expired: 2 });
  expect(expired && describePeriod(expired)).toBe('2 certificates have expired');
  expect(soon && describePeriod(soon)).toBe('1 certificate expires within 30 days');
  expect(next && describePeriod(next)).toMatch(/^2 certificates expire from .*2026 to .*2027$/);
  expect(boundsOf(expired?.search.filters)).toEqual([['IN_PAST', 'P100Y']]);
  expect(boundsOf(soon?.search.filters)).toEqual([['IN_NEXT', 'P30D']]);
  expect(boundsOf(next?.search.filters)).toEqual([
    ['GREATER_OR_EQUAL', '2026-12-20T15:00:00.000Z'],
    ['LESSER', '2027-01-19T00:00:00.000Z'],
  ]);
  expect(boundsOf(third?.search.filters)[0]).toEqual(['GREATER_OR_EQUAL', '2027-01-19T00:00:00.000Z']);
});
