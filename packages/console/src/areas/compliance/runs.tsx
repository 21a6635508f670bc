// Bulk compliance checks: shows their progress and results, and lets users stop them.
import { Button, Progress, Stack, Text } from '@mantine/core';
import type { ComplianceRunDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { formatDateTime } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { isOpen, runListQuery } from '../../queries/compliance.ts';
import { Panel } from '../../ui/panel.tsx';
import { stateOf } from '../../ui/state.tsx';
import { Table, type Column } from '../../ui/table.tsx';

const RunState = stateOf<ComplianceRunDto['state']>({
  waiting: ['wait', 'Waiting'],
  running: ['wait', 'Running'],
  finished: ['good', 'Finished'],
  stopped: ['warn', 'Stopped'],
});

const subjects: Readonly<Record<string, string>> = {
  certificates: 'Certificates',
  certificateRequests: 'Requests',
  keys: 'Keys',
};

/** Progress is announced in increments of this many percent. */
const TOLD_PERCENT = 10;

export function Runs({ empty }: { readonly empty: ReactNode }) {
  const query = useQuery(runListQuery);
  return (
    <Panel
      title="Checks"
      flush
      actions={
        <Button size="xs" variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
          Refresh
        </Button>
      }
    >
      <QueryView of={query} what="the checks">
        {({ runs }) =>
          runs.length === 0 ? (
            empty
          ) : (
            <Table
              label="Checks"
              columns={columns}
              rows={runs}
              keyOf={({ uuid }) => uuid}
              nameOf={({ startedAt }) => formatDateTime(startedAt)}
            />
          )
        }
      </QueryView>
    </Panel>
  );
}

const columns: readonly Column<ComplianceRunDto>[] = [
  {
    key: 'started',
    title: 'Started',
    cell: ({ startedAt, startedBy }) => (
      <Stack gap={0}>
        <span>{formatDateTime(startedAt)}</span>
        <Text size="xs" c="dimmed">{`by ${startedBy}`}</Text>
      </Stack>
    ),
  },
  { key: 'what', title: 'Object type', minor: true, cell: ({ resource }) => subjects[resource] ?? resource },
  { key: 'state', title: 'State', cell: (run) => <RunProgress run={run} /> },
  { key: 'bad', title: 'Not compliant', titled: true, cell: ({ notCompliant }) => formatCount(notCompliant) },
  { key: 'good', title: 'Compliant', minor: true, cell: ({ compliant }) => formatCount(compliant) },
  { key: 'na', title: 'No rule applies', minor: true, cell: ({ notApplicable }) => formatCount(notApplicable) },
  { key: 'failed', title: 'Failed', minor: true, cell: ({ failed }) => formatCount(failed) },
  {
    key: 'stop',
    title: 'Action',
    cell: ({ uuid: runUuid, startedAt, ...run }) =>
      (run.state === 'running' || run.state === 'waiting') && (
        <ActionButton
          size="compact-sm"
          action={{
            label: 'Stop',
            name: `Stop the check started ${formatDateTime(startedAt)}`,
            isGrave: true,
            needs: ['complianceProfiles', 'checkCompliance'],
            run: () => api.complianceRuns.stopComplianceRun({ params: { runUuid } }),
            done: 'Check stopped.',
            refresh: ['complianceRuns'],
            ask: {
              title: 'Stop this check?',
              children:
                'Objects that were already checked keep their new results. All others keep their previous results.',
              keep: 'Keep running',
            },
          }}
        />
      ),
  },
];

function RunProgress({ run }: { readonly run: ComplianceRunDto }) {
  const { state, processed, total, perSecond, stoppedBy } = run;
  const share = total === 0 ? 0 : Math.floor((100 * processed) / total);
  const speed = perSecond === undefined ? '' : `, ${formatCount(perSecond)} per second`;
  return (
    <Stack gap={4}>
      <RunState of={state} />
      <Text size="xs" c="dimmed">
        {`${formatCount(processed)} of ${formatCount(total)}${speed}`}
        {stoppedBy !== undefined && `, by ${stoppedBy}`}
      </Text>
      {isOpen(run) && (
        <>
          {/* Announcing progress every second would be too frequent. */}
          <span className="visually-hidden" role="status">{`${share - (share % TOLD_PERCENT)}% checked`}</span>
          <Progress value={share} animated aria-label={`${share}% checked`} />
        </>
      )}
    </Stack>
  );
}
