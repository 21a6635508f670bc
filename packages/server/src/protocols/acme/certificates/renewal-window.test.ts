import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import { earlyWindow, pastWindow, pollIntervalS, defaultWindow, type RenewalWindow } from './renewal-window.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOT_BEFORE = new Date('2030-01-01T00:00:00Z');

const lifetimeOf = (lifeMs: number, uuid = newUuid()) => ({
  uuid,
  notBefore: NOT_BEFORE,
  notAfter: new Date(NOT_BEFORE.getTime() + lifeMs),
});
const lengthOf = ({ start, end }: RenewalWindow): number => end.getTime() - start.getTime();
const isWithin = (inner: RenewalWindow, outer: RenewalWindow): boolean =>
  inner.start >= outer.start && inner.end <= outer.end;
const many = Array.from({ length: 500 }, () => newUuid());

describe('the default renewal window', () => {
  it('lies around two thirds of the way through the validity period', () => {
    const middles = many.map((uuid) => {
      const window = defaultWindow(lifetimeOf(90 * DAY_MS, uuid));
      return (window.start.getTime() + lengthOf(window) / 2 - NOT_BEFORE.getTime()) / (90 * DAY_MS);
    });
    expect(Math.min(...middles)).toBeGreaterThan(2 / 3 - 1 / 24 - 0.001);
    expect(Math.max(...middles)).toBeLessThan(2 / 3 + 1 / 24 + 0.001);
  });

  it('spreads out the renewals of certificates that were issued at the same time', () => {
    const starts = many.map((uuid) => defaultWindow(lifetimeOf(90 * DAY_MS, uuid)).start.getTime());
    const eighths = new Set(
      starts.map((start) => Math.floor((start - Math.min(...starts)) / ((90 * DAY_MS) / 12 / 8))),
    );
    expect(eighths.size).toBeGreaterThanOrEqual(8);
  });

  it('is deterministic', () => {
    const certificate = lifetimeOf(90 * DAY_MS);
    expect(defaultWindow(certificate)).toEqual(defaultWindow({ ...certificate }));
  });

  it('lies within the validity period and ends after it starts, in whole seconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: HOUR_MS, max: 4_000 * DAY_MS }), fc.uuid(), (lifeMs, uuid) => {
        const certificate = lifetimeOf(lifeMs, uuid);
        const window = defaultWindow(certificate);
        expect(window.start < window.end).toBe(true); // Required by RFC 9773 §4.2.
        expect(isWithin(window, { start: certificate.notBefore, end: certificate.notAfter })).toBe(true);
        expect([window.start.getTime() % SECOND_MS, window.end.getTime() % SECOND_MS]).toEqual([0, 0]);
      }),
    );
  });

  it('exists even for certificates that are valid for only a few seconds', () => {
    const window = defaultWindow(lifetimeOf(10 * SECOND_MS));
    expect(window.start.getTime() - NOT_BEFORE.getTime()).toBeLessThan(10 * SECOND_MS);
    expect(lengthOf(window)).toBeGreaterThan(0);
  });
});

describe('the polling interval for clients (RFC 9773 §4.3)', () => {
  const HOURS = 3600;
  it.each([
    ['90 days', 90 * 24, 6 * HOURS],
    ['6 days', 6 * 24, 3 * HOURS],
    ['a day', 24, 1800],
    ['an hour', 1, 75],
    ['some minutes', 0.2, 60],
  ])('depends on the validity period: %s', (_life, hours, seconds) => {
    const notAfter = new Date(NOT_BEFORE.getTime() + hours * HOUR_MS);
    expect(pollIntervalS({ notBefore: NOT_BEFORE, notAfter })).toBe(seconds);
  });
});

describe('the renewal window of a revoked certificate', () => {
  it('is in the past', () => {
    const now = new Date();
    const window = pastWindow(now);
    expect(window.end < now).toBe(true);
    expect(lengthOf(window)).toBeGreaterThan(0);
  });
});

describe('an early renewal window', () => {
  const period = { start: NOT_BEFORE, end: new Date(NOT_BEFORE.getTime() + 10 * HOUR_MS) };

  it('is part of the period', () => {
    for (const uuid of many) {
      const window = earlyWindow({ uuid }, period);
      expect(isWithin(window, period)).toBe(true);
      expect(Math.abs(lengthOf(window) - HOUR_MS)).toBeLessThanOrEqual(SECOND_MS);
    }
  });

  it('spreads certificates out over the period', () => {
    const hours = new Set(many.map((uuid) => earlyWindow({ uuid }, period).start.getUTCHours()));
    expect(hours.size).toBe(9);
  });

  it('is the whole period if the period is too short to divide', () => {
    const short = { start: NOT_BEFORE, end: new Date(NOT_BEFORE.getTime() + 30 * SECOND_MS) };
    expect(earlyWindow({ uuid: newUuid() }, short)).toEqual(short);
  });
});
