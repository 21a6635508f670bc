import { describe, expect, it } from 'vitest';
import { concerns, describeDifference, problemOf, statusOf, worseOf } from './rule-results.ts';

describe('the status of an object', () => {
  it('is the worst result of its rules', () => {
    expect(statusOf([])).toBe('not_checked');
    expect(statusOf(['ok', 'ok'])).toBe('ok');
    expect(statusOf(['ok', 'na'])).toBe('ok');
    expect(statusOf(['na', 'na'])).toBe('na');
    expect(statusOf(['na', 'nok', 'ok'])).toBe('nok');
    expect(statusOf(['ok', 'not_available'])).toBe('nok');
  });

  it('includes only the worse of two results for the same rule', () => {
    expect(worseOf('ok', 'nok')).toBe('nok');
    expect(worseOf('not_available', 'ok')).toBe('not_available');
  });
});

describe('a provider rule', () => {
  const certificate = { resource: 'certificates', type: 'X.509', format: undefined };

  it('applies to objects of its resource, type and format', () => {
    expect(concerns({ resource: 'certificates', type: null, format: null }, certificate)).toBe(true);
    expect(concerns({ resource: 'keys', type: null, format: null }, certificate)).toBe(false);
    expect(concerns({ resource: 'certificates', type: 'SSH', format: null }, certificate)).toBe(false);
    expect(concerns({ resource: 'certificates', type: 'X.509', format: 'pkcs10' }, certificate)).toBe(false);
  });

  it('counts as changed if it applies to different objects', () => {
    const rule = { resource: 'certificates', type: 'X.509', format: undefined };
    expect(describeDifference({ ...rule, format: null }, rule)).toBeUndefined();
    expect(describeDifference(rule, { ...rule, type: 'SSH' })).toBe('type changed from X.509 to SSH');
  });
});

describe('the compliance error in a request', () => {
  it('names the violated rules, or states why they could not be checked', () => {
    const rule = { uuid: 'u', resource: 'certificateRequests' } as const;
    const rules = [
      { ...rule, name: 'Short names', status: 'nok' as const },
      { ...rule, name: 'Other', status: 'na' as const },
    ];
    expect(problemOf(rules, undefined)).toMatch(/RA profile: Short names$/);
    expect(problemOf([], 'the database is gone')).toMatch(/RA profile \(the database is gone\)$/);
  });
});
