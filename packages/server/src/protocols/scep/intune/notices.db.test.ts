// Notices for Intune, stored and sent until Intune accepts them; with a real table and a fake client.
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform, type FakeClock } from '@signetry/testkit/services';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Enrollment } from '../../../areas/enrollments/index.ts';
import { makeCertificate } from '../../../areas/certificates/testing/test-certificates.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { Database } from '../../../platform/database/database.ts';
import { enrollmentOf } from '../testing/scep-ports.ts';
import { IntuneFault, IntuneRejection } from './faults.ts';
import { createIntuneNotices } from './notices.ts';
import type { NoticeRow } from './tables.ts';

let database: Database;
let certificate: Uint8Array;
beforeAll(async () => {
  database = await testDatabase();
  certificate = (await makeCertificate('device.example')).der;
});

const account = { tenant: 'contoso.example', applicationId: 'app', applicationKey: new Secret('key') };
/** Long enough for a busy machine. */
const SOON = { timeout: 15_000, interval: 20 };
const rows = () => database.query<NoticeRow>('SELECT * FROM scep_intune_notice ORDER BY created_at');

let clock: FakeClock;
let told: string[];
/** Errors with which the next calls fail, in order. */
let failures: Error[];
let enrollment: Enrollment | undefined;
let usesIntune: boolean;

beforeEach(async () => {
  await database.query('DELETE FROM scep_intune_notice');
  clock = createFakeClock();
  [told, failures, enrollment, usesIntune] = [[], [], enrollmentOf(), true];
});

/** Creates a separate profile and starts processing its notices, unless the test starts it later. */
function start({ isStarted = true } = {}) {
  const notify =
    (what: string) =>
    async (_account: unknown, { transactionId }: { readonly transactionId: string }) => {
      const failure = failures.shift();
      if (failure) throw failure;
      told.push(`${what} ${transactionId}`);
    };
  const notices = createIntuneNotices({
    platform: testPlatform(database, { clock }),
    intune: { tellIssued: notify('issued'), tellFailed: notify('failed') },
    profiles: { findOne: async (uuid) => (usesIntune ? { uuid, name: 'phones', account } : undefined) },
    enrollments: { find: async () => enrollment },
  });
  onTestFinished(() => notices.stop());
  if (isStarted) notices.start();
  const key = { profile: { uuid: newUuid() }, enrollmentTransaction: 'T1/a' };
  return {
    expect: () => notices.expect({ ...key, request: { transactionId: 'T1', request: 'AQID' } }),
    hasten: () => notices.hasten(key),
    start: () => notices.start(),
  };
}

const pauseOf = async (): Promise<number> => {
  const [row] = await rows();
  return (row?.next_at.getTime() ?? 0) - clock.now().getTime();
};

describe('a notice for Intune', () => {
  it('is stored once per transaction, and checked after 10 s', async () => {
    const notices = start();
    await notices.expect();
    await notices.expect();
    expect(await rows()).toMatchObject([
      { enrollment_transaction: 'T1/a', transaction_id: 'T1', request: 'AQID', attempts: 0 },
    ]);
    const pause = await pauseOf();
    expect([pause > 5_000, pause <= 10_000]).toEqual([true, true]);
  });

  it.each<[string, () => Enrollment]>([
    ['issued T1', () => enrollmentOf({ state: 'issued', certificate })],
    ['failed T1', () => enrollmentOf({ state: 'refused', problem: 'no' })],
  ])('is sent as soon as the outcome is known, then deleted: %s', async (what, ended) => {
    const notices = start();
    await notices.expect();
    enrollment = ended();
    await notices.hasten();
    await vi.waitFor(async () => expect(await rows()).toEqual([]), SOON);
    expect(told).toEqual([what]);
  });

  it('is postponed while the outcome is unknown', async () => {
    const notices = start();
    await notices.expect();
    await notices.hasten();
    await vi.waitFor(async () => {
      const pause = await pauseOf();
      expect([pause > 0, pause <= 5_000]).toEqual([true, true]);
    }, SOON);
    expect(await rows()).toMatchObject([{ attempts: 0 }]);
    expect(told).toEqual([]);
  });

  it.each([
    ['the profile does not use Intune any more', false, 0],
    ['nothing was ever begun', true, 11 * 60_000],
  ])('is deleted without being sent if %s', async (_why, uses, ageMs) => {
    const notices = start();
    await notices.expect();
    usesIntune = uses;
    enrollment = undefined;
    clock.advance(ageMs);
    await notices.hasten();
    await vi.waitFor(async () => expect(await rows()).toEqual([]), SOON);
    expect(told).toEqual([]);
  });
});

describe('a notice that Intune did not accept', () => {
  beforeEach(() => {
    enrollment = enrollmentOf({ state: 'issued', certificate });
  });

  it.each([
    ['it did not answer', new IntuneFault('Microsoft Intune is unreachable')],
    ['it refused', new IntuneRejection('SomethingNew')],
  ])('is sent again later if %s', async (_why, failure) => {
    failures = [failure];
    const notices = start();
    await notices.expect();
    await notices.hasten();
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ attempts: 1 }]), SOON);
    const pause = await pauseOf();
    expect([pause > 0, pause <= 10_000]).toEqual([true, true]);
    clock.advance(10_000);
    await notices.hasten();
    await vi.waitFor(async () => expect(await rows()).toEqual([]), SOON);
    expect(told).toEqual(['issued T1']);
  });

  it('is dropped after 80 attempts', async () => {
    failures = [new IntuneFault('Microsoft Intune is unreachable')];
    const notices = start();
    await notices.expect();
    await database.query('UPDATE scep_intune_notice SET attempts = 79');
    await notices.hasten();
    await vi.waitFor(async () => expect(await rows()).toEqual([]), SOON);
    expect([told, failures]).toEqual([[], []]);
  });

  it('is due again after one minute if the platform itself failed', async () => {
    failures = [new TypeError('broken')];
    const notices = start();
    await notices.expect();
    await notices.hasten();
    await vi.waitFor(() => expect(failures).toEqual([]), SOON);
    const [row] = await rows();
    expect(row?.attempts).toBe(0);
    expect(await pauseOf()).toBeGreaterThan(50_000);
  });

  it('is due immediately if the clock has been set back', async () => {
    const notices = start({ isStarted: false });
    await notices.expect();
    clock.advance(-3 * 3_600_000);
    notices.start();
    await vi.waitFor(() => expect(told).toEqual(['issued T1']), SOON);
  });
});
