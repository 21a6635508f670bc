// `npm run check`: everything that can be checked automatically in under a minute. The same checks run before a commit
// and in CI.
import { mapProblems } from './area-maps.ts';
import { commentProblems } from './comments.ts';
import { fenceProblems } from './fences.ts';
import { generatedProblems } from './generated-files.ts';
import { migrationProblems } from './released-migrations.ts';
import { report, runCommand, runInProcess, type StepResult } from './run-step.ts';
import { sourceFiles } from './source-files.ts';
import { platformTables, tableProblems } from './table-owners.ts';
import { wordProblems } from './words.ts';
import { templateProblems } from './template-text.ts';

const bin = (name: string) => `node_modules/.bin/${name}`;

/**
 * Checks types incrementally: the compiler caches its results, so only changes since the last check are checked again.
 */
const types = (name: string, project: string): Promise<StepResult> =>
  runCommand(name, [
    bin('tsc'),
    '-p',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    `node_modules/.cache/${project.replaceAll('/', '-')}.tsbuildinfo`,
  ]);

async function fastTests(): Promise<StepResult[]> {
  // Set by the test command, which runs all tests itself.
  if (process.argv.includes('--without-tests')) return [];
  return [
    await runCommand('fast tests', [
      process.execPath,
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'fast',
      '--reporter',
      'dot',
    ]),
  ];
}

function tablesOfSources(): string[] {
  const files = sourceFiles();
  return tableProblems(files, { tables: platformTables(files) });
}

async function houseChecks(): Promise<StepResult[]> {
  return [
    await types('types', 'tsconfig.json'),
    await types('console types', 'packages/console/tsconfig.json'),
    await runCommand('lint', [bin('oxlint'), '--deny-warnings', 'packages', 'tools', 'test']),
    // Finds unused exports and unused dependencies; the entry points are in knip.json.
    await runCommand('dead code', [process.execPath, 'node_modules/knip/bin/knip.js', '--reporter', 'compact']),
    await runInProcess('import fences', () => fenceProblems(sourceFiles())),
    await runInProcess('table owners', tablesOfSources),
    await runInProcess('area maps', () => mapProblems(sourceFiles())),
    await runInProcess('released migrations', () => migrationProblems()),
    await runInProcess('template text', templateProblems),
    await runInProcess('comments', commentProblems),
    await runInProcess('words', wordProblems),
    await runInProcess('generated files', generatedProblems),
    await runCommand('format', [bin('prettier'), '--check', '--cache', '--log-level', 'warn', '.']),
  ];
}

const started = performance.now();
// Two run in parallel, for two cores.
const results = (await Promise.all([houseChecks(), fastTests()])).flat();
const ok = report(results);
console.log(
  `\n${ok ? 'All checks passed' : 'Some checks failed'} in ${((performance.now() - started) / 1000).toFixed(1)} s.`,
);
process.exit(ok ? 0 : 1);
