// Verification of the audit log: whether the chain of sealed records is intact. Not part of the published interface.
import { z } from 'zod';
import { dateTime, int64 } from '../primitives.ts';
import { operations } from '../operations.ts';

/** A range of sequence numbers without records. */
export const AuditGap = z.object({ from: int64(), to: int64() }).meta({ id: 'AuditGap' });
export type AuditGap = z.output<typeof AuditGap>;

/** The first record or seal with a fault. */
export const AuditFault = z
  .object({
    /** In words, e.g. `the record was altered`. */
    problem: z.string(),
    /** Node whose chain it is. */
    node: z.string(),
    /** Record; absent when a seal is at fault. */
    id: int64().optional(),
    sequence: int64().optional(),
    sealedAt: dateTime().optional(),
  })
  .meta({ id: 'AuditFault' });
export type AuditFault = z.output<typeof AuditFault>;

/** Ends of chains as the platform exported them: node, seals, records, value and MAC, separated by colons. */
export const AuditVerificationRequest = z
  .object({ ends: z.array(z.string().max(300)).max(2_000).optional() })
  .meta({ id: 'AuditVerificationRequest' });
export type AuditVerificationRequest = z.output<typeof AuditVerificationRequest>;

/** An exported end that is not in its chain. */
export const AuditEndFault = z
  .object({
    /** Node whose chain it was. */
    node: z.string(),
    /** Seals and records that the end counts. */
    seals: int64(),
    records: int64(),
    /** In words: what is missing or different. */
    problem: z.string(),
  })
  .meta({ id: 'AuditEndFault' });
export type AuditEndFault = z.output<typeof AuditEndFault>;

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
    /** Records that were altered or removed, that no seal covers, or whose seal is overdue. */
    badRecords: int64(),
    /** Seals that do not continue the previous one, and chains with a wrong end. */
    brokenLinks: int64(),
    /** Records that a purge removed and accounts for. */
    purged: int64(),
    /** Ends in the request that were compared, and those that do not match. */
    ends: int64(),
    endFaults: z.array(AuditEndFault),
    firstFault: AuditFault.optional(),
  })
  .meta({ id: 'AuditVerificationReport' });
export type AuditVerificationReport = z.output<typeof AuditVerificationReport>;

export const auditVerificationOperations = operations(
  { tag: 'Audit Log', resource: 'auditLogs', module: 'core', errors: [400, 401, 403, 422, 500] },
  {
    verifyAuditLog: {
      route: 'POST /x/v1/auditLogs/verify',
      summary: 'Verify the audit log',
      body: AuditVerificationRequest,
      bodyOptional: true,
      answer: AuditVerificationReport,
      access: { action: 'list' },
    },
  },
);
