// Goal: bulk validation gives the same verdicts as individual validation, a run resumes where it was interrupted, and
// statuses change with time when due. Method: an inventory with every kind of certificate, validated both ways.
import { crlDistributionPointsExtension } from '@signetry/pki';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate, makeRoot, type TestCertificate } from '../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../inventory/testing/test-inventory.ts';

const DAY_MS = 86_400_000;
let test: TestInventory;
let root: TestCertificate;

beforeAll(async () => {
  test = await createTestInventory();
  root = await makeRoot('Many Root');
  await test.trust(root.der);
});

const asking = () => ({
  ...test.context,
  audit: { module: 'certificates', resource: 'settings', operation: 'checkValidation' } as const,
});
const stored = () =>
  test.platform.database.query<{ uuid: string; status: string; checks: object }>(
    'SELECT uuid, validation_status AS status, validation_result AS checks FROM certificate ORDER BY uuid',
  );
const statusOf = async (uuid: string) => (await test.inventory.detail(uuid, test.context)).validationStatus;
const dueOf = async (uuid: string) => {
  const [row] = await test.platform.database.query<{ due_at: Date | null }>(
    'SELECT due_at FROM certificate_check WHERE certificate_uuid = $1',
    [uuid],
  );
  return row?.due_at?.getTime();
};

/** The first batch starts threads, which is slow when other tests are running. */
const PATIENT = { timeout: 60_000 };

describe('a validation run over the inventory', () => {
  it('reaches the same results as individual validations', async () => {
    const between = await makeCertificate('Many Between', { ca: true, issuer: root });
    const untrusted = await makeRoot('Many Untrusted');
    await test.trust(between.der);
    await test.upload(untrusted.der);
    const now = test.clock.now().getTime();
    const short = { notBefore: new Date(now - 9 * DAY_MS), notAfter: new Date(now - DAY_MS) };
    for (const [name, wish] of Object.entries({
      plain: { issuer: between },
      expired: { issuer: between, ...short },
      expiring: { issuer: between, notAfter: new Date(now + 9 * DAY_MS) },
      inactive: { issuer: between, notBefore: new Date(now + DAY_MS) },
      forged: { issuer: between, signer: root.keys },
      untrusted: { issuer: untrusted },
      unknown: { issuer: await makeRoot('Many Unknown') },
      self: {},
      noList: { issuer: between, extensions: [crlDistributionPointsExtension(['http://127.0.0.1:9/none.crl'])] },
    }))
      await test.upload((await makeCertificate(`${name}.many.test`, wish)).der);
    for (const { uuid } of await stored()) await test.inventory.validate(uuid, test.context);
    const alone = await stored();
    await test.platform.database.query(
      `UPDATE certificate SET validation_status = 'not_checked', validation_result = '{}' WHERE trusted_ca IS NULL`,
    );
    const begun = await test.validation.runs.begin(asking());
    expect(begun).toMatchObject({ state: 'running', startedBy: 'alice', total: alone.length, processed: 0 });
    expect((await test.validation.runs.begin(asking())).uuid).toBe(begun.uuid);
    await expect
      .poll(() => test.validation.runs.latest(), PATIENT)
      .toMatchObject({ state: 'finished', processed: alone.length });
    expect(await stored()).toEqual(alone);
    expect(new Set(alone.map(({ status }) => status))).toEqual(
      new Set(['valid', 'expired', 'expiring', 'inactive', 'invalid']),
    );
  });

  it('writes nothing for certificates whose result is unchanged', async () => {
    const versions = () =>
      test.platform.database.query('SELECT uuid, xmin::text FROM certificate WHERE trusted_ca IS NULL');
    const before = await versions();
    await test.validation.runs.begin(asking());
    await expect.poll(() => test.validation.runs.latest(), PATIENT).toMatchObject({ state: 'finished', changed: 0 });
    const after = await versions();
    // Certificates that refer to an external issuer or CRL are validated individually, which writes them.
    expect(after.filter((row, index) => JSON.stringify(row) !== JSON.stringify(before[index])).length).toBeLessThan(4);
    expect(
      await test.platform.database.query(
        `SELECT FROM certificate_check WHERE checked_at < now() - interval '1 minute'`,
      ),
    ).toEqual([]);
  });

  it('resumes after the last recorded batch', async () => {
    const uuids = (await stored()).map(({ uuid }) => uuid);
    await test.platform.database.query(
      `INSERT INTO certificate_validation_run (uuid, started_at, started_by, total, processed, cursor, leased_by, leased_until)
       VALUES (gen_random_uuid(), now() + interval '1 hour', 'bob', $1, 5, $2, gen_random_uuid(), now() - interval '1 s')`,
      [uuids.length, uuids[4]],
    );
    expect(await test.validation.runs.work()).toBe(uuids.length - 5);
    expect(await test.validation.runs.latest()).toMatchObject({
      state: 'finished',
      startedBy: 'bob',
      processed: uuids.length,
    });
  });
});

describe('a status that depends on time', () => {
  it('changes when its change is due, and then has a new due time for its next change', async () => {
    const notAfter = new Date(Math.ceil(test.clock.now().getTime() / 1000) * 1000 + 31 * DAY_MS);
    const uuid = await test.upload((await makeCertificate('due.test', { issuer: root, notAfter })).der);
    expect([await statusOf(uuid), await dueOf(uuid)]).toEqual(['valid', notAfter.getTime() - 30 * DAY_MS + 1]);
    while ((await test.validation.due.runOnce()) > 0);
    expect(await statusOf(uuid)).toBe('valid');
    test.clock.advance(DAY_MS + 2000);
    while ((await test.validation.due.runOnce()) > 0);
    expect([await statusOf(uuid), await dueOf(uuid)]).toEqual(['expiring', notAfter.getTime() + 1000]);
    test.clock.advance(30 * DAY_MS);
    while ((await test.validation.due.runOnce()) > 0);
    expect([await statusOf(uuid), await dueOf(uuid)]).toEqual(['expired', undefined]);
  });
});
