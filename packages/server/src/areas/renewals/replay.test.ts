import { describe, expect, it } from 'vitest';
import { plannedAt } from './renewal-window.ts';
import { replay, windowOf, type Horizon, type ReplayedCertificate } from './replay.ts';

const DAY_S = 86_400;
const NOW = Date.parse('2026-11-23T10:00:00Z') / 1_000;
const firstDay = Date.parse('2026-11-23T00:00:00Z') / 1_000;
const horizon: Horizon = { now: NOW, firstDay, days: 365, from: NOW, lifetime: 47 * DAY_S };

const certificate = (ageDays: number, days: number, facts: Partial<ReplayedCertificate> = {}): ReplayedCertificate => ({
  uuid: '0193f0a2-0000-7000-8000-000000000001',
  notBefore: NOW - ageDays * DAY_S,
  notAfter: NOW + (days - ageDays) * DAY_S,
  daysBefore: null,
  isShortened: true,
  ...facts,
});

function replayTotals(one: ReplayedCertificate, within: Horizon = horizon) {
  const shortened = new Map<number, number>();
  const today = new Map<number, number>();
  const addTo = (days: Map<number, number>) => (day: number, renewals: number) =>
    void days.set(day, (days.get(day) ?? 0) + renewals);
  replay(one, within, { shortened: addTo(shortened), today: addTo(today) });
  const sum = (days: Map<number, number>) => [...days.values()].reduce((total, each) => total + each, 0);
  return { shortened, today, shortenedTotal: sum(shortened), todayTotal: sum(today) };
}

describe('a certificate in a simulation', () => {
  it('is first renewed on its planned day', () => {
    const one = certificate(0, 90);
    const lifetime = { notBefore: new Date(one.notBefore * 1_000), notAfter: new Date(one.notAfter * 1_000) };
    const planned = plannedAt(one.uuid, lifetime, null).getTime() / 1_000;
    const { today, shortened } = replayTotals(one);
    const day = Math.floor((planned - firstDay) / DAY_S);
    expect([...today.keys()][0]).toBe(day);
    expect([...shortened.keys()][0]).toBe(day);
  });

  it('has many more successors if these are valid for only 47 days', () => {
    const { shortenedTotal, todayTotal } = replayTotals(certificate(0, 398));
    expect(todayTotal).toBe(1);
    // The first after about 265 days, then every 31 to 33 days.
    expect(shortenedTotal).toBeGreaterThanOrEqual(4);
    expect(shortenedTotal).toBeLessThanOrEqual(5);
  });

  it('keeps its validity period if it is already shorter, or if the new one does not apply to it', () => {
    for (const one of [certificate(0, 30), certificate(0, 90, { isShortened: false })]) {
      const { shortened, today } = replayTotals(one);
      expect([...shortened]).toEqual([...today]);
    }
  });

  it('keeps its validity period until the day on which the new one takes effect', () => {
    const from = NOW + 200 * DAY_S;
    const { shortened, today } = replayTotals(certificate(0, 90), { ...horizon, from });
    const before = (days: Map<number, number>) => [...days].filter(([day]) => day < 200);
    expect(before(shortened)).toEqual(before(today));
    expect(shortened.size).toBeGreaterThan(today.size);
  });

  it('is renewed soon if it is already in its renewal window', () => {
    const { today } = replayTotals(certificate(85, 90));
    expect([...today.keys()][0]).toBe(0);
  });

  it('has its renewals added up per day if it is valid for only a few hours', () => {
    const { todayTotal, today } = replayTotals(certificate(0, 0.25));
    // Slightly less often than every four hours.
    expect(todayTotal / 365).toBeGreaterThan(5.5);
    expect(todayTotal / 365).toBeLessThanOrEqual(6);
    expect(today.size).toBe(365);
  });

  it('has no renewals outside the simulated days', () => {
    for (const days of [0.1, 1, 47, 90, 398])
      for (const day of replayTotals(certificate(0, days)).shortened.keys()) {
        expect(day).toBeGreaterThanOrEqual(0);
        expect(day).toBeLessThan(365);
      }
  });
});

it('the renewal window is a third of the validity period or the configured days, but at most half of it', () => {
  expect(windowOf(90 * DAY_S, null)).toBe(30 * DAY_S);
  expect(windowOf(90 * DAY_S, 10)).toBe(10 * DAY_S);
  expect(windowOf(47 * DAY_S, 30)).toBe(23.5 * DAY_S);
});
