// The command line as a function, for tests and tools.
export { runCli, commandTable } from './run-cli.ts';
export type { CliContext } from './context.ts';
export { EXIT, exitCodes, type ExitCode } from './exit-codes.ts';
export { Interruption } from './failures.ts';
