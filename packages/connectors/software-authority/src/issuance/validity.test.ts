import { describe, expect, it } from 'vitest';
import { gatherProblems } from '../problems.ts';
import { chooseValidity, type ValiditySpec } from './validity.ts';

const NOW = Date.parse('2026-06-01T12:00:00.700Z');
const DAY = 86_400_000;
const issuer = { notBeforeMs: NOW - 100 * DAY, notAfterMs: Date.parse('2027-01-01T00:00:00Z') };
const profile = { validityDays: 90, maxValidityDays: 120, backdateMs: 60_000 };

function choose(wish: ValiditySpec, changes: Partial<{ issuer: typeof issuer; profile: typeof profile }> = {}) {
  const problems = gatherProblems();
  const { notBeforeMs, notAfterMs } = chooseValidity(wish, { nowMs: NOW, profile, issuer, ...changes }, problems);
  return { from: new Date(notBeforeMs).toISOString(), to: new Date(notAfterMs).toISOString(), problems: problems.list };
}

describe('chooseValidity', () => {
  it('starts slightly early, in whole seconds, and includes the last second', () => {
    expect(choose({})).toEqual({ from: '2026-06-01T11:59:00.000Z', to: '2026-08-30T11:58:59.000Z', problems: [] });
  });

  it('does not start before the CA', () => {
    const young = { ...issuer, notBeforeMs: Math.floor(NOW / 1000) * 1000 };
    expect(choose({}, { issuer: young }).from).toBe('2026-06-01T12:00:00.000Z');
  });

  it('limits the default end date to that of the CA', () => {
    const short = { ...issuer, notAfterMs: Date.parse('2026-06-10T00:00:00Z') };
    expect(choose({}, { issuer: short })).toMatchObject({ to: '2026-06-10T00:00:00.000Z', problems: [] });
  });

  it('rejects an end date after that of the CA, and reports the latest possible date', () => {
    const short = { ...issuer, notAfterMs: Date.parse('2026-06-10T00:00:00Z') };
    expect(choose({ days: 30 }, { issuer: short }).problems).toEqual([
      'The validity period must not end after 2026-06-10T00:00:00Z; 2026-07-01T11:58:59Z was requested.',
    ]);
  });

  it("grants up to the profile's limit", () => {
    expect(choose({ days: 120 })).toMatchObject({ to: '2026-09-29T11:58:59.000Z', problems: [] });
    expect(choose({ days: 121 }).problems).toHaveLength(1);
    expect(choose({ notAfter: new Date('2026-07-01T00:00:00.900Z') })).toMatchObject({
      to: '2026-07-01T00:00:00.000Z',
      problems: [],
    });
  });

  it('accepts a start date in the future and rejects one in the past', () => {
    expect(choose({ notBefore: new Date('2026-07-01T00:00:00Z') })).toMatchObject({
      from: '2026-07-01T00:00:00.000Z',
      problems: [],
    });
    expect(choose({ notBefore: new Date('2026-06-01T11:54:00Z') }).problems).toEqual([
      'The validity period must not start before 2026-06-01T11:55:00Z.',
    ]);
  });

  it('rejects contradictory values', () => {
    expect(choose({ days: 3, notAfter: new Date('2026-07-01T00:00:00Z') }).problems).toHaveLength(1);
    expect(choose({ notAfter: new Date('2026-06-01T11:59:59Z') }).problems).toHaveLength(1);
  });

  it('rejects everything if the CA has expired', () => {
    expect(choose({}, { issuer: { ...issuer, notAfterMs: NOW - DAY } }).problems).toEqual([
      'The CA certificate expired on 2026-05-31T12:00:00.700Z.',
    ]);
  });
});
