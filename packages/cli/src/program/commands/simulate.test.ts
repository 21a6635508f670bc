// The simulation command, run against a fake platform.
import { describe, expect, it } from 'vitest';
import { ask, run, startFakePlatform, type Replies } from '../testing/fake-platform.ts';

const simulation = {
  countedAt: '2026-11-23T12:00:00Z',
  lifetimeDays: 47,
  from: '2026-11-23',
  firstDay: '2026-11-23',
  certificates: 3,
  renewals: 30,
  perDay: [1, 27, 2],
  renewalsNow: 9,
  perDayNow: [3, 3, 3],
  ways: [{ way: 'hand', certificates: 3, renewals: 30, perDay: [1, 27, 2] }],
  authorities: [],
  groups: [],
  unattended: [{ reason: 'noLocationNorKey', certificates: 2, renewals: 20 }],
  approvals: [],
};
const platform: Replies = { 'POST /x/v1/renewals/simulation': { body: simulation } };

describe('the renewal simulation', () => {
  it('shows the number of renewals, how they are performed, and certificates without automated renewal', async () => {
    const { code, out } = await ask(platform, ['simulate']);
    expect(code).toBe(0);
    expect(out).toMatch(/Renewals per year, currently +9/);
    expect(out).toMatch(/With this validity period +30/);
    expect(out).toMatch(/Busiest day +27 on 2026-11-24/);
    expect(out).toMatch(/currently manual +3 +30/);
    expect(out).toMatch(/not in a location, key not in a token +2 +20/);
  });

  it('sends the specified validity period and start date, and prints every day as JSON', async () => {
    const started = await startFakePlatform(platform);
    const args = ['simulate', '--lifetime', '100', '--from', '2027-03-15', '--json'];
    const { out } = await run([...args, '--data', started.data]);
    expect(started.asked[0]?.body).toMatchObject({ lifetimeDays: 100, from: '2027-03-15' });
    expect(JSON.parse(out)).toEqual(simulation);
  });

  it('rejects an invalid validity period before it sends a request', async () => {
    expect((await ask(platform, ['simulate', '--lifetime', 'short'])).code).toBe(2);
  });
});
