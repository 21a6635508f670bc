// Which tests did not run because a program is missing on the machine: printed where nobody overlooks it.

/** What is read of vitest's JSON report. */
export interface TestFileResult {
  readonly name: string;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}

const NOTE = /\(skipped: ([^)]+)\)/;

/** Lines to print; none when everything ran. `notInstalled` has a line for each program that could not be installed. */
export function skippedTestLines(
  files: readonly TestFileResult[],
  { root, notInstalled }: { readonly root: string; readonly notInstalled: string },
): string[] {
  const byReason = new Map<string, Map<string, number>>();
  for (const { name, assertionResults } of files) {
    for (const { status, fullName } of assertionResults) {
      const reason = NOTE.exec(fullName)?.[1];
      if (reason === undefined || status === 'passed' || status === 'failed') continue;
      const counts = byReason.get(reason) ?? new Map<string, number>();
      const file = name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name;
      counts.set(file, (counts.get(file) ?? 0) + 1);
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
