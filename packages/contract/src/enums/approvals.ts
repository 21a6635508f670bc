// Enumerations for approvals.
import type { z } from 'zod';
import { enumeration } from '../enumeration.ts';

export const ApprovalStatusEnum = enumeration('ApprovalStatusEnum', {
  PENDING: 'Pending',
  APPROVED: 'Approved',
  REJECTED: 'Rejected',
  EXPIRED: 'Expired',
});
export type ApprovalStatusEnum = z.output<typeof ApprovalStatusEnum>;
