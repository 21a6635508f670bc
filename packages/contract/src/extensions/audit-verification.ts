// Verification of the audit log: whether the chain of sealed records is whole. Not part of the published interface.
import { z } from 'zod';
import { dateTime, int64 } from '../primitives.ts';
import { operation } from '../operation.ts';

/** A stretch of sequence numbers that no record carries. */
export const AuditGap = z.object({ from: int64(), to: int64() }).meta({ id: 'AuditGap' });
export type AuditGap = z.output<typeof AuditGap>;

/** The first record whose seal does not fit. */
export const BrokenAuditLink = z
  .object({ sequence: int64(), id: int64(), timestamp: dateTime() })
  .meta({ id: 'BrokenAuditLink' });
export type BrokenAuditLink = z.output<typeof BrokenAuditLink>;

export const AuditVerificationReport = z
  .object({
    /** No gap, no broken link, nothing unsealed for too long. */
    intact: z.boolean(),
    verifiedAt: dateTime(),
    rows: int64(),
    sealed: int64(),
    /** Records that should have been sealed by now. */
    unsealedOverdue: int64(),
    /** The first gaps; `gapCount` counts all. */
    gaps: z.array(AuditGap),
    gapCount: int64(),
    brokenLinks: int64(),
    firstBroken: BrokenAuditLink.optional(),
  })
  .meta({ id: 'AuditVerificationReport' });
export type AuditVerificationReport = z.output<typeof AuditVerificationReport>;

export const auditVerificationOperations = {
  verifyAuditLog: operation({
    id: 'verifyAuditLog',
    summary: 'Verify the audit log',
    tag: 'Audit Log',
    method: 'POST',
    path: '/x/v1/auditLogs/verify',
    success: { status: 200, body: AuditVerificationReport },
    errors: [401, 403, 500],
    access: { resource: 'auditLogs', action: 'list' },
  }),
};
