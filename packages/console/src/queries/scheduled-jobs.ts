// Queries for the scheduled job pages. Running jobs are polled frequently.
import type { ScheduledJobOverview } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

const POLL_MS = 2_000;
/** Polling interval while no job is running, to detect the next run. */
const LATER_POLL_MS = 30_000;
export const JOBS_PER_PAGE = 50;
export const RUNS_PER_PAGE = 25;

export const jobListQuery = (pageNumber: number) =>
  queryOptions({
    queryKey: ['jobs', 'list', pageNumber],
    queryFn: ({ signal }) =>
      api.scheduledJobRuns.listScheduledJobOverviews(
        { query: { itemsPerPage: JOBS_PER_PAGE, pageNumber } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.scheduledJobs.some(({ running }) => running) === true ? POLL_MS : LATER_POLL_MS,
  });

/** Job with its schedule and its display name. */
export type NamedJob = ScheduledJobOverview & { readonly name: string };

export const jobQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['jobs', 'one', uuid],
    queryFn: async ({ signal }): Promise<NamedJob> => {
      const job = await api.scheduledJobRuns.getScheduledJobOverview({ params: { uuid } }, { signal });
      return { ...job, name: job.jobName };
    },
    refetchInterval: ({ state: { data } }) => (data?.running ? POLL_MS : LATER_POLL_MS),
  });

export const jobHistoryQuery = (uuid: string, pageNumber: number) =>
  queryOptions({
    queryKey: ['jobs', 'one', uuid, 'history', pageNumber],
    queryFn: async ({ signal }) => {
      const query = { itemsPerPage: RUNS_PER_PAGE, pageNumber };
      const { scheduledJobHistory, ...paging } = await api.scheduledJobs.getScheduledJobHistory(
        { params: { uuid }, query },
        { signal },
      );
      const runs = scheduledJobHistory.map((run, place) => ({ ...run, uuid: `${run.startTime} ${place}` }));
      return { ...paging, runs };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.runs.some(({ status }) => status === 'started') === true ? POLL_MS : LATER_POLL_MS,
  });

/** Next times at which a cron expression matches. */
export const cronQuery = (cronExpression: string) =>
  queryOptions({
    queryKey: ['jobs', 'cron', cronExpression],
    queryFn: ({ signal }) =>
      api.scheduledJobRuns.explainCronExpression({ body: { cronExpression, count: 5 } }, { signal }),
    placeholderData: keepPreviousData,
    enabled: cronExpression !== '',
  });
