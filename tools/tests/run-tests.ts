// Runs test files with vitest in this process.
import { createVitest } from 'vitest/node';
import { filesBelow, ROOT } from '../source-files.ts';
import type { RunOutcome } from './outcome.ts';
import { Progress } from './progress.ts';

export const PROJECTS = ['fast', 'database', 'end-to-end', 'console', 'slow'] as const;
export type Project = (typeof PROJECTS)[number];

/** Returns the `vitest.config.ts` project that a test file belongs to. */
export function projectOf(path: string): Project {
  if (path.endsWith('.slow.test.ts')) return 'slow';
  if (path.startsWith('test/console/')) return 'console';
  if (path.startsWith('test/e2e/')) return 'end-to-end';
  return path.endsWith('.db.test.ts') ? 'database' : 'fast';
}

export const testFiles = (): string[] =>
  ['packages', 'test', 'tools'].flatMap((folder) => filesBelow(folder, (path) => /\.test\.tsx?$/.test(path)));

export async function runTests(paths: readonly string[]): Promise<RunOutcome> {
  const started = performance.now();
  const progress = new Progress();
  // Selects only the required projects, because PostgreSQL is started if any of them needs it.
  const project = [...new Set(paths.map(projectOf))];
  const vitest = await createVitest('test', { root: ROOT, watch: false, project, reporters: [progress] });
  try {
    const chosen = new Set(paths);
    const found = await vitest.globTestSpecifications();
    const specifications = found.filter(({ moduleId }) => chosen.has(moduleId.slice(ROOT.length + 1)));
    await vitest.runTestSpecifications(specifications, specifications.length === found.length);
  } finally {
    await vitest.close();
  }
  const { files, strayErrors } = progress;
  return { files, strayErrors, wallSeconds: (performance.now() - started) / 1_000 };
}
