// Interface to a machine with files: this one, or one accessed over SSH.

export interface Machine {
  /** Name for error messages: `this machine`, or host and port. */
  readonly name: string;
  /** Returns the full path of a file named by a location; rejects files outside the permitted directories. */
  locate(path: string): Promise<string>;
  /** Returns undefined if there is no file. Fails for anything but a regular file, and for files larger than 1 MiB. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Returns undefined if there is no file. */
  rights(path: string): Promise<FileRights | undefined>;
  /** Creates a file that does not exist yet, and flushes it to disk. */
  write(path: string, bytes: Uint8Array, mode: number): Promise<void>;
  /** Sets the owner, specified as `owner`, `owner:group` or `:group`, by name or number. */
  setOwner(path: string, owner: string): Promise<void>;
  /** Creates a second name for a file. */
  link(path: string, name: string): Promise<void>;
  /** Replaces the file at `to` in one step. */
  rename(from: string, to: string): Promise<void>;
  /** Does nothing if there is no file. */
  remove(path: string): Promise<void>;
  /** Flushes name changes to disk, if the machine supports it. */
  flushNames(path: string): Promise<void>;
  /** Runs a command configured by the operator in a shell. */
  run(command: string): Promise<CommandResult>;
  close(): void;
}

export interface FileRights {
  readonly mode: number;
  /** `owner:group` by number, as accepted by `setOwner`. */
  readonly owner: string;
}

export interface CommandResult {
  readonly succeeded: boolean;
  /** Result, e.g. `exit code 1`, and the end of the output. */
  readonly outcome: string;
}

/** A failed operation. The message includes the path and has no final period. */
export class MachineError extends Error {
  /** Whether the connection to the machine was lost. */
  readonly isLost: boolean;

  constructor(message: string, { isLost = false }: { readonly isLost?: boolean } = {}) {
    super(message);
    this.name = 'MachineError';
    this.isLost = isLost;
  }
}

export const MAX_FILE_OCTETS = 1024 * 1024;
export const rightsOf = (stat: { readonly mode: number; readonly uid: number; readonly gid: number }): FileRights => ({
  mode: stat.mode & 0o7777,
  owner: `${stat.uid}:${stat.gid}`,
});

export const COMMAND_MS = 60_000;
const SHOWN_OUTPUT = 1_000;

/** Returns the result with the end of the command's output, on one line. */
export function outcomeOf(ending: string, output: string): string {
  const text = output.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return text === '' ? ending : `${ending}: ${text.slice(-SHOWN_OUTPUT)}`;
}
