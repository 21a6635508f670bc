import { describe, expect, it } from 'vitest';
import { breakdownLines, debtLines, failureLines, slowestLines } from './breakdown.ts';
import { failuresOf, type CaseOutcome, type FileOutcome } from './outcome.ts';

const passed = (name: string, seconds: number): CaseOutcome => ({ name, state: 'passed', seconds });
const file = (path: string, given: Partial<FileOutcome>): FileOutcome => ({
  path,
  project: 'fast',
  state: 'passed',
  seconds: 0,
  cpuSeconds: 0,
  cases: [],
  ...given,
});

const files = [
  file('a.test.ts', { seconds: 30, cpuSeconds: 60, cases: [passed('a', 1), { ...passed('b', 0), state: 'skipped' }] }),
  file('b.test.ts', { project: 'console', seconds: 90, cpuSeconds: 30, cases: [passed('clicks', 6)] }),
  file('c.slow.test.ts', { project: 'slow', seconds: 120, cpuSeconds: 30, cases: [passed('kills', 100)] }),
];

describe('the breakdown of a test run', () => {
  it("counts files, executed cases, CPU time and each kind's share of the wall time", () => {
    expect(breakdownLines({ files, strayErrors: 0, wallSeconds: 120 }, 240)).toEqual([
      '',
      'kind              files  cases  CPU min  wall min',
      'fast                  1      1      1.0       0.3',
      'console               1      1      0.5       0.8',
      'slow                  1      1      0.5       1.0',
      'vitest, database                    2.0          ',
      'all                   3      3      2.0       2.0',
    ]);
  });

  it('lists the slowest files first', () => {
    expect(slowestLines(files).slice(2)).toEqual([
      '  120.0 s  c.slow.test.ts',
      '   90.0 s  b.test.ts',
      '   30.0 s  a.test.ts',
    ]);
  });

  it('reports long-running files and cases as debt, except in the slow project', () => {
    expect(debtLines(files).slice(2)).toEqual(['   90.0 s  b.test.ts', '    6.0 s  b.test.ts > clicks']);
    expect(debtLines(files.slice(0, 1))).toEqual([]);
  });
});

describe('failures', () => {
  const failed: CaseOutcome = { ...passed('a', 1), state: 'failed' };
  it.each([
    ['a failed case counts once', [file('a', { state: 'failed', cases: [failed] })], 0, 1],
    ['a file that fails outside of its cases counts as one', [file('a', { state: 'failed', cases: [] })], 0, 1],
    ['errors outside of tests also count', [file('a', {})], 2, 2],
  ])('%s', (_, of, strayErrors, expected) => {
    expect(failuresOf({ files: of, strayErrors, wallSeconds: 1 })).toBe(expected);
  });

  it('are listed by name at the end of the output', () => {
    const broken = [file('a', { state: 'failed', cases: [failed, passed('b', 1)] }), file('c', { state: 'failed' })];
    expect(failureLines({ files: [...files, ...broken], strayErrors: 1, wallSeconds: 1 }).slice(2)).toEqual([
      '  a > a',
      '  c (outside its cases)',
      '  Unhandled errors outside the tests: 1',
    ]);
    expect(failureLines({ files, strayErrors: 0, wallSeconds: 1 })).toEqual([]);
  });
});
