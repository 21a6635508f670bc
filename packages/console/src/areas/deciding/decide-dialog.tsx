// Prompts for a comment and submits the decision.
import { Text, Textarea } from '@mantine/core';
import type { UserApprovalDto } from '@signetry/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { APPROVALS_KEY } from '../../queries/approvals.ts';
import { notify } from '../../ui/notices.tsx';
import { describeRequest } from '../approvals/texts.ts';
import type { Approval } from './shapes.ts';

export interface DecideDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly approval: Approval;
  readonly verb: 'Approve' | 'Reject';
  /** Past participle for the notification. */
  readonly done: string;
  readonly consequence: string;
  readonly send: (body: UserApprovalDto) => Promise<unknown>;
}

export const DecideDialog = ({ opened, ...props }: DecideDialogProps) => opened && <DecisionForm {...props} />;

function DecisionForm({ onClose, approval, verb, done, consequence, send }: Omit<DecideDialogProps, 'opened'>) {
  const [comment, setComment] = useState('');
  const queries = useQueryClient();
  const request = describeRequest(approval);
  const submit = async (): Promise<void> => {
    await send(comment.trim() === '' ? {} : { comment: comment.trim() });
    await Promise.all(
      [APPROVALS_KEY, ['certificates']].map((queryKey) => queries.invalidateQueries({ queryKey: [...queryKey] })),
    );
    notify.done(`“${request}” was ${done}.`);
  };
  return (
    <FormDialog
      title={`${verb}: ${request}`}
      submitLabel={verb}
      isGrave={verb === 'Reject'}
      onClose={onClose}
      submit={submit}
    >
      <Text>{consequence}</Text>
      <Textarea
        data-autofocus
        label="Comment"
        description="Optional. Stored with the decision and visible to the requester."
        autosize
        minRows={2}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
