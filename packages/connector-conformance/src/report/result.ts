// What a check of a connector found.
import type { FunctionGroupCode } from '@signetry/contract';

/** `notChecked`: something that it depends on failed before. */
export type Outcome = 'passed' | 'failed' | 'notOffered' | 'notChecked';

/** What was said, without secrets. */
export interface Evidence {
  readonly sent: string;
  readonly received: string;
  readonly expected: string;
}

export interface CheckResult {
  /** Absent for what concerns every connector. */
  readonly group?: FunctionGroupCode;
  readonly kind?: string;
  /** A sentence about the connector, e.g. `issues a certificate`. */
  readonly check: string;
  readonly outcome: Outcome;
  /** What is wrong, or why it was not checked. */
  readonly problem?: string;
  readonly evidence?: Evidence;
  /** Where the connector differs from the published document, which platforms accept. */
  readonly notes?: readonly string[];
}

export interface ConformanceReport {
  readonly results: readonly CheckResult[];
  /** How many of each outcome. */
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Nothing failed. */
  readonly conforms: boolean;
}

export function reportOf(results: readonly CheckResult[]): ConformanceReport {
  const counts = { passed: 0, failed: 0, notOffered: 0, notChecked: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return { results, counts, conforms: counts.failed === 0 };
}
