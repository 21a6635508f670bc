import { describe, expect, it } from 'vitest';
import { crlRefreshAtMs, responderProfileName, responderRenewAtMs, retryDelayMs } from './publication-times.ts';

const HOUR = 3_600_000;

describe('due dates', () => {
  it('of the next CRL are a quarter of the validity period before it expires, but at most a day before', () => {
    expect(crlRefreshAtMs({ thisUpdateMs: 0, nextUpdateMs: 24 * HOUR })).toBe(18 * HOUR);
    expect(crlRefreshAtMs({ thisUpdateMs: 0, nextUpdateMs: 30 * 24 * HOUR })).toBe(29 * 24 * HOUR);
  });

  it('of a CRL whose thisUpdate is after its nextUpdate are not postponed', () => {
    expect(crlRefreshAtMs({ thisUpdateMs: 5, nextUpdateMs: 1 })).toBe(1);
  });

  it('of responder certificate renewals are at two thirds of the validity period', () => {
    expect(responderRenewAtMs({ notBeforeMs: 0, notAfterMs: 30 * HOUR })).toBe(20 * HOUR);
  });

  it('are postponed further after each failure, up to a limit, and are immediate after a success', () => {
    expect(retryDelayMs('full', 'done', 0)).toBe(0);
    expect([1, 2, 3].map((failures) => retryDelayMs('full', 'failed', failures))).toEqual([5_000, 10_000, 20_000]);
    expect(retryDelayMs('full', 'failed', 1_000)).toBe(300_000);
    expect(retryDelayMs('responder', 'failed', 1_000)).toBe(HOUR);
  });
});

describe("the name of the responder's RA profile", () => {
  it.each([
    ['Signetry Root', 'ocsp-signetry-root'],
    ['  Prüf-CA  №1! ', 'ocsp-pruf-ca-no1'],
    ['日本', 'ocsp-authority'],
  ])('is derived from %j as %j', (authority, expected) => {
    expect(responderProfileName(authority)).toBe(expected);
  });

  it('remains short for long authority names', () => {
    expect(responderProfileName('x'.repeat(500)).length).toBeLessThanOrEqual(65);
  });
});
