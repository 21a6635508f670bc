// The environment of a command. Tests pass their own; nothing below reads `process` directly.
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from './environment.ts';
import { loadServerModule, type ServerModule } from './platform/server-module.ts';

/** What the caller of `runCli` gives. */
export interface CliContext {
  readonly environment: Environment;
  /** Writes a line, or several, to standard output. */
  readonly out: (text: string) => void;
  /** The same for standard error. */
  readonly err: (text: string) => void;
  /** Replaces the line that the terminal shows while something is under way; absent without a terminal. */
  readonly status?: (text: string) => void;
  /** Asks for a line that is not shown while it is typed; absent without a terminal. */
  readonly askHidden?: (question: string) => Promise<string>;
  /** Folder that relative paths start from and that files are written to. */
  readonly cwd: string;
  /** Standard output is a terminal. */
  readonly isTerminal?: boolean;
  /** Columns of the terminal; tables are as wide as they are without. */
  readonly width?: number;
  /** Aborted when the command must stop. */
  readonly signal?: AbortSignal;
  /** Folder of the clone: its `data` is used when the current folder has none. */
  readonly cloneFolder?: string;
  readonly now?: () => number;
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly loadServer?: () => Promise<ServerModule>;
}

/** The same with everything filled in. */
export interface Context extends Required<
  Omit<CliContext, 'isTerminal' | 'cloneFolder' | 'width' | 'status' | 'askHidden'>
> {
  readonly cloneFolder: string | undefined;
  readonly width: number | undefined;
  readonly status: CliContext['status'];
  readonly askHidden: CliContext['askHidden'];
  /** Whether text may be colored. */
  readonly colour: boolean;
}

export function completeContext(given: CliContext): Context {
  const { environment } = given;
  // https://no-color.org: any value but an empty one.
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

/** Waits; ends with the reason of the signal, not with the timer's own error. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error;
  });
}

/** Prints a response of the interface for programs. */
export const printJson = (context: Context, value: unknown): void => context.out(JSON.stringify(value, null, 2));
