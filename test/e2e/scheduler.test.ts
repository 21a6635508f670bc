// Scheduled discoveries and the platform's own jobs, over the API.
import { sharedTestServer } from '@signetry/testkit/platform';
import type { ScheduleDiscoveryDto } from '@signetry/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  storeAttributes,
  KEY_STORE_KIND,
  startDiscoveryProvider,
  type DiscoveryProvider,
} from '../load/discovery-provider.ts';
import { registerProvider, resultMaker } from './testing/discoveries.ts';
import { userWithRole } from './testing/limited-user.ts';
import { resourceRights } from './testing/rights.ts';
import {
  EVERY_SECOND,
  historyOf,
  RUN_MS,
  schedule,
  scheduleOf,
  waitForEnd,
  YEARLY,
} from './testing/scheduled-discoveries.ts';

const server = sharedTestServer({
  args: ['--egress-allowed-hosts', '127.0.0.1', '--discovery-networks', '127.0.0.0/8', '--time-zone', 'Europe/Prague'],
});
let provider: DiscoveryProvider;
let make: Awaited<ReturnType<typeof resultMaker>>;
let connectorUuid: string;

beforeAll(async () => {
  provider = await startDiscoveryProvider();
  make = await resultMaker();
  connectorUuid = await registerProvider(server.client, provider);
});
afterAll(() => provider?.stop());

const bodyOf = (name: string, changes: Partial<ScheduleDiscoveryDto> = {}) => scheduleOf(connectorUuid, name, changes);

describe('a scheduled discovery', () => {
  it(
    'is created on schedule and named after the job and the time, and the run ends when the discovery ends',
    { timeout: RUN_MS },
    async () => {
      const { client } = server;
      provider.shelves.set('once', { results: make(3), looks: 1 });
      const uuid = await schedule(client, bodyOf('once', { cronExpression: EVERY_SECOND, oneTime: true }));
      await waitForEnd(client, uuid, 'succeeded');
      const [run, ...others] = await historyOf(client, uuid);
      expect(others).toEqual([]);
      expect(run).toMatchObject({
        jobUuid: uuid,
        status: 'succeeded',
        resultMessage: 'Certificates found: 3. New to the inventory: 3.',
        resultObjectType: 'discoveries',
      });
      const [discoveryUuid = ''] = run?.resultObjectIdentification ?? [];
      const discovery = await client.discoveries.getDiscovery({ params: { uuid: discoveryUuid } });
      expect(discovery).toMatchObject({ status: 'completed', totalCertificatesDiscovered: 3 });
      expect(discovery.name).toMatch(/^once_\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(await client.scheduledJobs.getScheduledJobDetail({ params: { uuid } })).toMatchObject({
        jobName: 'job of once',
        jobType: 'DiscoveryCertificateTask',
        enabled: false,
        oneTime: true,
        system: false,
        objectData: { name: 'once', attributes: [{ content: [{ data: 'once' }] }] },
      });
    },
  );

  it('can be run on demand, and fails if its discovery fails', async () => {
    const { client } = server;
    provider.shelves.set('failing', { results: make(1), endsWith: 'failed' });
    const uuid = await schedule(client, bodyOf('failing'));
    const params = { uuid };
    expect(await client.scheduledJobRuns.runScheduledJob({ params })).toMatchObject({ lastExecutionStatus: 'started' });
    await waitForEnd(client, uuid, 'failed');
    expect((await historyOf(client, uuid))[0]?.resultMessage).toMatch(/^The provider reported a failure/);
    await client.scheduledJobs.deleteScheduledJob({ params });
    await expect(client.scheduledJobs.getScheduledJobDetail({ params })).rejects.toMatchObject({ status: 404 });
  });

  it('fails if its discovery is deleted', async () => {
    const { client } = server;
    provider.shelves.set('deleted', { results: make(500), delayMs: 5_000 });
    const uuid = await schedule(client, bodyOf('deleted'));
    await client.scheduledJobRuns.runScheduledJob({ params: { uuid } });
    await expect.poll(async () => (await historyOf(client, uuid))[0]?.resultObjectIdentification).toHaveLength(1);
    const [run] = await historyOf(client, uuid);
    await expect(client.scheduledJobs.deleteScheduledJob({ params: { uuid } })).rejects.toMatchObject({ status: 422 });
    await client.discoveries.bulkDeleteDiscovery({ body: run?.resultObjectIdentification ?? [] });
    await waitForEnd(client, uuid, 'failed');
    expect((await historyOf(client, uuid))[0]?.resultMessage).toBe('The discovery was deleted before it finished.');
  });

  it("runs with its user's current permissions", async () => {
    const { client } = server;
    provider.shelves.set('limited', { results: [] });
    const rightsWith = (action: string) => [
      resourceRights('discoveries', action),
      resourceRights('connectors', 'detail'),
    ];
    const { client: theirs, userUuid, roleUuid } = await userWithRole(server, rightsWith('create'));
    const uuid = await schedule(theirs, bodyOf('limited'));
    const run = () => client.scheduledJobRuns.runScheduledJob({ params: { uuid } });
    await run();
    await waitForEnd(client, uuid, 'succeeded');
    const body = { allowAllResources: false, resources: rightsWith('list') };
    await client.roles.saveRolePermissions({ params: { roleUuid }, body });
    await run();
    await waitForEnd(client, uuid, 'failed');
    expect((await historyOf(client, uuid))[0]?.resultMessage).toMatch(/You need the permission create on discoveries/);
    await client.users.disableUser({ params: { userUuid } });
    await run();
    await waitForEnd(client, uuid, 'failed');
    expect((await historyOf(client, uuid))[0]?.resultMessage).toMatch(
      /^User limited-.*, on whose behalf this job runs, is disabled/,
    );
  });

  it.each([
    [{ jobName: 'job of once' }, 400, /already exists/],
    [{ jobName: ' ' }, 422, /jobName/],
    [{ cronExpression: '0 2 * * *' }, 422, /six fields.*The first field is seconds/],
    [{ cronExpression: '0 0 25 * * ?' }, 422, /hours: 25 is not between 0 and 23/],
    [{ cronExpression: '0 '.repeat(200) }, 422, /cronExpression/],
    [{ cronExpression: 7 }, 422, /six fields/],
    [
      { request: { name: 'x'.repeat(250), kind: KEY_STORE_KIND, attributes: storeAttributes('once') } },
      422,
      /characters/,
    ],
    [{ request: { name: 'other', kind: 'Other', attributes: [] } }, 422, /does not offer this kind/],
    [{ request: { name: 'other', kind: KEY_STORE_KIND, attributes: [] } }, 422, /shelf/i],
    [
      { request: { name: 'other', kind: KEY_STORE_KIND, attributes: [], triggers: [crypto.randomUUID()] } },
      404,
      /Trigger/,
    ],
    [{ request: undefined }, 400, /request/],
  ])('is rejected if the discovery cannot be created: %j', async (changes, status, problem) => {
    const body = bodyOf('refused') as object;
    const request = 'request' in changes && changes.request ? { connectorUuid, ...changes.request } : undefined;
    const response = await fetch(`${server.ready.api}/v1/discoveries/schedule`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.ready.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, ...changes, ...('request' in changes && { request }) }),
    });
    expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(problem)]);
  });
});

describe('platform jobs', () => {
  it('exist exactly once, can be run on demand, and cannot be deleted or rescheduled', async () => {
    const { client } = server;
    const { scheduledJobs } = await client.scheduledJobRuns.listScheduledJobOverviews({ query: {} });
    const ours = scheduledJobs.filter(({ system }) => system);
    expect(ours.map(({ jobName }) => jobName).toSorted()).toEqual([
      'updateCertificateStatusJob',
      'updateIntuneRevocationRequestsJob',
    ]);
    const job = ours.find(({ jobName }) => jobName === 'updateCertificateStatusJob');
    expect(job).toMatchObject({
      jobName: 'updateCertificateStatusJob',
      jobType: 'UpdateCertificateStatusTask',
      timeZone: 'Europe/Prague',
    });
    const params = { uuid: job?.uuid ?? '' };
    await client.scheduledJobRuns.runScheduledJob({ params });
    await waitForEnd(client, params.uuid, 'succeeded');
    expect((await historyOf(client, params.uuid))[0]?.resultMessage).toMatch(
      /^Certificates validated: \d+\. Approvals expired: \d+\. Certificates expiring soon: \d+\.$/,
    );
    const { scheduledJobs: jobs } = client;
    await expect(jobs.deleteScheduledJob({ params })).rejects.toMatchObject({ status: 422 });
    const body = { cronExpression: YEARLY };
    await expect(jobs.updateScheduledJob({ params, body })).rejects.toMatchObject({ status: 422 });
    await jobs.disableScheduledJob({ params });
    expect(await jobs.getScheduledJobDetail({ params })).toMatchObject({
      enabled: false,
      cronExpression: '0 0 * ? * *',
    });
    await jobs.enableScheduledJob({ params });
    expect(await jobs.getScheduledJobDetail({ params })).toMatchObject({ enabled: true });
  });
});

describe('schedules', () => {
  it("are explained in the platform's time zone, along with any errors in an expression", async () => {
    const explain = (cronExpression: string) =>
      server.client.scheduledJobRuns.explainCronExpression({ body: { cronExpression, count: 3 } });
    const { timeZone, nextRuns, problem } = await explain('0 30 2 ? * MON');
    expect([timeZone, nextRuns.length, problem]).toEqual(['Europe/Prague', 3, undefined]);
    const inPrague = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    });
    expect(nextRuns.map((time) => inPrague.format(new Date(time)))).toEqual(['Mon 02:30', 'Mon 02:30', 'Mon 02:30']);
    expect(await explain('0 0 0 ? * 8')).toEqual({
      timeZone,
      nextRuns: [],
      problem: 'day of week: 8 is not between 1 and 7',
    });
  });

  it('of jobs can be changed, and are rejected if they are invalid', async () => {
    const { scheduledJobs } = server.client;
    const params = { uuid: await schedule(server.client, bodyOf('edited')) };
    const body = { cronExpression: '0 0 2 * * ?' };
    expect(await scheduledJobs.updateScheduledJob({ params, body })).toMatchObject(body);
    const bad = { cronExpression: '0 0 2 1 * MON' };
    await expect(scheduledJobs.updateScheduledJob({ params, body: bad })).rejects.toMatchObject({ status: 422 });
    const unknown = { uuid: crypto.randomUUID() };
    await expect(scheduledJobs.updateScheduledJob({ params: unknown, body })).rejects.toMatchObject({ status: 404 });
    const { scheduledJobs: page, totalItems } = await scheduledJobs.listScheduledJobs({
      query: { itemsPerPage: 1, pageNumber: 2 },
    });
    expect(page).toHaveLength(1);
    expect(totalItems).toBeGreaterThan(2);
  });
});
