// What is written down for Intune, and told until Intune took it; over a real table, and told by a stand-in.
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform, type FakeClock } from '@signetry/testkit/services';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Enrolment } from '../../../areas/enrolments/index.ts';
import { makeCertificate } from '../../../areas/certificates/testing/test-certificates.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { Database } from '../../../platform/database/database.ts';
import { enrolmentOf } from '../testing/scep-ports.ts';
import { IntuneFault, IntuneRefusal } from './faults.ts';
import { createIntuneNotices } from './notices.ts';
import type { NoticeRow } from './tables.ts';

let database: Database;
let certificate: Uint8Array;
beforeAll(async () => {
  database = await testDatabase();
  certificate = (await makeCertificate('device.example')).der;
});

const account = { tenant: 'contoso.example', applicationId: 'app', applicationKey: new Secret('key') };
/** On a busy machine, too. */
const SOON = { timeout: 15_000, interval: 20 };
const rows = () => database.query<NoticeRow>('SELECT * FROM scep_intune_notice ORDER BY created_at');

let clock: FakeClock;
let told: string[];
/** How the next calls fail, one after the other. */
let failures: Error[];
let enrolment: Enrolment | undefined;
let usesIntune: boolean;

beforeEach(async () => {
  await database.query('DELETE FROM scep_intune_notice');
  clock = createFakeClock();
  [told, failures, enrolment, usesIntune] = [[], [], enrolmentOf(), true];
});

/** A profile of its own, whose notices are dealt with from now on, or from when the test says. */
function start({ isStarted = true } = {}) {
  const tell =
    (what: string) =>
    async (_account: unknown, { transactionId }: { readonly transactionId: string }) => {
      const failure = failures.shift();
      if (failure) throw failure;
      told.push(`${what} ${transactionId}`);
    };
  const notices = createIntuneNotices({
    platform: testPlatform(database, { clock }),
    intune: { tellIssued: tell('issued'), tellFailed: tell('failed') },
    profiles: { findOne: async (uuid) => (usesIntune ? { uuid, name: 'phones', account } : undefined) },
    enrolments: { find: async () => enrolment },
  });
  onTestFinished(() => notices.stop());
  if (isStarted) notices.start();
  const key = { profile: { uuid: newUuid() }, enrolmentTransaction: 'T1/a' };
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

describe('what Intune is to be told', () => {
  it('is written down once by transaction, and looked at in ten seconds', async () => {
    const notices = start();
    await notices.expect();
    await notices.expect();
    expect(await rows()).toMatchObject([
      { enrolment_transaction: 'T1/a', transaction_id: 'T1', request: 'AQID', attempts: 0 },
    ]);
    const pause = await pauseOf();
    expect([pause > 5_000, pause <= 10_000]).toEqual([true, true]);
  });

  it.each<[string, () => Enrolment]>([
    ['issued T1', () => enrolmentOf({ state: 'issued', certificate })],
    ['failed T1', () => enrolmentOf({ state: 'refused', problem: 'no' })],
  ])('is told as soon as it is known, and then forgotten: %s', async (what, ended) => {
    const notices = start();
    await notices.expect();
    enrolment = ended();
    await notices.hasten();
    await vi.waitFor(async () => expect(await rows()).toEqual([]), SOON);
    expect(told).toEqual([what]);
  });

  it('is put off while nobody knows', async () => {
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
  ])('is forgotten untold where %s', async (_why, uses, ageMs) => {
    const notices = start();
    await notices.expect();
    usesIntune = uses;
    enrolment = undefined;
    clock.advance(ageMs);
    await notices.hasten();
    await vi.waitFor(async () => expect(await rows()).toEqual([]), SOON);
    expect(told).toEqual([]);
  });
});

describe('what Intune did not take', () => {
  beforeEach(() => {
    enrolment = enrolmentOf({ state: 'issued', certificate });
  });

  it.each([
    ['it did not answer', new IntuneFault('Microsoft Intune cannot be reached')],
    ['it refused', new IntuneRefusal('SomethingNew')],
  ])('is told again later where %s', async (_why, failure) => {
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

  it('is given up after eighty attempts', async () => {
    failures = [new IntuneFault('Microsoft Intune cannot be reached')];
    const notices = start();
    await notices.expect();
    await database.query('UPDATE scep_intune_notice SET attempts = 79');
    await notices.hasten();
    await vi.waitFor(async () => expect(await rows()).toEqual([]), SOON);
    expect([told, failures]).toEqual([[], []]);
  });

  it('is due again after a minute where the platform itself failed', async () => {
    failures = [new TypeError('broken')];
    const notices = start();
    await notices.expect();
    await notices.hasten();
    await vi.waitFor(() => expect(failures).toEqual([]), SOON);
    const [row] = await rows();
    expect(row?.attempts).toBe(0);
    expect(await pauseOf()).toBeGreaterThan(50_000);
  });

  it('is due at once where the clock was set back since', async () => {
    const notices = start({ isStarted: false });
    await notices.expect();
    clock.advance(-3 * 3_600_000);
    notices.start();
    await vi.waitFor(() => expect(told).toEqual(['issued T1']), SOON);
  });
});
