// The state of an approval, and of each decision in it.
import type { ApprovalDto } from '@signetry/contract';
import { stateOf } from '../../ui/state.tsx';

export const ApprovalState = stateOf<ApprovalDto['status']>({
  PENDING: ['wait', 'Waiting'],
  APPROVED: ['good', 'Approved'],
  REJECTED: ['bad', 'Rejected'],
  EXPIRED: ['none', 'Not decided in time'],
});
