// What a verification of the audit trail found, and the report made of it. Pure: no I/O.

/** Gaps that are named one by one; beyond that their number says enough. */
const MAX_NAMED_GAPS = 100;

export type AuditProblem =
  | 'the record was altered'
  | 'the record was removed, and no purge accounts for it'
  | 'no seal knows the record'
  | 'the record should have been sealed by now'
  | 'the seal was altered or does not continue the one before it'
  | 'a seal is missing'
  | 'the end of the chain was altered or the chain was cut';

export interface AuditFinding {
  readonly node: string;
  readonly problem: AuditProblem;
  /** Record, where the problem is that of one. */
  readonly id?: number;
  /** Place in the sequence of the node. */
  readonly sequence?: number;
  readonly sealedAt?: Date;
}

/** Sequence numbers of a node that no record carries, although no purge removed them. */
export interface AuditGap {
  readonly node: string;
  readonly from: number;
  readonly to: number;
}

/** An end that was kept elsewhere and is not, or no longer, in its chain. */
export interface AuditEndFault {
  readonly node: string;
  /** Number of seals and records that the end speaks of. */
  readonly seals: number;
  readonly records: number;
  /** In words: what is missing or different. */
  readonly problem: string;
}

export interface AuditReport {
  readonly intact: boolean;
  readonly verifiedAt: Date;
  readonly rows: number;
  readonly sealed: number;
  readonly purged: number;
  readonly unsealedOlderThanLimit: number;
  /** Records that were altered, were removed, that no seal knows, or whose seal is overdue. */
  readonly badRows: number;
  /** Seals that do not fit the chain, and chains with a wrong end. */
  readonly brokenLinks: number;
  readonly gapCount: number;
  readonly gaps: readonly AuditGap[];
  /** Ends kept elsewhere that were compared, and those that do not fit. */
  readonly ends: number;
  readonly endFaults: readonly AuditEndFault[];
  /** The bad record with the lowest id, or the first bad seal when no record is bad. */
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
