// Commands for scheduled jobs, run against a fake platform.
import { describe, expect, it } from 'vitest';
import { ask, type Replies } from '../testing/fake-platform.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
const job = {
  uuid,
  jobName: 'office network',
  jobType: 'DiscoveryCertificateTask',
  cronExpression: '0 0 2 * * ?',
  enabled: true,
  oneTime: false,
  system: false,
  lastExecutionStatus: 'failed',
  username: 'ada',
  timeZone: 'Europe/Prague',
  nextRunAt: '2026-11-24T01:00:00.000Z',
  running: false,
  lastRun: {
    startedAt: '2026-11-23T01:00:00.000Z',
    endedAt: '2026-11-23T01:00:05.000Z',
    status: 'failed',
    message: 'The user ada is disabled.',
  },
};
const run = { jobUuid: uuid, startTime: '2026-11-23T01:00:00.000Z', status: 'failed', resultMessage: 'Disabled.' };
const page = { itemsPerPage: 1000, pageNumber: 1, totalItems: 1, totalPages: 1 };
const platform: Replies = {
  'GET /x/v1/scheduler/jobs': { body: { scheduledJobs: [job], ...page } },
  [`GET /x/v1/scheduler/jobs/${uuid}`]: { body: job },
  [`GET /v1/scheduler/jobs/${uuid}/history`]: { body: { scheduledJobHistory: [run], ...page } },
  [`POST /x/v1/scheduler/jobs/${uuid}/run`]: { body: { ...job, running: true } },
  [`PATCH /v1/scheduler/jobs/${uuid}/enable`]: { status: 204 },
  [`PATCH /v1/scheduler/jobs/${uuid}/disable`]: { status: 204 },
};

describe('jobs', () => {
  it('are listed with their next run and last result', async () => {
    const { code, out } = await ask(platform, ['jobs', 'list']);
    expect(code).toBe(0);
    expect(out.split('\n')[1]).toMatch(/^office network +enabled +2026-11-24T01:00:00Z .*failed +0 0 2 \* \* \?/);
    const { err } = await ask({ 'GET /x/v1/scheduler/jobs': { body: { scheduledJobs: [], ...page } } }, [
      'jobs',
      'list',
    ]);
    expect(err).toBe('No scheduled jobs.');
  });

  it('are shown by name with their runs', async () => {
    const { code, out } = await ask(platform, ['jobs', 'show', 'office network']);
    expect(code).toBe(0);
    expect(out).toMatch(/Schedule +0 0 2 \* \* \? \(Europe\/Prague\)/);
    expect(out).toMatch(/Last result +failed: The user ada is disabled\./);
    expect(out).toMatch(/2026-11-23T01:00:00\.000Z +failed +Disabled\./);
  });

  it('can be run, and with --follow the command fails if the run fails', async () => {
    expect((await ask(platform, ['jobs', 'run', uuid])).code).toBe(0);
    expect((await ask(platform, ['jobs', 'run', uuid, '--follow'])).code).toBe(1);
  });

  it.each(['enable', 'disable'])('can be changed with %s', async (verb) => {
    const { code, asked } = await ask(platform, ['jobs', verb, 'office network']);
    expect(code).toBe(0);
    const told = { method: 'PATCH', path: expect.stringContaining(`/scheduler/jobs/${uuid}/${verb}`) as unknown };
    expect(asked).toContainEqual(expect.objectContaining(told));
  });

  it('are named in the error if they do not exist', async () => {
    const { code, err } = await ask(platform, ['jobs', 'show', 'attic']);
    expect(code).not.toBe(0);
    expect(err).toMatch(/Cannot find scheduled job "attic"/);
  });
});
