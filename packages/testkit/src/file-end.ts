// Cleanup at the end of a test file. A worker loads the testkit once and runs many files, so a module cannot set hooks
// when it is imported: `set-up-file.ts`, which vitest runs before each file, sets them for all.
type Cleanup = () => Promise<unknown> | unknown;

const endings: Cleanup[] = [];

/**
 * Runs `end` when the current test file ends, after its own `afterAll` hooks. Can also be called in hooks and tests.
 */
export function onFileFinished(end: Cleanup): void {
  endings.push(end);
}

/** Runs all cleanups in reverse order: a platform before its database. Each one runs even if others fail. */
export async function finishFile(): Promise<void> {
  const failures: unknown[] = [];
  for (const end of endings.splice(0).reverse()) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `Cannot run ${failures.length} cleanups of the test file`);
}
