// The most recent compliance check of a certificate, request or key: the violated rules, with their requirements and
// remedies.
import { Stack, Text } from '@mantine/core';
import type { ComplianceCheckResultDto, ComplianceCheckRuleDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { formatDateTime } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { resultQuery, type CheckedObject } from '../../queries/compliance.ts';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { RuleText } from './rule-text.tsx';
import { ComplianceState } from './state.tsx';

export interface ComplianceProps {
  readonly title?: string;
  readonly of: CheckedObject;
}

export function Compliance({ title = 'Compliance', of: object }: ComplianceProps) {
  const [wait, setWait] = useState<{ readonly after: string | undefined }>();
  const query = useQuery(resultQuery(object, wait));
  const isAwaited = wait !== undefined && query.data !== undefined && query.data.timestamp === wait.after;
  return (
    <Panel
      title={title}
      actions={
        <ActionButton
          size="xs"
          action={{
            label: 'Check now',
            name: `Check now: ${title.toLowerCase()}`,
            needs: ['complianceProfiles', 'checkCompliance'],
            run: async () => {
              await api.compliance.checkResourceObjectComplianceV2({ params: { ...object } });
              setWait({ after: query.data?.timestamp });
            },
            done: 'Check requested.',
            refresh: resultQuery(object).queryKey,
          }}
        />
      }
    >
      <QueryView of={query} what="the compliance result">
        {(result) => <Result result={result} isAwaited={isAwaited} />}
      </QueryView>
    </Panel>
  );
}

interface ResultProps {
  readonly result: ComplianceCheckResultDto;
  readonly isAwaited: boolean;
}

function Result({ result: { status, timestamp, message, failedRules }, isAwaited }: ResultProps) {
  const broken = failedRules.filter((rule) => rule.status !== 'na');
  const others = failedRules.length - broken.length;
  return (
    <Stack gap="md">
      <div>
        <ComplianceState of={status} />
        <Text size="xs" c="dimmed" role="status">
          {isAwaited
            ? 'Check in progress.'
            : timestamp === undefined
              ? 'Not checked yet, or no compliance profile applies.'
              : `Checked ${formatDateTime(timestamp)}`}
        </Text>
      </div>
      {message !== undefined && (
        <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
          {message}
        </Text>
      )}
      {broken.length > 0 && (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Violated rules">
          {broken.map((rule) => (
            <ViolatedRule key={`${rule.connectorUuid} ${rule.uuid}`} rule={rule} />
          ))}
        </Stack>
      )}
      {others > 0 && (
        <Text size="xs" c="dimmed">
          {`${formatCount(others)} other ${others === 1 ? 'rule does' : 'rules do'} not apply.`}
        </Text>
      )}
    </Stack>
  );
}

function ViolatedRule({
  rule: { name, description, status, connectorName },
}: {
  readonly rule: ComplianceCheckRuleDto;
}) {
  return (
    <li>
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}{' '}
        <Text span size="xs" c="dimmed" fw={400}>
          {connectorName === undefined ? 'your rule' : `from ${connectorName}`}
        </Text>
      </Text>
      {status === 'not_available' && <State tone="warn">Could not be checked</State>}
      <Text size="sm" component="div">
        <RuleText description={description} />
      </Text>
    </li>
  );
}
