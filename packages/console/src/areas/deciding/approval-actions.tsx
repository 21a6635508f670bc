// The decision of somebody who is asked.
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
              consequence={whatFollows(approval)}
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
              consequence="The request ends with your rejection, whatever others would decide. It can be made again."
              send={(body) => api.approvals.rejectApprovalRecipient({ params, body })}
            />
          ),
        },
      ]}
    />
  );
}

/** Of an approval, whether others have to approve too. */
function whatFollows({ approvalSteps }: Approval): string {
  const needed = approvalSteps.reduce((sum, { requiredApprovals = 1 }) => sum + requiredApprovals, 0);
  const given = approvalSteps
    .flatMap((step) => step.approvalStepRecipients)
    .filter((each) => each.status === 'APPROVED');
  const left = needed - given.length - 1;
  if (left <= 0) return 'Yours is the last approval that is needed: it is carried out at once.';
  return left === 1 ? 'One more approval is needed after yours.' : `${left} more approvals are needed after yours.`;
}
