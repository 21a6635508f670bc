// The environment that a command runs in. Tests pass their own; the code below never reads `process` directly.
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from './environment.ts';
import { loadServerModule, type ServerModule } from './platform/server-module.ts';

/** Environment as passed to `runCli`. */
export interface CliContext {
  readonly environment: Environment;
  /** Writes one or more lines to standard output. */
  readonly out: (text: string) => void;
  /** Writes one or more lines to standard error. */
  readonly err: (text: string) => void;
  /** Replaces the progress line on the terminal; absent if there is no terminal. */
  readonly status?: (text: string) => void;
  /** Prompts for a line without echo; absent if there is no terminal. */
  readonly askHidden?: (question: string) => Promise<string>;
  /** Directory that relative paths refer to and that files are written to. */
  readonly cwd: string;
  /** Whether standard output is a terminal. */
  readonly isTerminal?: boolean;
  /** Terminal width in columns. If absent, table width is not limited. */
  readonly width?: number;
  /** Aborted when the command must stop. */
  readonly signal?: AbortSignal;
  /** Directory of the repository clone. Its `data` directory is used if the current directory has none. */
  readonly cloneFolder?: string;
  readonly now?: () => number;
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly loadServer?: () => Promise<ServerModule>;
}

/** The environment with all members present. */
export interface Context extends Required<
  Omit<CliContext, 'isTerminal' | 'cloneFolder' | 'width' | 'status' | 'askHidden'>
> {
  readonly cloneFolder: string | undefined;
  readonly width: number | undefined;
  readonly status: CliContext['status'];
  readonly askHidden: CliContext['askHidden'];
  /** Whether output can be colored. */
  readonly colour: boolean;
}

export function completeContext(given: CliContext): Context {
  const { environment } = given;
  // https://no-color.org: any non-empty value disables color.
  const plain = (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb';
  return {
    ...given,
    cloneFolder: given.cloneFolder,
    width: given.width,
    status: given.status,
    askHidden: given.askHidden,
    colour: given.isTerminal === true && !plain,
    signal: given.signal ?? new AbortController().signal,
    now: given.now ?? Date.now,
    pause: given.pause ?? pause,
    loadServer: given.loadServer ?? loadServerModule,
  };
}

/** Waits. If aborted, throws the signal's reason instead of the timer's own error. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error;
  });
}

/** Prints an API response as JSON. */
export const printJson = (context: Context, value: unknown): void => context.out(JSON.stringify(value, null, 2));
