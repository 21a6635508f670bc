// Results of a connector check.
import type { FunctionGroupCode } from '@signetry/contract';

/** `notChecked`: a check that it depends on did not pass. */
export type Outcome = 'passed' | 'failed' | 'notOffered' | 'notChecked';

/** Exchanged messages, without secrets. */
export interface Evidence {
  readonly sent: string;
  readonly received: string;
  readonly expected: string;
}

export interface CheckResult {
  /** Absent for checks that apply to every connector. */
  readonly group?: FunctionGroupCode;
  readonly kind?: string;
  /** A sentence about the connector, e.g. `issues a certificate`. */
  readonly check: string;
  readonly outcome: Outcome;
  /** The problem, or the reason why it was not checked. */
  readonly problem?: string;
  readonly evidence?: Evidence;
  /** Deviations from the published document that platforms accept. */
  readonly notes?: readonly string[];
}

export interface ConformanceReport {
  readonly results: readonly CheckResult[];
  /** Number of checks by outcome. */
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Whether no check failed. */
  readonly conforms: boolean;
}

export function reportOf(results: readonly CheckResult[]): ConformanceReport {
  const counts = { passed: 0, failed: 0, notOffered: 0, notChecked: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return { results, counts, conforms: counts.failed === 0 };
}
