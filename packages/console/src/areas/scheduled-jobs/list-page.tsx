// All scheduled jobs, with their next run and last result.
import { Text } from '@mantine/core';
import type { ScheduledJobOverview } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { IconWorldSearch } from '@tabler/icons-react';
import { formatDateTime, formatRelative, readerTimeZone } from '../../format/dates.ts';
import { ActionButton, type Action } from '../../kit/actions.tsx';
import { PagedList } from '../../kit/paged-list.tsx';
import { paths } from '../../kit/paths.ts';
import { useListSearch, useSearchChange } from '../../kit/use-list-search.ts';
import { JOBS_PER_PAGE, jobListQuery } from '../../queries/scheduled-jobs.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { describeSchedule } from './forms.ts';
import classes from './jobs.module.css';
import { JobState, RunState, describeJobType } from './state.tsx';

const newAction: Action = {
  label: 'Schedule a discovery',
  icon: IconWorldSearch,
  isPrimary: true,
  needs: ['discoveries', 'create'],
  to: paths.discoveries.newScheduled,
};

const columns: readonly Column<ScheduledJobOverview>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: ({ uuid, jobName, jobType }) => (
      <span className={classes.name}>
        <ObjectLink to={paths.scheduledJobs.one(uuid)} name={jobName} detail={describeJobType(jobType)} />
      </span>
    ),
  },
  { key: 'state', title: 'State', cell: (job) => <JobState job={job} /> },
  {
    key: 'next',
    title: 'Next run',
    titled: true,
    cell: ({ nextRunAt }) =>
      nextRunAt && (
        <>
          {formatRelative(nextRunAt)}
          <Text size="xs" c="dimmed" className={classes.when}>
            {formatDateTime(nextRunAt)}
          </Text>
        </>
      ),
  },
  {
    key: 'schedule',
    title: 'Schedule',
    minor: true,
    cell: ({ cronExpression, oneTime }) => `${describeSchedule(cronExpression)}${oneTime ? ', once' : ''}`,
  },
  {
    key: 'last',
    title: 'Last result',
    cell: ({ lastRun }) => lastRun && <RunState of={lastRun.status} />,
  },
  {
    key: 'lastAt',
    title: 'Last run',
    minor: true,
    cell: ({ lastRun }) => (lastRun ? formatRelative(lastRun.startedAt) : 'Never'),
  },
  { key: 'user', title: 'Runs as', minor: true, cell: ({ username }) => username ?? 'Platform' },
];

export function ScheduledJobListPage() {
  const { page = 1 } = useListSearch();
  const change = useSearchChange();
  const queries = useQueryClient();
  return (
    <Page
      title="Scheduled jobs"
      description={`Jobs that the platform runs at set times. The job of a user runs with the permissions that the user has at that time. Next runs are shown in your time zone, ${readerTimeZone}.`}
      actions={<ActionButton action={newAction} />}
      wide
    >
      <PagedList
        query={useQuery(jobListQuery(page))}
        what="scheduled jobs"
        label="Scheduled jobs"
        rowsOf={({ scheduledJobs }) => scheduledJobs}
        columns={columns}
        nameOf={({ jobName }) => jobName}
        page={page}
        size={JOBS_PER_PAGE}
        onPage={(next) => change({ page: next })}
        onApproach={(next) => void queries.prefetchQuery(jobListQuery(next))}
        empty={
          <Empty title="No scheduled jobs" action={<ActionButton action={newAction} />}>
            No scheduled jobs are visible to you. Schedule a discovery to find certificates regularly.
          </Empty>
        }
      />
    </Page>
  );
}
