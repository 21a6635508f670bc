// The command line as a process: arguments, environment, streams, signals and exit code.
import { fileURLToPath } from 'node:url';
import type { Environment } from './environment.ts';
import { askHidden } from './command-line/hidden-input.ts';
import { runCli } from './run-cli.ts';
import { listenForStop } from './stop-signals.ts';

/**
 * npm runs a script in its package's directory; paths on the command line are relative to the directory where npm was
 * called.
 */
export const callerFolder = (environment: Environment, cwd: string): string =>
  (environment['npm_lifecycle_event'] && environment['INIT_CWD']) || cwd;

export async function runProcess(): Promise<void> {
  const { stdin, stdout, stderr } = process;
  // A reader that closes the pipe (`signetry … | head`) must not cause a failure, especially not in a server.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  const err = (text: string): void => void stderr.write(`${text}\n`);
  const exitCode = await runCli(process.argv.slice(2), {
    environment: process.env,
    out: (text) => void stdout.write(`${text}\n`),
    err,
    // Carriage return, then an escape sequence that clears the rest of the line.
    ...(stderr.isTTY && { status: (text) => void stderr.write(`\r\u{1b}[K${text}`) }),
    ...(stdin.isTTY &&
      stderr.isTTY && { askHidden: (question) => askHidden(question, { terminal: stdin, prompt: stderr }) }),
    cwd: callerFolder(process.env, process.cwd()),
    isTerminal: stdout.isTTY,
    ...(stdout.isTTY && { width: stdout.columns }),
    cloneFolder: fileURLToPath(new URL('../../../..', import.meta.url)),
    signal: listenForStop({
      source: process,
      err,
      exit: (code) => process.exit(code),
      now: () => performance.now(),
    }),
  });
  process.exit(exitCode);
}
