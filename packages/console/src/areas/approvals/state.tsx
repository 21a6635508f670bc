// States of approvals and of the decisions within them.
import type { ApprovalDto } from '@signetry/contract';
import { stateOf } from '../../ui/state.tsx';

export const ApprovalState = stateOf<ApprovalDto['status']>({
  PENDING: ['wait', 'Waiting'],
  APPROVED: ['good', 'Approved'],
  REJECTED: ['bad', 'Rejected'],
  EXPIRED: ['none', 'Expired'],
});
