// Shows whose decision is pending and why the user cannot decide. Users with permission can override the approvers.
import { Group, Stack, Text } from '@mantine/core';
import { api } from '../../api/client.ts';
import { useProfile } from '../../api/session.ts';
import { Actions, type RunAction } from '../../kit/actions.tsx';
import { APPROVALS_KEY } from '../../queries/approvals.ts';
import { Callout } from '../../ui/callout.tsx';
import { Panel } from '../../ui/panel.tsx';
import { describeApprover, describeRequest } from '../approvals/texts.ts';
import type { Approval } from './shapes.ts';

export function DecisionPanel({ approval }: { readonly approval: Approval }) {
  const { status, awaitsCaller, overridableByCaller } = approval;
  const { uuid } = useProfile();
  if (status !== 'PENDING') return null;
  return (
    <Panel title="Decision">
      <Stack>
        {awaitsCaller ? (
          <Callout tone="wait" title="Your decision is required">
            Review the request, then approve or reject it.
          </Callout>
        ) : (
          <NotEligible approval={approval} userUuid={uuid} />
        )}
        {overridableByCaller && <Override approval={approval} />}
      </Stack>
    </Panel>
  );
}

function NotEligible({ approval, userUuid }: { readonly approval: Approval; readonly userUuid: string }) {
  const steps = approval.approvalSteps.toSorted((one, other) => one.order - other.order);
  const step = steps[(approval.awaitedStep ?? 1) - 1];
  const hasDecided = steps.some((each) => each.approvalStepRecipients.some((one) => one.userUuid === userUuid));
  return (
    <>
      <Text>Waiting for {step ? describeApprover(step) : approval.approvalProfileName}.</Text>
      {approval.creatorUuid === userUuid ? (
        <Text c="dimmed">You requested it, so a different user must decide.</Text>
      ) : (
        hasDecided && <Text c="dimmed">You have already decided; the next decision is for a different user.</Text>
      )}
    </>
  );
}

/** Labeled as an override, so that it is not mistaken for an approver's decision. */
function Override({ approval }: { readonly approval: Approval }) {
  const params = { uuid: approval.uuid };
  const request = describeRequest(approval);
  const common = { needs: ['approvals', 'approve', approval.uuid], refresh: APPROVALS_KEY } as const;
  const override: readonly RunAction[] = [
    {
      ...common,
      label: 'Override and approve',
      run: () => api.approvals.approveApproval({ params }),
      done: `“${request}” was approved on behalf of the approvers.`,
      ask: {
        title: `Approve “${request}” on behalf of the approvers?`,
        children:
          'All remaining steps are skipped and the operation is carried out immediately. Your name is recorded.',
      },
    },
    {
      ...common,
      label: 'Override and reject',
      isGrave: true,
      run: () => api.approvals.rejectApproval({ params }),
      done: `“${request}” was rejected on behalf of the approvers.`,
      ask: {
        title: `Reject “${request}” on behalf of the approvers?`,
        children: 'The request is closed. It can be submitted again. Your name is recorded.',
      },
    },
  ];
  return (
    <div>
      <Text size="sm" c="dimmed" mb="xs">
        You can also decide on behalf of all approvers.
      </Text>
      <Group gap="xs">
        <Actions actions={override} />
      </Group>
    </div>
  );
}
