// Approvals of a certificate, newest first; renders nothing if there are none.
import { Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useProfile, useMayList } from '../../api/session.ts';
import { formatDateTime, formatRelative } from '../../format/dates.ts';
import { capitalize } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { certificateApprovalsQuery, type ListedApproval } from '../../queries/approvals.ts';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ApprovalState } from './state.tsx';

export function ApprovalsPanel({ certificateUuid }: { readonly certificateUuid: string }) {
  const { data = [] } = useQuery(certificateApprovalsQuery(certificateUuid));
  if (data.length === 0) return null;
  return (
    <Panel title="Approvals">
      <List listStyleType="none" spacing="sm" styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}>
        {data.map((approval) => (
          <List.Item key={approval.uuid}>
            <Entry approval={approval} />
          </List.Item>
        ))}
      </List>
    </Panel>
  );
}

function Entry({ approval }: { readonly approval: ListedApproval }) {
  const { uuid, resourceAction, status, creatorUuid, creatorUsername, createdAt, closedAt } = approval;
  const mayList = useMayList();
  const maySee = useProfile().uuid === creatorUuid || mayList('approvals');
  const action = capitalize(resourceAction);
  return (
    <>
      <Group justify="space-between" gap="xs">
        {maySee ? <TextLink to={paths.approvals.one(uuid)}>{action}</TextLink> : <span>{action}</span>}
        <ApprovalState of={status} />
      </Group>
      <Text size="xs" c="dimmed" title={formatDateTime(closedAt ?? createdAt)}>
        Requested by {creatorUsername ?? 'a deleted user'}{' '}
        {closedAt === undefined ? formatRelative(createdAt) : `and closed ${formatRelative(closedAt)}`}
      </Text>
    </>
  );
}
