// Breakdown of a run's time by kind of test, with long files listed individually.
import { countOf, type FileOutcome, type RunOutcome } from './outcome.ts';
import { PROJECTS } from './run-tests.ts';

const SLOWEST_FILES = 10;
/** Longer files and cases count as debt, except in the project `slow`. */
const MOST_FILE_SECONDS = 30;
const MOST_CASE_SECONDS = 5;

const seconds = (files: readonly FileOutcome[]): number => files.reduce((sum, each) => sum + each.seconds, 0);
const cpuSeconds = (files: readonly FileOutcome[]): number =>
  files.reduce((sum, each) => sum + (each.cpuSeconds ?? 0), 0);

/** `cpuOfAll`: CPU seconds of the whole run, including vitest and PostgreSQL; undefined if not readable. */
export function breakdownLines({ files, wallSeconds }: RunOutcome, cpuOfAll: number | undefined): string[] {
  const all = seconds(files);
  const row = (name: string, of: readonly FileOutcome[]): string[] => [
    name,
    String(of.length),
    String(countOf(of, 'passed') + countOf(of, 'failed')),
    (cpuSeconds(of) / 60).toFixed(1),
    // Files of several kinds run in parallel, so each kind gets a share of the total wall time.
    (all === 0 ? 0 : (wallSeconds * seconds(of)) / all / 60).toFixed(1),
  ];
  const kinds = PROJECTS.map((name) =>
    row(
      name,
      files.filter(({ project }) => project === name),
    ),
  );
  const total = row('all', files);
  const rest =
    cpuOfAll === undefined ? [] : [['vitest, database', '', '', ((cpuOfAll - cpuSeconds(files)) / 60).toFixed(1), '']];
  return [
    '',
    ...table([
      ['kind', 'files', 'cases', 'CPU min', 'wall min'],
      ...kinds.filter(([, count]) => count !== '0'),
      ...rest,
      total,
    ]),
  ];
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
}

const line = (time: number, text: string): string => `${time.toFixed(1).padStart(7)} s  ${text}`;

export function slowestLines(files: readonly FileOutcome[]): string[] {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_FILES);
  return ['', 'Slowest files:', ...slowest.map((each) => line(each.seconds, each.path))];
}

export function debtLines(files: readonly FileOutcome[]): string[] {
  const quick = files.filter(({ project }) => project !== 'slow');
  const longFiles = quick
    .filter((each) => each.seconds > MOST_FILE_SECONDS)
    .map((each) => line(each.seconds, each.path));
  const longCases = quick.flatMap(({ path, cases }) =>
    cases
      .filter((each) => each.seconds > MOST_CASE_SECONDS)
      .map((each) => line(each.seconds, `${path} > ${each.name}`)),
  );
  if (longFiles.length + longCases.length === 0) return [];
  return [
    '',
    `Debt (a file above ${MOST_FILE_SECONDS} s or a case above ${MOST_CASE_SECONDS} s, not in slow):`,
    ...longFiles,
    ...longCases,
  ];
}

/** Lists every failure once more, because their messages can be far above the end of the output. */
export function failureLines({ files, strayErrors }: RunOutcome): string[] {
  const failed = files.flatMap(({ path, state, cases }) => {
    const names = cases.filter((each) => each.state === 'failed').map((each) => `${path} > ${each.name}`);
    return names.length === 0 && state === 'failed' ? [`${path} (outside its cases)`] : names;
  });
  if (strayErrors > 0) failed.push(`Unhandled errors outside the tests: ${strayErrors}`);
  return failed.length === 0 ? [] : ['', 'Failures:', ...failed.map((each) => `  ${each}`)];
}
