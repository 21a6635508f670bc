// Shows who must approve a pending operation on a certificate, by when, and what happens next.
import type { ApprovalDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime, formatRelative } from '../../format/dates.ts';
import { paths } from '../../kit/paths.ts';
import { approvalQuery, certificateApprovalsQuery } from '../../queries/approvals.ts';
import { TextLink } from '../../ui/text-link.tsx';
import { describeApprover } from './texts.ts';

/** Outcome if approved, and outcome if not. */
const ends: Partial<Record<ApprovalDto['resourceAction'], readonly [approved: string, otherwise: string]>> = {
  revoke: ['it is revoked', 'it remains valid'],
};
const usualEnd = ['it is issued automatically', 'the request is rejected'] as const;

/** Content of one paragraph. */
export function PendingApprovalText({ certificateUuid }: { readonly certificateUuid: string }) {
  const { data } = useQuery(certificateApprovalsQuery(certificateUuid));
  const approval = data?.find(({ status }) => status === 'PENDING');
  if (!approval) return 'This page updates automatically.';
  const [approved, otherwise] = ends[approval.resourceAction] ?? usualEnd;
  return (
    <>
      <Approver approval={approval} /> Once approved, {approved}; if not approved by {formatDateTime(approval.expiryAt)}{' '}
      ({formatRelative(approval.expiryAt)}), {otherwise}.
    </>
  );
}

/** Users who cannot see the approval see only the approval profile's name. */
function Approver({ approval }: { readonly approval: ApprovalDto }) {
  const { approvalUuid, approvalProfileName, awaitedStep = 1 } = approval;
  const { data } = useQuery({ ...approvalQuery(approvalUuid), retry: false });
  const step = data?.approvalSteps.toSorted((one, other) => one.order - other.order)[awaitedStep - 1];
  if (!step) return `Waiting for approval by ${approvalProfileName}.`;
  return (
    <>
      Waiting for{' '}
      <TextLink to={paths.approvals.one(approvalUuid)} inSentence>
        approval
      </TextLink>{' '}
      by {describeApprover(step)}.
    </>
  );
}
