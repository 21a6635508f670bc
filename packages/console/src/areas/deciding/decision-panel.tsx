// Whose decision is awaited, why it is not the user's, and for those who may, deciding in place of all who are asked.
import { Group, Stack, Text } from '@mantine/core';
import { api } from '../../api/client.ts';
import { useProfile } from '../../api/session.ts';
import { Actions, type RunAction } from '../../kit/actions.tsx';
import { APPROVALS_KEY } from '../../queries/approvals.ts';
import { Callout } from '../../ui/callout.tsx';
import { Panel } from '../../ui/panel.tsx';
import { wordsOfApprover, wordsOfRequest } from '../approvals/words.ts';
import type { Approval } from './shapes.ts';

export function DecisionPanel({ approval }: { readonly approval: Approval }) {
  const { status, awaitsCaller, overridableByCaller } = approval;
  const { uuid } = useProfile();
  if (status !== 'PENDING') return null;
  return (
    <Panel title="Decision">
      <Stack>
        {awaitsCaller ? (
          <Callout tone="wait" title="Your decision is awaited">
            See what is requested, then approve or reject it.
          </Callout>
        ) : (
          <WhyNotYours approval={approval} userUuid={uuid} />
        )}
        {overridableByCaller && <Override approval={approval} />}
      </Stack>
    </Panel>
  );
}

function WhyNotYours({ approval, userUuid }: { readonly approval: Approval; readonly userUuid: string }) {
  const steps = approval.approvalSteps.toSorted((one, other) => one.order - other.order);
  const step = steps[(approval.awaitedStep ?? 1) - 1];
  const hasDecided = steps.some((each) => each.approvalStepRecipients.some((one) => one.userUuid === userUuid));
  return (
    <>
      <Text>It waits for {step ? wordsOfApprover(step) : approval.approvalProfileName}.</Text>
      {approval.creatorUuid === userUuid ? (
        <Text c="dimmed">You requested it, so somebody else has to decide.</Text>
      ) : (
        hasDecided && <Text c="dimmed">You have decided already; the next decision is for somebody else.</Text>
      )}
    </>
  );
}

/** Named as what it is, so that nobody takes it for the decision of a recipient. */
function Override({ approval }: { readonly approval: Approval }) {
  const params = { uuid: approval.uuid };
  const request = wordsOfRequest(approval);
  const common = { needs: ['approvals', 'approve', approval.uuid], refresh: APPROVALS_KEY } as const;
  const override: readonly RunAction[] = [
    {
      ...common,
      label: 'Override and approve',
      run: () => api.approvals.approveApproval({ params }),
      done: `“${request}” was approved in place of those who were asked.`,
      ask: {
        title: `Approve “${request}” in place of those who are asked?`,
        children: 'All steps that are left are skipped and it is carried out at once. The record names you.',
      },
    },
    {
      ...common,
      label: 'Override and reject',
      isGrave: true,
      run: () => api.approvals.rejectApproval({ params }),
      done: `“${request}” was rejected in place of those who were asked.`,
      ask: {
        title: `Reject “${request}” in place of those who are asked?`,
        children: 'The request ends. It can be made again. The record names you.',
      },
    },
  ];
  return (
    <div>
      <Text size="sm" c="dimmed" mb="xs">
        You may also decide in place of everybody who is asked.
      </Text>
      <Group gap="xs">
        <Actions actions={override} />
      </Group>
    </div>
  );
}
