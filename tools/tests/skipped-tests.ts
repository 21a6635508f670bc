// Tests that did not run because a program is missing on the machine, printed where they are not overlooked.

import type { FileOutcome } from './outcome.ts';

const NOTE = /\(skipped: ([^)]+)\)/;

/**
 * Returns the lines to print, or none if all tests ran. `notInstalled` has one line per program that could not be
 * installed.
 */
export function skippedTestLines(
  files: readonly Pick<FileOutcome, 'path' | 'cases'>[],
  { notInstalled }: { readonly notInstalled: string },
): string[] {
  const byReason = new Map<string, Map<string, number>>();
  for (const { path, cases } of files) {
    for (const { state, name } of cases) {
      const reason = NOTE.exec(name)?.[1];
      if (reason === undefined || state === 'passed' || state === 'failed') continue;
      const counts = byReason.get(reason) ?? new Map<string, number>();
      counts.set(path, (counts.get(path) ?? 0) + 1);
      byReason.set(reason, counts);
    }
  }
  const programs = notInstalled.split('\n').filter((line) => line !== '');
  if (byReason.size === 0 && programs.length === 0) return [];
  return [
    '='.repeat(80),
    'NOT EVERYTHING WAS TESTED HERE',
    ...programs.map((line) => `could not install ${line}`),
    ...[...byReason].flatMap(([reason, counts]) => [
      `did not run (${reason}):`,
      ...[...counts].map(([file, count]) => `  ${file}: ${count} ${count === 1 ? 'test' : 'tests'}`),
    ]),
    '='.repeat(80),
  ];
}
