import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { formatNameRfc4514, parseCertificate } from '@signetry/pki';
import { makeCertificate } from '../../../areas/certificates/testing/test-certificates.ts';
import { enrollmentOf } from '../testing/scep-ports.ts';
import { enrollmentOutcomeOf, nextAttempt, nextCheck } from './enrollment-outcome.ts';
import type { NoticeRow } from './tables.ts';

const CREATED = new Date('2026-11-20T12:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const after = (ms: number): Date => new Date(CREATED.getTime() + ms);

const notice: NoticeRow = {
  uuid: 'n',
  profile_uuid: 'p',
  enrollment_transaction: 'T1',
  transaction_id: 'T1',
  request: '',
  attempts: 0,
  created_at: CREATED,
  next_at: CREATED,
};

describe('the result reported to Intune', () => {
  it('is the certificate, in the formats that Windows uses', async () => {
    const { der } = await makeCertificate('device.example', { serialNumber: '0abc' });
    const certificate = parseCertificate(der);
    expect(enrollmentOutcomeOf(enrollmentOf({ state: 'issued', certificate: der }), notice, CREATED)).toEqual({
      kind: 'issued',
      facts: {
        thumbprint: createHash('sha1').update(der).digest('hex').toUpperCase(),
        serialNumber: 'ABC',
        expiresAt: new Date(certificate.notAfterMs),
        issuer: formatNameRfc4514(certificate.issuer),
      },
    });
  });

  it.each([
    ['Not today.', 'Not today.'],
    [undefined, 'The request was rejected.'],
  ])('is the rejection with its error message: %s', (problem, words) => {
    const fate = enrollmentOutcomeOf(enrollmentOf({ state: 'refused', problem }), notice, CREATED);
    expect(fate).toEqual({ kind: 'failed', facts: { code: 0x2000_0002, words } });
  });

  it.each([
    ['open', 10 * MINUTE_MS],
    ['void', 10 * MINUTE_MS + 1],
  ])('is %s if no enrollment was started for %i ms', (kind, ageMs) => {
    expect(enrollmentOutcomeOf(undefined, notice, after(ageMs))).toEqual({ kind });
  });

  it('remains open for one day if a node abandoned the request, because the device can retry', () => {
    const left = enrollmentOf({ isAbandoned: true });
    expect(enrollmentOutcomeOf(left, notice, after(24 * HOUR_MS))).toEqual({ kind: 'open' });
    expect(enrollmentOutcomeOf(left, notice, after(24 * HOUR_MS + 1))).toEqual({
      kind: 'failed',
      facts: { code: 0x2000_0002, words: 'The server stopped before it requested the certificate.' },
    });
  });

  it('remains open as long as a manual decision is pending', () => {
    expect(enrollmentOutcomeOf(enrollmentOf(), notice, after(365 * 24 * HOUR_MS))).toEqual({ kind: 'open' });
  });
});

describe('the next check', () => {
  it.each([
    ['a new request', 0, 5_000],
    ['one of 50 s', 50_000, 5_000],
    ['one of a minute', MINUTE_MS, 6_000],
    ['one of 50 minutes', 50 * MINUTE_MS, 300_000],
    ['one of a year', 365 * 24 * HOUR_MS, 300_000],
    ['one from after the clock was set back', -HOUR_MS, 5_000],
  ])('of %s follows after an increasing delay', (_what, ageMs, pauseMs) => {
    const now = after(ageMs);
    expect(nextCheck(notice, now).getTime() - now.getTime()).toBe(pauseMs);
  });
});

describe('the next attempt', () => {
  it.each([
    [1, 10_000],
    [2, 20_000],
    [9, 2_560_000],
    [10, HOUR_MS],
    [79, HOUR_MS],
  ])('after %i failures is in %i ms', (attempts, pauseMs) => {
    expect(nextAttempt(attempts, CREATED)).toEqual(after(pauseMs));
  });

  it('does not take place after 80 failures', () => {
    expect([nextAttempt(80, CREATED), nextAttempt(1_000, CREATED)]).toEqual([undefined, undefined]);
  });
});
