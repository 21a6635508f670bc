// Actions for users whose decision is required: approve or reject.
import { IconCheck, IconX } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { DecideDialog } from './decide-dialog.tsx';
import type { Approval } from './shapes.ts';

export function ApprovalActions({ approval }: { readonly approval: Approval }) {
  const params = { uuid: approval.uuid };
  return (
    <Actions
      actions={[
        approval.awaitsCaller && {
          label: 'Approve',
          icon: IconCheck,
          isPrimary: true,
          dialog: (dialog) => (
            <DecideDialog
              {...dialog}
              approval={approval}
              verb="Approve"
              done="approved"
              consequence={describeNextStep(approval)}
              send={(body) => api.approvals.approveApprovalRecipient({ params, body })}
            />
          ),
        },
        approval.awaitsCaller && {
          label: 'Reject',
          icon: IconX,
          isGrave: true,
          dialog: (dialog) => (
            <DecideDialog
              {...dialog}
              approval={approval}
              verb="Reject"
              done="rejected"
              consequence="Your rejection closes the request, regardless of other decisions. The request can be submitted again."
              send={(body) => api.approvals.rejectApprovalRecipient({ params, body })}
            />
          ),
        },
      ]}
    />
  );
}

/** Describes what happens after the approval, including whether further approvals are required. */
function describeNextStep({ approvalSteps }: Approval): string {
  const needed = approvalSteps.reduce((sum, { requiredApprovals = 1 }) => sum + requiredApprovals, 0);
  const given = approvalSteps
    .flatMap((step) => step.approvalStepRecipients)
    .filter((each) => each.status === 'APPROVED');
  const left = needed - given.length - 1;
  if (left <= 0) return 'This is the last required approval: the operation is carried out immediately.';
  return left === 1 ? 'One more approval is required after yours.' : `${left} more approvals are required after yours.`;
}
