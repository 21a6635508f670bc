// `npm test`: the repository checks, then every test, and one closing line that any CI can read.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skippedTestLines, type TestFileResult } from './skipped-tests.ts';
import { ROOT } from './source-files.ts';

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numFailedTestSuites: number;
  readonly success: boolean;
  readonly testResults: readonly TestFileResult[];
}

const fast = process.argv.includes('--fast');
const folder = mkdtempSync(join(tmpdir(), 'signetry-report-'));
const reportFile = join(folder, 'report.json');

const run = (args: readonly string[]): Promise<number> =>
  new Promise((resolve) => {
    spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).on('close', (code) => resolve(code ?? 1));
  });

const projects = fast ? ['--project', 'fast'] : [];
const tests = await run([
  'node_modules/vitest/vitest.mjs',
  'run',
  ...projects,
  '--reporter',
  'default',
  '--reporter',
  'json',
  '--outputFile.json',
  reportFile,
]);
const checks = fast ? 0 : await run(['tools/check.ts', '--without-tests']);
const report = JSON.parse(readFileSync(reportFile, 'utf8')) as VitestReport; // written by vitest
rmSync(folder, { recursive: true });
const failed =
  report.numFailedTests +
  (report.numFailedTests === 0 && tests !== 0 ? Math.max(1, report.numFailedTestSuites) : 0) +
  (checks === 0 ? 0 : 1);
// Set by .ci/run: a line for each program that could not be installed.
const notInstalled = process.env['NOT_INSTALLED'] ?? '';
for (const line of skippedTestLines(report.testResults, { root: ROOT, notInstalled })) console.log(line);
console.log(`\n${report.numPassedTests} passed, ${failed} failed, ${report.numPendingTests} skipped`);
process.exit(failed === 0 ? 0 : 1);
