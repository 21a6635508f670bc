// `npm test`: the house checks, then every test, and one closing line that any CI can read.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './source-files.ts';

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numFailedTestSuites: number;
  readonly success: boolean;
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
console.log(`\n${report.numPassedTests} passed, ${failed} failed, ${report.numPendingTests} skipped`);
process.exit(failed === 0 ? 0 : 1);
