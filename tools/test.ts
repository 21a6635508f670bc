// `npm test`: runs the repository checks and the tests, and prints one final line that any CI system can parse.
import { spawn } from 'node:child_process';
import { cpuTimeMs } from '../packages/testkit/src/cpu-time.ts';
import { ROOT, sourceFiles } from './source-files.ts';
import { readArguments, type Selection, type TestArguments } from './tests/arguments.ts';
import { breakdownLines, debtLines, failureLines, slowestLines } from './tests/breakdown.ts';
import { budgetProblem, recordBudget, unitSeconds } from './tests/budget.ts';
import { countOf, failuresOf, type RunOutcome } from './tests/outcome.ts';
import { changedFiles, relatedTests } from './tests/related.ts';
import { projectOf, runTests, testFiles } from './tests/run-tests.ts';
import { skippedTestLines } from './tests/skipped-tests.ts';

function chosen(selection: Selection): string[] {
  const files = testFiles();
  switch (selection.kind) {
    case 'all':
      return files;
    case 'usual':
      return files.filter((path) => projectOf(path) !== 'slow');
    case 'fast':
      return files.filter((path) => projectOf(path) === 'fast');
    case 'named':
      return files.filter((path) => selection.names.some((name) => path.includes(name)));
    case 'related':
      return relatedTests(changedFiles(), { files: sourceFiles(), tests: files }).filter(
        (path) => projectOf(path) !== 'slow',
      );
  }
}

/** Runs types, lint and the rest of `npm run check` while tests wait for databases and browsers. */
const runChecks = (): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['tools/check.ts', '--without-tests'], { cwd: ROOT });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('close', (code) => {
      console.log(`\n${Buffer.concat(output).toString().trim()}`);
      resolve(code === 0);
    });
  });

function isWithinBudget({ enforceBudget, recordBudget: record }: TestArguments, cpuSeconds: number): boolean {
  const unit = unitSeconds();
  console.log(`\nCPU time: ${cpuSeconds.toFixed(0)} s, ${(cpuSeconds / unit).toFixed(0)} units of cpu-budget.json`);
  if (record) recordBudget(cpuSeconds, unit);
  const problem = enforceBudget ? budgetProblem(cpuSeconds, unit) : undefined;
  if (problem !== undefined) console.log(`\n${problem}`);
  return problem === undefined;
}

function report(outcome: RunOutcome, cpuSeconds: number): void {
  const { files } = outcome;
  // Set by .ci/run: one line per program that could not be installed.
  const notInstalled = process.env['NOT_INSTALLED'] ?? '';
  const lines = [
    ...breakdownLines(outcome, cpuSeconds),
    ...slowestLines(files),
    ...debtLines(files),
    ...skippedTestLines(files, { notInstalled }),
    ...failureLines(outcome),
  ];
  for (const line of lines) console.log(line);
}

async function main(args: TestArguments): Promise<boolean> {
  // Read by vitest.config.ts and by test helpers that wait. The platform rejects names that begin with SIGNETRY_.
  process.env['TEST_PATIENCE'] = String(args.patience);
  const paths = chosen(args.selection);
  if (paths.length === 0) {
    console.log('No test file selected.');
    return args.selection.kind === 'related';
  }
  const isWhole = args.selection.kind === 'usual' || args.selection.kind === 'all';
  const [outcome, checksPassed] = await Promise.all([runTests(paths), isWhole ? runChecks() : true]);
  const cpuSeconds = cpuTimeMs() / 1_000;
  report(outcome, cpuSeconds);
  const withinBudget = isWhole ? isWithinBudget(args, cpuSeconds) : true;
  if (!checksPassed) console.log('\nThe repository checks failed; see above.');
  const failed = failuresOf(outcome) + (checksPassed ? 0 : 1) + (withinBudget ? 0 : 1);
  const skipped = countOf(outcome.files, 'skipped') + countOf(outcome.files, 'pending');
  console.log(`\n${countOf(outcome.files, 'passed')} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0;
}

let args: TestArguments;
try {
  args = readArguments(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}
process.exit((await main(args)) ? 0 : 1);
