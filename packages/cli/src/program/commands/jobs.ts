// `signetry jobs …`: manages jobs that the platform runs on a schedule.
import { MAX_ITEMS_PER_PAGE, type ScheduledJobOverview, type SchedulerJobExecutionStatus } from '@signetry/contract';
import { setTimeout as delay } from 'node:timers/promises';
import { command, type Argument } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { findNamed } from '../output/find-named.ts';
import { renderFacts, renderTable, type Column, type Fact, type Tone } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

const tones: Readonly<Record<SchedulerJobExecutionStatus, Tone | undefined>> = {
  started: undefined,
  succeeded: 'good',
  failed: 'bad',
};

export const listJobs = command({
  name: 'jobs list',
  about: 'List scheduled jobs and their next runs',
  flags: connectionFlags,
  async run({ flags, json }, context) {
    const jobs = await listAllJobs(await connect(flags, context));
    const { colour, width } = context;
    if (json) printJson(context, jobs);
    else if (jobs.length === 0) context.err('No scheduled jobs.');
    else context.out(renderTable(jobs, { columns: columns(context.now()), colour, width }));
    return EXIT.ok;
  },
});

async function listAllJobs({ client, options }: Connection): Promise<ScheduledJobOverview[]> {
  const jobs: ScheduledJobOverview[] = [];
  for (let pageNumber = 1; ; pageNumber += 1) {
    const query = { itemsPerPage: MAX_ITEMS_PER_PAGE, pageNumber };
    const answer = await client.scheduledJobRuns.listScheduledJobOverviews({ query }, options);
    jobs.push(...answer.scheduledJobs);
    if (pageNumber >= answer.totalPages) return jobs;
  }
}

const columns = (now: number): readonly Column<ScheduledJobOverview>[] => [
  { title: 'Name', text: ({ jobName }) => jobName },
  { title: 'State', text: ({ running, enabled }) => (running ? 'running' : enabled ? 'enabled' : 'disabled') },
  { title: 'Next run', text: ({ nextRunAt }) => (nextRunAt ? describeTime(nextRunAt, now) : '') },
  {
    title: 'Last result',
    text: ({ lastRun }) => lastRun?.status ?? '',
    tone: ({ lastRun }) => lastRun && tones[lastRun.status],
  },
  { title: 'Schedule', text: ({ cronExpression }) => cronExpression },
  { title: 'Runs as', isMinor: true, text: ({ username }) => username ?? 'the platform' },
  { title: 'UUID', isWhole: true, isMinor: true, text: ({ uuid }) => uuid },
];

const selector: Argument = { name: 'JOB', about: 'name or UUID of a scheduled job' };

async function findJob(connection: Connection, given: string): Promise<ScheduledJobOverview> {
  const jobs = (await listAllJobs(connection)).map((job) => ({ ...job, name: job.jobName }));
  return findNamed(jobs, given, { what: 'scheduled job', list: 'signetry jobs list' });
}

/** Number of runs that `jobs show` lists. */
const SHOWN_RUNS = 10;

export const showJob = command({
  name: 'jobs show',
  about: 'Show a scheduled job and its recent runs',
  arguments: [selector],
  flags: connectionFlags,
  examples: ['signetry jobs show "office network"'],
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const job = await findJob(connection, given);
    const { scheduledJobHistory: runs } = await client.scheduledJobs.getScheduledJobHistory(
      { params: { uuid: job.uuid }, query: { itemsPerPage: SHOWN_RUNS } },
      options,
    );
    if (json) printJson(context, { ...job, runs });
    else {
      context.out(renderFacts(factsOf(job, context), context));
      const { colour, width } = context;
      if (runs.length > 0) context.out(renderTable(runs, { columns: runColumns, colour, width }));
    }
    return EXIT.ok;
  },
});

function factsOf(job: ScheduledJobOverview, context: Pick<Context, 'now'>): readonly Fact[] {
  const { nextRunAt, lastRun } = job;
  return [
    ['UUID', job.uuid],
    ['Job type', job.jobType],
    ['State', job.running ? 'running' : job.enabled ? 'enabled' : 'disabled'],
    ['Schedule', `${job.cronExpression} (${job.timeZone})${job.oneTime ? ', once' : ''}`],
    ['Next run', nextRunAt && describeTime(nextRunAt, context.now())],
    ['Runs as', job.username ?? 'the platform'],
    ['Last result', lastRun && [lastRun.status, lastRun.message].filter(Boolean).join(': '), lastRun && tones[lastRun.status]], // prettier-ignore
  ];
}

type Run = Awaited<
  ReturnType<Connection['client']['scheduledJobs']['getScheduledJobHistory']>
>['scheduledJobHistory'][number];

const runColumns: readonly Column<Run>[] = [
  { title: 'Started', text: ({ startTime }) => startTime },
  { title: 'Ended', text: ({ endTime }) => endTime ?? '' },
  { title: 'Result', text: ({ status }) => status, tone: ({ status }) => tones[status] },
  { title: 'Message', text: ({ resultMessage }) => resultMessage ?? '' },
  { title: 'Created', isMinor: true, text: ({ resultObjectIdentification: made = [] }) => made.join(', ') },
];

const POLL_MS = 1_000;

export const runJob = command({
  name: 'jobs run',
  about: 'Run a scheduled job now',
  arguments: [selector],
  flags: { follow: { about: 'Wait until the run ends; the exit code reflects the result' }, ...connectionFlags },
  examples: ['signetry jobs run "office network" --follow'],
  async run({ args: [given = ''], flags, json }, context) {
    const connection = await connect(flags, context);
    const { client, options } = connection;
    const params = { uuid: (await findJob(connection, given)).uuid };
    let job = await client.scheduledJobRuns.runScheduledJob({ params }, options);
    while (flags.follow && job.running) {
      await delay(POLL_MS);
      job = await client.scheduledJobRuns.getScheduledJobOverview({ params }, options);
    }
    if (json) printJson(context, job);
    else context.out(renderFacts(factsOf(job, context), context));
    return flags.follow && job.lastRun?.status === 'failed' ? EXIT.failed : EXIT.ok;
  },
});

const toggleCommand = (verb: 'enable' | 'disable', about: string) =>
  command({
    name: `jobs ${verb}`,
    about,
    arguments: [selector],
    flags: connectionFlags,
    async run({ args: [given = ''], flags, json }, context) {
      const connection = await connect(flags, context);
      const { client, options } = connection;
      const params = { uuid: (await findJob(connection, given)).uuid };
      if (verb === 'enable') await client.scheduledJobs.enableScheduledJob({ params }, options);
      else await client.scheduledJobs.disableScheduledJob({ params }, options);
      const job = await client.scheduledJobRuns.getScheduledJobOverview({ params }, options);
      if (json) printJson(context, job);
      else context.out(renderFacts(factsOf(job, context), context));
      return EXIT.ok;
    },
  });

export const enableJob = toggleCommand('enable', 'Enable a scheduled job');
export const disableJob = toggleCommand('disable', 'Disable a scheduled job; a run in progress continues');
