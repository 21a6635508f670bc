// Audit log verification: checks whether the chain of sealed records is intact. Not part of the published interface.
import { z } from 'zod';
import { dateTime, int64 } from '../primitives.ts';
import { operations } from '../operations.ts';

/** A range of sequence numbers for which no records exist. */
export const AuditGap = z.object({ from: int64(), to: int64() }).meta({ id: 'AuditGap' });
export type AuditGap = z.output<typeof AuditGap>;

/** The first faulty record or seal. */
export const AuditFault = z
  .object({
    /** Description of the fault, e.g. `the record was altered`. */
    problem: z.string(),
    /** Node whose chain contains the fault. */
    node: z.string(),
    /** Identifier of the record. Absent if a seal is faulty. */
    id: int64().optional(),
    sequence: int64().optional(),
    sealedAt: dateTime().optional(),
  })
  .meta({ id: 'AuditFault' });
export type AuditFault = z.output<typeof AuditFault>;

/**
 * Log heads in the platform's export format: node, number of seals, number of records, value and MAC, separated by
 * colons.
 */
export const AuditVerificationRequest = z
  .object({ ends: z.array(z.string().max(300)).max(2_000).optional() })
  .meta({ id: 'AuditVerificationRequest' });
export type AuditVerificationRequest = z.output<typeof AuditVerificationRequest>;

/** An exported log head that does not match its chain. */
export const AuditEndFault = z
  .object({
    /** Node that the chain belongs to. */
    node: z.string(),
    /** Number of seals and records up to the log head. */
    seals: int64(),
    records: int64(),
    /** Description of what is missing or different. */
    problem: z.string(),
  })
  .meta({ id: 'AuditEndFault' });
export type AuditEndFault = z.output<typeof AuditEndFault>;

export const AuditVerificationReport = z
  .object({
    /** True if there are no gaps, no broken links, and no overdue seals. */
    intact: z.boolean(),
    verifiedAt: dateTime(),
    rows: int64(),
    sealed: int64(),
    /** Number of records that should already be sealed. */
    unsealedOverdue: int64(),
    /** The first gaps; `gapCount` is the total number. */
    gaps: z.array(AuditGap),
    gapCount: int64(),
    /** Number of records that were altered or removed, that are not covered by a seal, or whose seal is overdue. */
    badRecords: int64(),
    /** Number of seals that do not follow from the previous seal, plus the number of chains with an incorrect head. */
    brokenLinks: int64(),
    /** Number of missing records that are accounted for by a purge. */
    purged: int64(),
    /** Number of log heads from the request that were compared; `endFaults` lists those that do not match. */
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
