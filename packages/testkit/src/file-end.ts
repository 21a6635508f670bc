// What a test file leaves to be ended with it. A worker loads the testkit once and runs many files, so a module cannot
// set hooks of its own while it is imported: `set-up-file.ts`, which vitest runs before each file, sets them for all.
type Ending = () => Promise<unknown> | unknown;

const endings: Ending[] = [];

/** Runs `end` when the current test file ends, after its own `afterAll` hooks. Works in hooks and tests, too. */
export function whenFileEnds(end: Ending): void {
  endings.push(end);
}

/** Ends what was left, the last first: a platform before its database. Every ending runs, whatever the others do. */
export async function endFile(): Promise<void> {
  const failures: unknown[] = [];
  for (const end of endings.splice(0).reverse()) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `Of what the test file opened, ${failures.length} could not be ended`);
}
