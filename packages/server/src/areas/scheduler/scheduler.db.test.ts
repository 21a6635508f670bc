// Two nodes over one database, with a clock controlled by the tests.
import { scheduledJobOperations, scheduledJobRunOperations } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock } from '@signetry/testkit/services';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { coreContextFor } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { createAuditTrail } from '../audit/trail.ts';
import { contextOf, identityFixture, type IdentityFixture } from '../identity/testing/identity-fixture.ts';
import { createTimeKeeper } from './index.ts';
import type { JobKind, JobRun } from './ports.ts';
import { endRunsOf } from './run-ends.ts';
import { createRuns } from './runs.ts';
import { createSchedulerService, newRow, type NewJob } from './service.ts';
import { scheduledJobs } from './store.ts';

const START = new Date('2026-11-23T10:07:30Z');
const HOUR_MS = 3_600_000;
const HOURLY = '0 0 * ? * *';
const AT_TWO = '0 0 2 * * ?';

let database: Database;
let identity: IdentityFixture;
let platform: Platform;
let clock: ReturnType<typeof createFakeClock>;
/** Work done by runs. Set by each test. */
let work: JobKind['run'];
let begun: JobRun[];
let user: { readonly uuid: string; readonly username: string };

beforeAll(async () => {
  database = await testDatabase();
  identity = await identityFixture(database);
  identity.platform.events.subscribe({ event: 'scheduled_job_finished', queue: 'finished', handle: async () => {} });
});
beforeEach(async () => {
  await database.query('DELETE FROM scheduled_job');
  await database.query('DELETE FROM event_outbox');
  clock = createFakeClock(START);
  platform = { ...identity.platform, clock };
  begun = [];
  work = async () => undefined;
  const username = `user ${newUuid()}`;
  const { uuid } = await identity.call<{ uuid: string }>('createUser', { body: { username, enabled: true } });
  await identity.call('enableUser', { params: { userUuid: uuid } });
  user = { uuid, username };
});

const kind = (runsAgain: boolean, jobType: string): JobKind => ({
  jobType,
  runsAgain,
  run: (run) => {
    begun.push(run);
    return work(run);
  },
});

function node({ leaseS = 15 } = {}) {
  const kinds = new Map([kind(true, 'Repeatable'), kind(false, 'Other')].map((each) => [each.jobType, each]));
  const keepTime = createTimeKeeper(platform, 'UTC');
  const runs = createRuns({ platform, users: identity.area, kinds, keepTime, leaseS });
  const service = createSchedulerService(platform, { audit: createAuditTrail(platform), runs, timeZone: 'UTC' });
  const tick = async () => {
    while (await runs.runOnce());
    await runs.idle();
    await runs.runOnce();
  };
  onTestFinished(() => runs.stop());
  return { ...service, runs, tick };
}
type Node = ReturnType<typeof node>;

const context = (operation: keyof typeof scheduledJobOperations = 'enableScheduledJob') => ({
  ...coreContextFor(scheduledJobOperations[operation]),
  actor: contextOf(user, []).actor,
});
const running = () => ({ ...coreContextFor(scheduledJobRunOperations.runScheduledJob) });

const schedule = (made: Node, job: Partial<NewJob> = {}) =>
  made.create(
    { name: `job ${newUuid()}`, jobType: 'Repeatable', cronExpression: HOURLY, oneTime: false, request: {}, shown: {}, ...job },
    context(),
  ); // prettier-ignore

const historyOf = async (made: Node, uuid: string) =>
  (await made.history(uuid, { itemsPerPage: 100, pageNumber: 1 })).scheduledJobHistory.map(
    ({ status, resultMessage }) => [status, resultMessage] as const,
  );
const nextOf = async (made: Node, uuid: string) => (await made.overview(uuid)).nextRunAt?.slice(0, 19);
const refused = (problem: RegExp): unknown =>
  expect.objectContaining({ code: 'rejected_by_rules', message: expect.stringMatching(problem) as unknown });

describe('a job that is due', () => {
  it('is run by only one of two nodes, on behalf of its user, and its result is recorded', async () => {
    const [one, two] = [node(), node()];
    const uuid = await schedule(one, { request: { secret: 'open sesame' } });
    await Promise.all([one.tick(), two.tick()]);
    expect(begun).toEqual([]);
    clock.advance(HOUR_MS);
    work = async () => 'Done.';
    await Promise.all([one.tick(), two.tick(), one.tick()]);
    expect(await historyOf(one, uuid)).toEqual([['succeeded', 'Done.']]);
    expect(begun).toHaveLength(1);
    expect(begun[0]).toMatchObject({ request: { secret: 'open sesame' }, context: { actor: { userUuid: user.uuid } } });
    expect(await nextOf(one, uuid)).toBe('2026-11-23T12:00:00');
    const events = await database.query<{ event: string; payload: object }>('SELECT event, payload FROM event_outbox');
    expect(events).toMatchObject([
      { event: 'scheduled_job_finished', payload: { jobType: 'Repeatable', status: 'succeeded', userUuid: user.uuid } },
    ]);
  });

  it('is run only once for all missed times', async () => {
    const one = node();
    const uuid = await schedule(one);
    clock.advance(30 * HOUR_MS);
    await one.tick();
    await node().tick();
    expect(await historyOf(one, uuid)).toHaveLength(1);
    expect(await nextOf(one, uuid)).toBe('2026-11-24T17:00:00');
  });

  it('waits for its previous run to end', async () => {
    const one = node();
    const uuid = await schedule(one);
    work = (run) =>
      database.transaction((tx) => run.handOver(tx, { resource: 'discoveries', uuids: [uuid] })).then(() => undefined);
    clock.advance(HOUR_MS);
    await one.tick();
    clock.advance(HOUR_MS);
    await one.tick();
    expect(begun).toHaveLength(1);
    const end = { resource: 'discoveries', uuids: [uuid], status: 'failed', message: 'No matches.' } as const;
    await database.transaction((tx) => endRunsOf(platform, tx, end));
    work = async () => undefined;
    await one.tick();
    expect(await historyOf(one, uuid)).toEqual([
      ['succeeded', undefined],
      ['failed', 'No matches.'],
    ]);
  });

  it('fails with the message of a rejection, but not with the message of an internal error', async () => {
    const one = node();
    const uuid = await schedule(one);
    work = () => Promise.reject(new AppError('not_supported', { what: 'This' }));
    clock.advance(HOUR_MS);
    await one.tick();
    work = () => Promise.reject(new Error('secret of the platform'));
    clock.advance(HOUR_MS);
    await one.tick();
    // The end of a run wakes the node, which may have started the next run before this check.
    await expect
      .poll(() => historyOf(one, uuid))
      .toEqual([
        ['failed', 'An internal error occurred; see the platform log.'],
        ['failed', 'This is not supported.'],
      ]);
  });

  it('fails if its user is disabled or deleted', async () => {
    const one = node();
    const uuid = await schedule(one);
    await identity.call('disableUser', { params: { userUuid: user.uuid } });
    clock.advance(HOUR_MS);
    await one.tick();
    await identity.call('deleteUser', { params: { userUuid: user.uuid } });
    clock.advance(HOUR_MS);
    await one.tick();
    expect(begun).toEqual([]);
    const [[, gone], [, disabled]] = (await historyOf(one, uuid)) as [[string, string], [string, string]];
    expect(gone).toMatch(/^User user .*, on whose behalf this job runs, no longer exists/);
    expect(disabled).toMatch(/is disabled/);
  });

  it('runs with the current permissions of its user', async () => {
    const one = node();
    const uuid = await schedule(one);
    work = (run) => run.assertMay(scheduledJobOperations.listScheduledJobs, undefined).then(() => undefined);
    clock.advance(HOUR_MS);
    await one.tick();
    const [[status, message] = []] = await historyOf(one, uuid);
    expect([status, message]).toEqual(['failed', expect.stringMatching(/You need the permission list on jobs/)]);
  });
});

describe('a run whose node failed', () => {
  /** Simulates a killed node: the run was started and never carried out. */
  const dieDuring = async (uuid: string): Promise<void> => {
    const dead = node({ leaseS: 0 });
    await database.transaction(async (tx) => dead.runs.begin(tx, await scheduledJobs.lock(tx, uuid)));
  };
  const STOPPED = 'The node running it stopped during the run.';

  it('is ended with that reason, and is repeated if the job type supports it', async () => {
    const one = node();
    const [repeatable, other] = [await schedule(one), await schedule(one, { jobType: 'Other' })];
    await dieDuring(repeatable);
    await dieDuring(other);
    await one.tick();
    expect(await historyOf(one, repeatable)).toEqual([
      ['succeeded', undefined],
      ['failed', `${STOPPED} It will be run again.`],
    ]);
    expect(await historyOf(one, other)).toEqual([['failed', STOPPED]]);
  });

  it('is not repeated forever', async () => {
    const one = node();
    const uuid = await schedule(one);
    for (let times = 0; times < 3; times += 1) {
      await dieDuring(uuid);
      // One pass ends the abandoned run and does not start the next.
      await one.runs.runOnce();
    }
    await one.tick();
    expect(begun).toEqual([]);
    expect((await historyOf(one, uuid))[0]).toEqual([
      'failed',
      `${STOPPED} After 3 interruptions in a row, it is not repeated.`,
    ]);
  });

  it('that was started manually for a disabled job is not repeated, even if the job is enabled again later', async () => {
    const one = node();
    const uuid = await schedule(one);
    await one.disable(uuid, context('disableScheduledJob'));
    await dieDuring(uuid);
    await one.tick();
    await one.enable(uuid, context());
    await one.tick();
    expect(await historyOf(one, uuid)).toEqual([['failed', STOPPED]]);
  });

  it('is not ended while its node renews the lease', async () => {
    const [slow, other] = [node({ leaseS: 0.5 }), node()];
    const uuid = await schedule(slow);
    const ended = Promise.withResolvers<undefined>();
    work = () => ended.promise;
    clock.advance(HOUR_MS);
    await slow.runs.runOnce();
    const leases = async () =>
      (await database.query<{ until: Date }>('SELECT leased_until AS until FROM scheduled_job'))[0]?.until.getTime() ??
      0;
    const first = await leases();
    await expect.poll(leases).toBeGreaterThan(first + 500);
    await other.tick();
    expect(await historyOf(slow, uuid)).toEqual([['started', undefined]]);
    ended.resolve(undefined);
    await slow.runs.idle();
    expect(await historyOf(slow, uuid)).toEqual([['succeeded', undefined]]);
  });

  it('keeps its result if the node was merely late', async () => {
    const [slow, other] = [node(), node()];
    const uuid = await schedule(slow);
    const ended = Promise.withResolvers<undefined>();
    work = () => ended.promise;
    clock.advance(HOUR_MS);
    await slow.runs.runOnce();
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    await database.query("UPDATE scheduled_job SET leased_until = clock_timestamp() - interval '1 second'");
    work = async () => 'By the other one.';
    await other.tick();
    ended.resolve(undefined);
    await slow.runs.idle();
    expect(await historyOf(slow, uuid)).toEqual([
      ['succeeded', 'By the other one.'],
      ['failed', `${STOPPED} It will be run again.`],
    ]);
  });

  it('is ended when its node shuts down normally, and is repeated by a different node', async () => {
    const [stopping, other] = [node(), node()];
    const uuid = await schedule(stopping);
    work = ({ context: { signal } }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    clock.advance(HOUR_MS);
    await stopping.runs.runOnce();
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    await stopping.runs.stop();
    work = async () => undefined;
    await other.tick();
    expect(await historyOf(other, uuid)).toEqual([
      ['succeeded', undefined],
      ['failed', 'The platform was stopped during the run. It will be run again.'],
    ]);
  });
});

describe('a clock that is set back', () => {
  it('by less than a period does not repeat a run', async () => {
    const one = node();
    const uuid = await schedule(one, { cronExpression: AT_TWO });
    clock.advance(17 * HOUR_MS);
    await one.tick();
    clock.advance(-2 * HOUR_MS);
    await one.tick();
    clock.advance(1.5 * HOUR_MS);
    await one.tick();
    expect(await historyOf(one, uuid)).toHaveLength(1);
    expect(await nextOf(one, uuid)).toBe('2026-11-25T02:00:00');
  });

  it('by years does not delay jobs for years', async () => {
    const one = node();
    const uuid = await schedule(one, { cronExpression: AT_TWO });
    clock.advance(4 * 365 * 24 * HOUR_MS);
    await one.tick();
    clock.advance(-4 * 365 * 24 * HOUR_MS);
    await one.tick();
    expect(await nextOf(one, uuid)).toBe('2026-11-25T02:00:00');
    clock.advance(41 * HOUR_MS);
    await one.tick();
    // The newest run is the last one started, regardless of the clock.
    expect((await historyOf(one, uuid)).map(([status]) => status)).toEqual(['succeeded', 'succeeded']);
    expect((await one.overview(uuid)).lastRun?.startedAt).toMatch(/^2026-11-25T03/);
  });
});

describe('a job', () => {
  it('that runs only once is disabled after its first success, and can be enabled again', async () => {
    const one = node();
    const uuid = await schedule(one, { oneTime: true });
    work = () => Promise.reject(new AppError('not_supported', { what: 'This' }));
    clock.advance(HOUR_MS);
    await one.tick();
    expect(await one.overview(uuid)).toMatchObject({ enabled: true, lastExecutionStatus: 'failed' });
    work = async () => undefined;
    clock.advance(HOUR_MS);
    await one.tick();
    clock.advance(HOUR_MS);
    await one.tick();
    expect(await historyOf(one, uuid)).toHaveLength(2);
    expect(await one.overview(uuid)).toMatchObject({ enabled: false, lastExecutionStatus: 'succeeded' });
    expect(await nextOf(one, uuid)).toBeUndefined();
    await one.enable(uuid, context());
    expect(await nextOf(one, uuid)).toBe('2026-11-23T14:00:00');
  });

  it('that is disabled does not run on schedule, but can be run manually', async () => {
    const one = node();
    const uuid = await schedule(one);
    await one.disable(uuid, context('disableScheduledJob'));
    clock.advance(2 * HOUR_MS);
    await one.tick();
    expect(begun).toEqual([]);
    await one.setExpression(uuid, AT_TWO, context('updateScheduledJob'));
    expect(await one.overview(uuid)).toMatchObject({ enabled: false, cronExpression: AT_TWO });
    await one.run(uuid, running());
    await one.runs.idle();
    expect(await historyOf(one, uuid)).toHaveLength(1);
    expect(await nextOf(one, uuid)).toBeUndefined();
    await one.enable(uuid, context());
    expect(await nextOf(one, uuid)).toBe('2026-11-24T02:00:00');
  });

  it('that is running cannot be run or deleted; when it is deleted later, its history is also deleted', async () => {
    const one = node();
    const uuid = await schedule(one);
    const ended = Promise.withResolvers<undefined>();
    work = () => ended.promise;
    await one.run(uuid, running());
    expect(await one.overview(uuid)).toMatchObject({ running: true, lastExecutionStatus: 'started' });
    await expect(one.run(uuid, running())).rejects.toEqual(refused(/is running. Run it again after/));
    await expect(one.remove(uuid, context('deleteScheduledJob'))).rejects.toEqual(refused(/is running/));
    ended.resolve(undefined);
    await one.runs.idle();
    expect(await nextOf(one, uuid)).toBe('2026-11-23T11:00:00');
    await one.remove(uuid, context('deleteScheduledJob'));
    await expect(one.history(uuid, { itemsPerPage: 1, pageNumber: 1 })).rejects.toMatchObject({
      code: 'object_not_found',
    });
    expect(await database.query('SELECT * FROM scheduled_job_run')).toEqual([]);
  });

  it('that belongs to the platform can only be enabled, disabled and run', async () => {
    const one = node();
    const system = { uuid: newUuid(), name: 'system', jobType: 'Other', cronExpression: HOURLY, oneTime: false };
    await scheduledJobs.insert(
      database.executor,
      newRow({ ...system, system: true, timeZone: 'UTC', nextRunAt: null }),
    );
    await expect(one.setExpression(system.uuid, AT_TWO, context('updateScheduledJob'))).rejects.toEqual(
      refused(/is a platform job. Its schedule/),
    );
    await expect(one.remove(system.uuid, context('deleteScheduledJob'))).rejects.toEqual(
      refused(/It cannot be deleted\. Disable it instead/),
    );
    await one.disable(system.uuid, context('disableScheduledJob'));
    await one.enable(system.uuid, context());
    await one.run(system.uuid, running());
    await one.runs.idle();
    expect(begun[0]?.context.actor).toMatchObject({ type: 'core' });
    expect(await one.overview(system.uuid)).toMatchObject({ system: true, lastExecutionStatus: 'succeeded' });
  });

  it('has a unique name and a valid expression', async () => {
    const one = node();
    await schedule(one, { name: 'taken' });
    await expect(schedule(one, { name: 'taken' })).rejects.toMatchObject({ code: 'already_exists' });
    await expect(schedule(one, { cronExpression: '0 75 * * * ?' })).rejects.toEqual(
      refused(/minutes: 75 is not between/),
    );
    await expect(schedule(one, { cronExpression: '0 0 0 30 2 ?' })).rejects.toEqual(refused(/will never be due again/));
    expect(one.explain({ cronExpression: '0 75 * * * ?', count: 2 })).toEqual({
      timeZone: 'UTC',
      nextRuns: [],
      problem: 'minutes: 75 is not between 0 and 59',
    });
    expect(one.explain({ cronExpression: AT_TWO, count: 2 }).nextRuns).toHaveLength(2);
  });

  it('stores its request encrypted', async () => {
    const uuid = await schedule(node(), { request: { secret: 'open sesame' }, shown: { secret: '' } });
    const [{ text } = { text: 'none' }] = await database.query<{ text: string }>(
      "SELECT encode(sealed_request, 'escape') || object_data::text AS text FROM scheduled_job WHERE uuid = $1",
      [uuid],
    );
    expect(text).not.toContain('sesame');
    expect(await node().detail(uuid)).toMatchObject({ objectData: { secret: '' }, userUuid: user.uuid });
  });
});
