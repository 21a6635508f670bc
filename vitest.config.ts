// Projects by what a test needs. Files of a project share workers and the modules loaded in them (ADR 85).
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const database = ['packages/**/*.db.test.ts'];
const endToEnd = ['test/e2e/**/*.test.ts'];
const console = ['test/console/**/*.test.ts'];
const slow = ['**/*.slow.test.ts'];
const never = ['**/node_modules/**'];

const patience = Number(process.env['TEST_PATIENCE'] ?? '1');
/** What never comes fails a test; a busy machine gets its time. */
const limits = {
  testTimeout: 60_000 * patience,
  hookTimeout: 60_000 * patience,
  expect: { poll: { timeout: 15_000 * patience, interval: 20 } },
};

/** Sources are imported by Node itself, in half the time that Vite takes, and kept compiled for the next run. */
const withDatabase = {
  setupFiles: ['packages/testkit/src/set-up-file.ts'],
  experimental: { viteModuleRunner: false, nodeLoader: false },
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/signetry-tests') },
  isolate: false,
  ...limits,
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'fast',
          include: ['packages/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: [...never, ...slow, ...database],
          setupFiles: ['packages/testkit/src/set-up-file.ts'],
          ...limits,
          isolate: false,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'database',
          include: database,
          exclude: [...never, ...slow],
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'end-to-end',
          include: endToEnd,
          exclude: [...never, ...slow],
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'console',
          include: console,
          exclude: [...never, ...slow],
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'slow',
          include: slow,
          exclude: never,
        },
      },
    ],
    // The PostgreSQL of the run.
    globalSetup: ['packages/testkit/src/global-setup.ts'],
    pool: 'forks',
    // Tests wait for processes, browsers and databases: one more than there are cores keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
  },
});
