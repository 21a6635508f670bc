// Steps of an approval, in order: approvers, decisions and pending decisions.
import { Group, Text } from '@mantine/core';
import type { ApprovalDetailStepDto, ApprovalStepRecipientDto } from '@signetry/contract';
import { formatDateTime } from '../../format/dates.ts';
import { State } from '../../ui/state.tsx';
import { ApprovalState } from '../approvals/state.tsx';
import { describeApprover } from '../approvals/texts.ts';
import classes from './deciding.module.css';
import type { Approval } from './shapes.ts';

export function Steps({ approval }: { readonly approval: Approval }) {
  const steps = approval.approvalSteps.toSorted((one, other) => one.order - other.order);
  return (
    <ol className={classes.steps}>
      {steps.map((step, place) => (
        <li key={step.uuid}>
          <Step step={step} place={place + 1} isOpen={approval.status === 'PENDING'} />
        </li>
      ))}
    </ol>
  );
}

interface StepProps {
  readonly step: ApprovalDetailStepDto;
  readonly place: number;
  /** Whether the approval is still open. */
  readonly isOpen: boolean;
}

function Step({ step, place, isOpen }: StepProps) {
  const { description, approvalStepRecipients: decisions } = step;
  return (
    <>
      <Text fw={600}>
        Step {place}: {describeApprover(step)}
      </Text>
      {description !== undefined && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
      {decisions.length === 0 ? (
        <State tone="none">{isOpen ? 'Not requested yet' : 'Not requested'}</State>
      ) : (
        <ul className={classes.decisions}>
          {decisions.map((decision) => (
            <li key={decision.approvalRecipientUuid}>
              <Decision decision={decision} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Decision({ decision }: { readonly decision: ApprovalStepRecipientDto }) {
  const { status, username, closedAt, createdAt, comment } = decision;
  return (
    <>
      <Group gap="xs">
        <ApprovalState of={status} />
        <Text size="sm" c="dimmed">
          {closedAt === undefined
            ? `requested ${formatDateTime(createdAt)}`
            : [username && `by ${username}`, formatDateTime(closedAt)].filter(Boolean).join(', ')}
        </Text>
      </Group>
      {comment !== undefined && <p className={classes.comment}>{comment}</p>}
    </>
  );
}
