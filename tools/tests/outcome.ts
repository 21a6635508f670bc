// Outcome of a test run, as plain data from vitest's objects.
import type { TestCase, TestModule } from 'vitest/node';

export interface CaseOutcome {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
  readonly seconds: number;
}

export interface FileOutcome {
  readonly path: string;
  /** The kind: fast, database, end-to-end, console or slow. */
  readonly project: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Includes imports and hooks. */
  readonly seconds: number;
  /** CPU time of the worker and of the programs that the file started; undefined if it never ran. */
  readonly cpuSeconds: number | undefined;
  readonly cases: readonly CaseOutcome[];
}

export interface RunOutcome {
  readonly files: readonly FileOutcome[];
  /** Number of errors that belong to no test. */
  readonly strayErrors: number;
  readonly wallSeconds: number;
}

export function fileOutcome(module: TestModule): FileOutcome {
  const { setupDuration, collectDuration, duration } = module.diagnostic();
  const { cpuMs } = module.meta();
  const state = module.state();
  return {
    path: module.relativeModuleId,
    project: module.project.name,
    state: state === 'passed' || state === 'skipped' ? state : 'failed',
    seconds: (setupDuration + collectDuration + duration) / 1_000,
    cpuSeconds: cpuMs === undefined ? undefined : cpuMs / 1_000,
    cases: [...module.children.allTests()].map(caseOutcome),
  };
}

const caseOutcome = (test: TestCase): CaseOutcome => ({
  name: test.fullName,
  state: test.result().state,
  seconds: (test.diagnostic()?.duration ?? 0) / 1_000,
});

export const countOf = (files: readonly FileOutcome[], state: CaseOutcome['state']): number =>
  files.reduce((sum, { cases }) => sum + cases.filter((each) => each.state === state).length, 0);

/** Counts failed tests; a file that fails outside its tests counts as one. */
export const failuresOf = ({ files, strayErrors }: RunOutcome): number =>
  strayErrors +
  files.reduce((sum, file) => {
    const failedCases = countOf([file], 'failed');
    return sum + (file.state === 'failed' ? Math.max(failedCases, 1) : failedCases);
  }, 0);
