import type { RenewalSimulation } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { busiestDayOf, csvOf, weeksOf } from './simulation-figures.ts';

const perDay = Array.from({ length: 15 }, (_, place) => place);
const zeros = perDay.map(() => 0);
const simulation: RenewalSimulation = {
  countedAt: '2026-11-23T10:00:00Z',
  lifetimeDays: 47,
  from: '2026-11-23',
  firstDay: '2026-11-23',
  certificates: 3,
  renewals: 105,
  perDay,
  renewalsNow: 0,
  perDayNow: zeros,
  ways: [{ way: 'hand', certificates: 3, renewals: 105, perDay }],
  authorities: [{ uuid: 'a', name: '=cmd, "quoted"', certificates: 3, renewals: 105, perDay }],
  groups: [],
  unattended: [],
  approvals: [],
};

describe('a simulation', () => {
  it('is displayed in whole weeks', () => {
    expect(weeksOf(simulation)).toEqual([
      { day: '2026-11-23', renewals: 21, renewalsNow: 0 },
      { day: '2026-11-30', renewals: 70, renewalsNow: 0 },
    ]);
  });

  it('identifies the busiest day', () => {
    expect(busiestDayOf(perDay, '2026-11-23')).toEqual({ day: '2026-12-07', renewals: 14 });
    expect(busiestDayOf([], '2026-11-23')).toEqual({ day: '2026-11-23', renewals: 0 });
  });

  it('is exported as one line per day, and names are not interpreted as formulas or columns', () => {
    const [head, first, ...rest] = csvOf(simulation).split('\r\n');
    expect(head).toBe('Day,All,"All, with current validity periods",Currently manual,"Authority =cmd, ""quoted"""');
    expect(first).toBe('2026-11-23,0,0,0,0');
    expect(rest).toHaveLength(15);
    const group = { uuid: 'g', name: 'x', certificates: 0, renewals: 0, perDay: zeros };
    expect(csvOf({ ...simulation, groups: [group] }).split('\r\n')[0]).toMatch(/,Group x$/);
  });
});
