// Findings of an audit trail verification, and the report built from them. Pure: no I/O.

/** Maximum number of gaps listed individually. Beyond this limit, only the number of gaps is reported. */
const MAX_NAMED_GAPS = 100;

export type AuditProblem =
  | 'the record was altered'
  | 'the record was removed, and no purge accounts for it'
  | 'the record is not covered by any seal'
  | 'the record should have been sealed by now'
  | 'the seal was altered or does not continue the previous one'
  | 'a seal is missing'
  | 'the head of the chain was altered or the chain was truncated';

export interface AuditFinding {
  readonly node: string;
  readonly problem: AuditProblem;
  /** Record identifier, if the problem concerns a record. */
  readonly id?: number;
  /** Position in the node's sequence. */
  readonly sequence?: number;
  readonly sealedAt?: Date;
}

/** A range of a node's sequence numbers that no record has, although no purge removed them. */
export interface AuditGap {
  readonly node: string;
  readonly from: number;
  readonly to: number;
}

/** An externally stored head that does not match its chain. */
export interface AuditEndFault {
  readonly node: string;
  /** Number of seals and records that the head covers. */
  readonly seals: number;
  readonly records: number;
  /** What is missing or different. */
  readonly problem: string;
}

export interface AuditReport {
  readonly intact: boolean;
  readonly verifiedAt: Date;
  readonly rows: number;
  readonly sealed: number;
  readonly purged: number;
  readonly unsealedOlderThanLimit: number;
  /** Number of records that were altered or removed, are not covered by a seal, or whose seal is overdue. */
  readonly badRows: number;
  /** Seals that do not fit the chain, and chains with a wrong head. */
  readonly brokenLinks: number;
  readonly gapCount: number;
  readonly gaps: readonly AuditGap[];
  /** Number of externally stored heads that were compared; `endFaults` lists those that do not match. */
  readonly ends: number;
  readonly endFaults: readonly AuditEndFault[];
  /** Bad record with the lowest ID or, if no record is bad, the first bad seal. */
  readonly firstBad?: AuditFinding;
}

export interface AuditFindings {
  readonly counts: { rows: number; sealed: number; purged: number; ends: number };
  badRow(finding: AuditFinding): void;
  badSeal(finding: AuditFinding): void;
  badEnd(fault: AuditEndFault): void;
  gap(found: AuditGap): void;
  report(facts: Pick<AuditReport, 'verifiedAt' | 'unsealedOlderThanLimit'>): AuditReport;
}

export function createAuditFindings(): AuditFindings {
  const counts = { rows: 0, sealed: 0, purged: 0, ends: 0 };
  const endFaults: AuditEndFault[] = [];
  const gaps: AuditGap[] = [];
  let gapCount = 0;
  let badRows = 0;
  let brokenLinks = 0;
  let firstRow: AuditFinding | undefined;
  let firstSeal: AuditFinding | undefined;
  return {
    counts,
    badRow(finding) {
      badRows += 1;
      if (!firstRow || (finding.id ?? Infinity) < (firstRow.id ?? Infinity)) firstRow = finding;
    },
    badSeal(finding) {
      brokenLinks += 1;
      firstSeal ??= finding;
    },
    badEnd(fault) {
      endFaults.push(fault);
    },
    gap(found) {
      if (found.to < found.from) return;
      const last = gaps.at(-1);
      if (last && last.node === found.node && last.to === found.from - 1) {
        gaps[gaps.length - 1] = { ...last, to: found.to };
        return;
      }
      gapCount += 1;
      if (gaps.length < MAX_NAMED_GAPS) gaps.push(found);
    },
    report(facts) {
      const firstBad = firstRow ?? firstSeal;
      const intact = firstBad === undefined && endFaults.length === 0;
      const found = { badRows, brokenLinks, gapCount, gaps, endFaults };
      return { intact, ...facts, ...counts, ...found, ...(firstBad ? { firstBad } : {}) };
    },
  };
}
