// The command for rehearsals, against a platform that answers as told.
import { describe, expect, it } from 'vitest';
import { ask, run, startFakePlatform, type Replies } from '../testing/fake-platform.ts';

const rehearsal = {
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
const platform: Replies = { 'POST /x/v1/renewals/rehearsal': { body: rehearsal } };

describe('rehearse', () => {
  it('tells how many renewals there would be, who does them, and what nothing renews', async () => {
    const { code, out } = await ask(platform, ['rehearse']);
    expect(code).toBe(0);
    expect(out).toMatch(/Renewals in a year, today +9/);
    expect(out).toMatch(/With this lifetime +30/);
    expect(out).toMatch(/Busiest day +27 on 2026-11-24/);
    expect(out).toMatch(/by hand so far +3 +30/);
    expect(out).toMatch(/in no location, key in no token +2 +20/);
  });

  it('asks for the lifetime and the day that were given, and has every day for programs', async () => {
    const started = await startFakePlatform(platform);
    const args = ['rehearse', '--lifetime', '100', '--from', '2027-03-15', '--json'];
    const { out } = await run([...args, '--data', started.data]);
    expect(started.asked[0]?.body).toMatchObject({ lifetimeDays: 100, from: '2027-03-15' });
    expect(JSON.parse(out)).toEqual(rehearsal);
  });

  it('refuses a lifetime that is none before it asks', async () => {
    expect((await ask(platform, ['rehearse', '--lifetime', 'short'])).code).toBe(2);
  });
});
