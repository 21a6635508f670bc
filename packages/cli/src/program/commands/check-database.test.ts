import { describe, expect, it } from 'vitest';
import { ask } from '../testing/fake-platform.ts';

const report = (wrong: number, repaired = false) => ({
  checkedAt: '2026-11-20T12:00:00Z',
  sound: wrong === 0,
  checks: [
    {
      name: 'certificate counters',
      wrong,
      repaired,
      examples: wrong === 0 ? [] : [{ what: 'state issued', kept: '7', right: '2' }],
    },
  ],
});
const check = (body: object, ...args: string[]) =>
  ask({ 'POST /x/v1/derivedData/check': { body } }, ['db', 'check', ...args]);

describe('db check', () => {
  it('exits with 0 if all values are correct', async () => {
    const { code, out } = await check(report(0));
    expect(code).toBe(0);
    expect(out).toMatch(/^Certificate counters +correct$/m);
  });

  it('exits with 1 and reports the wrong values', async () => {
    const { code, out } = await check(report(1));
    expect(code).toBe(1);
    expect(out).toMatch(/^Certificate counters +1 wrong$/m);
    expect(out).toMatch(/^Wrong +state issued: 7 instead of 2$/m);
  });

  it('exits with 0 after a repair', async () => {
    const { code, out } = await check(report(1, true), '--repair');
    expect(code).toBe(0);
    expect(out).toMatch(/^Certificate counters +1 wrong value repaired$/m);
  });
});
