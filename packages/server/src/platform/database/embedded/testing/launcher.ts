// A separate process that runs the launcher, for tests that kill it, or run it as a different user or in a namespace.
// Arguments: the options as JSON. Prints one line of JSON (`ready` or `error`), then stops when its input ends.

import { EmbeddedPostgresError, startEmbeddedPostgres } from '../index.ts';

export interface TestLauncherOptions {
  readonly directory: string;
  readonly settings?: Record<string, string>;
  readonly binaries?: string;
  readonly binariesCopy?: string;
  /** Whether to exit at the end of the input without stopping the database. */
  readonly leaveEarly?: boolean;
}

const options = readOptions(process.argv[2]);
try {
  const began = performance.now();
  const { directory, leaveEarly, ...rest } = options;
  const database = await startEmbeddedPostgres({ directory, log: () => {}, ...rest });
  const { how, dataDirectory, runDirectory, password } = database;
  const milliseconds = Math.round(performance.now() - began);
  console.log(JSON.stringify({ ready: { how, dataDirectory, runDirectory, password, milliseconds } }));
  process.stdin.resume().once('end', () => {
    if (leaveEarly === true) process.exit(1);
    void database.stop();
  });
} catch (error) {
  const code = error instanceof EmbeddedPostgresError ? error.code : 'unexpected';
  console.log(JSON.stringify({ error: { code, message: String(error) } }));
}

function readOptions(text: string | undefined): TestLauncherOptions {
  // Written only by the tests in this folder.
  return JSON.parse(text ?? '{}') as TestLauncherOptions;
}
