// `npm test`: the repository checks, then every test, and one closing line that any CI can read.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { skippedTestLines, type TestFileResult } from './skipped-tests.ts';
import { ROOT } from './source-files.ts';

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly (TestFileResult & { readonly status: string })[];
}

interface TestRun extends VitestReport {
  /** Another than 0 without a failed test: an error that belongs to none. */
  readonly code: number;
}

/** More of them are no accident of a busy machine. */
const MOST_REPEATED_FILES = 5;

const fast = process.argv.includes('--fast');
const folder = mkdtempSync(join(tmpdir(), 'signetry-report-'));

const run = (args: readonly string[]): Promise<number> =>
  new Promise((resolve) => {
    spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).on('close', (code) => resolve(code ?? 1));
  });

async function runTests(name: string, args: readonly string[]): Promise<TestRun> {
  const file = join(folder, name);
  const code = await run(['node_modules/vitest/vitest.mjs', 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]); // prettier-ignore
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport; // written by vitest
  return { ...report, code };
}

const failedFiles = ({ testResults }: VitestReport): string[] =>
  testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(ROOT, name));

/** What failed beside all others is judged alone, and named: it waits too shortly, or counts on an order. */
async function repeatAlone(first: TestRun): Promise<TestRun> {
  const files = failedFiles(first);
  if (files.length === 0 || files.length > MOST_REPEATED_FILES) return first;
  console.log(`\nOnce more and alone: ${files.join(', ')}`);
  return runTests('again.json', [...files, '--no-file-parallelism']);
}

const first = await runTests('report.json', fast ? ['--project', 'fast'] : []);
const last = await repeatAlone(first);
const checks = fast ? 0 : await run(['tools/check.ts', '--without-tests']);
rmSync(folder, { recursive: true });
const stillFailed = failedFiles(last);
const failedTests = Math.max(last.numFailedTests, stillFailed.length);
const failed = failedTests + (last.code === 0 || failedTests > 0 ? 0 : 1) + (checks === 0 ? 0 : 1);
// Set by .ci/run: a line for each program that could not be installed.
const notInstalled = process.env['NOT_INSTALLED'] ?? '';
for (const line of skippedTestLines(first.testResults, { root: ROOT, notInstalled })) console.log(line);
for (const file of failedFiles(first).filter((each) => !stillFailed.includes(each)))
  console.log(`Failed beside the others and passed alone: ${file}`);
const passed = first.numPassedTests + (first === last ? 0 : first.numFailedTests - last.numFailedTests);
console.log(`\n${passed} passed, ${failed} failed, ${first.numPendingTests} skipped`);
process.exit(failed === 0 ? 0 : 1);
