// Three projects: fast tests need nothing, database tests share one embedded PostgreSQL and clone a template per file,
// tests of the console start a platform and a browser per file.
import { defineConfig } from 'vitest/config';

const database = ['**/*.db.test.ts', 'test/e2e/**/*.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'fast',
          include: ['packages/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...database],
          testTimeout: 20_000,
          // Modules are read once per worker rather than once per file, which took longer than the tests: none of them
          // keeps state.
          isolate: false,
        },
      },
      {
        test: {
          name: 'database',
          include: ['packages/**/*.db.test.ts', 'test/e2e/**/*.test.ts'],
          globalSetup: ['packages/testkit/src/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'console',
          include: ['test/console/**/*.test.ts'],
          globalSetup: ['packages/testkit/src/global-setup.ts'],
          // Whatever never comes fails the test; a busy machine gets its time.
          expect: { poll: { timeout: 15_000, interval: 20 } },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
    pool: 'forks',
    maxWorkers: 2,
  },
});
