// Who has to approve what a certificate waits for, until when, and what happens then.
import type { ApprovalDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime, formatRelative } from '../../format/dates.ts';
import { paths } from '../../kit/paths.ts';
import { approvalQuery, certificateApprovalsQuery } from '../../queries/approvals.ts';
import { TextLink } from '../../ui/text-link.tsx';
import { wordsOfApprover } from './words.ts';

/** What an approval leads to; what happens without one. */
const ends: Partial<Record<ApprovalDto['resourceAction'], readonly [approved: string, otherwise: string]>> = {
  revoke: ['it is revoked', 'it stays in force'],
};
const usualEnd = ['it is issued by itself', 'the request is rejected'] as const;

/** The words of one paragraph. */
export function WaitsForApproval({ certificateUuid }: { readonly certificateUuid: string }) {
  const { data } = useQuery(certificateApprovalsQuery(certificateUuid));
  const approval = data?.find(({ status }) => status === 'PENDING');
  if (!approval) return 'This page updates by itself.';
  const [approved, otherwise] = ends[approval.resourceAction] ?? usualEnd;
  return (
    <>
      <Approver approval={approval} /> Once approved, {approved}; without approval until{' '}
      {formatDateTime(approval.expiryAt)} ({formatRelative(approval.expiryAt)}), {otherwise}.
    </>
  );
}

/** Those who may not see the approval are told the approval profile only. */
function Approver({ approval }: { readonly approval: ApprovalDto }) {
  const { approvalUuid, approvalProfileName, awaitedStep = 1 } = approval;
  const { data } = useQuery({ ...approvalQuery(approvalUuid), retry: false });
  const step = data?.approvalSteps.toSorted((one, other) => one.order - other.order)[awaitedStep - 1];
  if (!step) return `Waits for approval by ${approvalProfileName}.`;
  return (
    <>
      Waits for{' '}
      <TextLink to={paths.approvals.one(approvalUuid)} inSentence>
        approval
      </TextLink>{' '}
      by {wordsOfApprover(step)}.
    </>
  );
}
