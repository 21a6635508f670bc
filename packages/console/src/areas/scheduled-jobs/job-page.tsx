// Details of a scheduled job: its schedule, and its run history with the resulting discoveries.
import type { ScheduledJobHistoryDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../format/dates.ts';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { PagedList } from '../../kit/paged-list.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { useListSearch, useSearchChange } from '../../kit/use-list-search.ts';
import { jobHistoryQuery, jobQuery, RUNS_PER_PAGE, type NamedJob } from '../../queries/scheduled-jobs.ts';
import { Facts } from '../../ui/facts.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { Column } from '../../ui/table.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { describeSchedule } from './forms.ts';
import { JobActions } from './job-actions.tsx';
import { JobState, RunState, describeJobType, describeNextRun } from './state.tsx';

export function ScheduledJobPage() {
  return (
    <ObjectPage
      query={useQuery(jobQuery(useUuid()))}
      what="the scheduled job"
      parent={{ to: paths.scheduledJobs.list, label: 'Scheduled jobs' }}
      mark={(job) => <JobState job={job} />}
      actions={(job) => <JobActions job={job} />}
      main={(job) => <History job={job} />}
      side={(job) => <Side job={job} />}
    />
  );
}

type Run = ScheduledJobHistoryDto & { readonly uuid: string };

const columns: readonly Column<Run>[] = [
  { key: 'started', title: 'Started', cell: ({ startTime }) => formatDateTime(startTime) },
  { key: 'ended', title: 'Finished', minor: true, cell: ({ endTime }) => (endTime ? formatDateTime(endTime) : '') },
  { key: 'result', title: 'Result', cell: ({ status }) => <RunState of={status} /> },
  { key: 'message', title: 'Message', cell: ({ resultMessage }) => resultMessage ?? '' },
  { key: 'made', title: 'Created', cell: (run) => <RunResult run={run} /> },
];

function RunResult({ run: { resultObjectType, resultObjectIdentification = [] } }: { readonly run: Run }) {
  const [uuid] = resultObjectIdentification;
  return resultObjectType === 'discoveries' && uuid !== undefined ? (
    <TextLink to={paths.discoveries.one(uuid)}>Discovery</TextLink>
  ) : null;
}

function History({ job }: { readonly job: NamedJob }) {
  const { page = 1 } = useListSearch();
  const change = useSearchChange();
  return (
    <PagedList
      query={useQuery(jobHistoryQuery(job.uuid, page))}
      what="the history"
      label="History"
      rowsOf={({ runs }) => runs}
      columns={columns}
      nameOf={({ startTime }) => formatDateTime(startTime)}
      page={page}
      size={RUNS_PER_PAGE}
      onPage={(next) => change({ page: next })}
      empty={<Empty title="No runs yet">Runs and their results are listed here.</Empty>}
    />
  );
}

function Side({ job }: { readonly job: NamedJob }) {
  return (
    <Panel title="Schedule">
      <Facts
        facts={[
          { name: 'Next run', value: describeNextRun(job) ?? 'None' },
          { name: 'Schedule', value: `${describeSchedule(job.cronExpression)}${job.oneTime ? ', once' : ''}` },
          { name: 'Schedule time zone', value: job.timeZone },
          { name: 'Cron expression', value: job.cronExpression },
          { name: 'Task', value: describeJobType(job.jobType) },
          { name: 'Runs as', value: job.username ?? 'Platform' },
          identifierFact(job.uuid),
        ]}
      />
    </Panel>
  );
}
