// Validation of the whole inventory: its progress, and the button that starts it.
import { Button, Progress, Stack, Text } from '@mantine/core';
import type { ValidationRunDto } from '@signetry/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { formatDateTime } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { validationRunQuery } from '../../queries/settings.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';

export function ValidationRunPanel() {
  const queries = useQueryClient();
  const query = useQuery(validationRunQuery);
  const start = useMutation({
    mutationFn: () => api.validationRuns.startValidationRun(),
    onSuccess: (run) => queries.setQueryData(validationRunQuery.queryKey, run),
  });
  const isRunning = query.data?.state === 'running';
  return (
    <Panel
      title="Inventory validation"
      actions={
        <Button
          size="xs"
          variant="default"
          loading={start.isPending}
          disabled={isRunning}
          onClick={() => start.mutate()}
        >
          Validate all
        </Button>
      }
    >
      <QueryView of={query} what="the inventory validation">
        {(run) => <Run run={run} />}
      </QueryView>
      {start.isError && (
        <Text size="sm" c="red" role="alert">
          {start.error.message}
        </Text>
      )}
    </Panel>
  );
}

function Run({ run }: { readonly run: ValidationRunDto }) {
  const { state, total = 0, processed = 0, changed = 0, perSecond, startedAt, startedBy, finishedAt } = run;
  if (state === 'none')
    return (
      <Text size="sm" c="dimmed">
        Each certificate is validated at the interval set in its RA profile. Validate all certificates after a change of
        trust anchors.
      </Text>
    );
  const share = total === 0 ? 100 : Math.floor((processed / total) * 100);
  return (
    <Stack gap="sm">
      {state === 'running' && <Progress value={share} aria-label={`${share}% of certificates validated`} />}
      <Facts
        facts={[
          { name: 'State', value: state === 'running' ? `In progress, ${share}%` : 'Finished' },
          { name: 'Validated', value: `${formatCount(processed)} of ${formatCount(total)} certificates` },
          { name: 'Status changed', value: formatCount(changed) },
          { name: 'Rate', value: perSecond && `${formatCount(perSecond)} per second` },
          { name: 'Started', value: startedAt && `${formatDateTime(startedAt)} by ${startedBy ?? ''}` },
          { name: 'Finished', value: finishedAt && formatDateTime(finishedAt) },
        ]}
      />
    </Stack>
  );
}
