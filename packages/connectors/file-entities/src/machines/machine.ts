// What the connector needs from a machine with files, whether it is this one or reached through SSH.

export interface Machine {
  /** In refusals: `this machine`, or host and port. */
  readonly name: string;
  /** The whole path of what a location names; refuses what is outside of where files may be. */
  locate(path: string): Promise<string>;
  /** Undefined when there is no file. Fails for anything but an ordinary file, and for files beyond a mebibyte. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Undefined when there is no file. */
  rights(path: string): Promise<FileRights | undefined>;
  /** Makes a file that is not there yet, and brings it to the disk. */
  write(path: string, bytes: Uint8Array, mode: number): Promise<void>;
  /** `owner`, `owner:group` or `:group`, by name or number. */
  setOwner(path: string, owner: string): Promise<void>;
  /** A second name for a file. */
  link(path: string, name: string): Promise<void>;
  /** Replaces what is at `to` in one step. */
  rename(from: string, to: string): Promise<void>;
  /** Does nothing where there is no file. */
  remove(path: string): Promise<void>;
  /** Brings changes of names to the disk, where the machine lets us. */
  flushNames(path: string): Promise<void>;
  /** Runs a command of the operator in a shell. */
  run(command: string): Promise<CommandResult>;
  close(): void;
}

export interface FileRights {
  readonly mode: number;
  /** `owner:group` by number, as `setOwner` takes it. */
  readonly owner: string;
}

export interface CommandResult {
  readonly succeeded: boolean;
  /** How it ended, e.g. `exit code 1`, and the end of what it printed. */
  readonly outcome: string;
}

/** What failed, with the path, in words that end without a full stop. */
export class MachineError extends Error {
  /** The machine is not reached any more. */
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

/** What a command printed, as far as a person wants to read it: its end, in one line. */
export function outcomeOf(ending: string, output: string): string {
  const text = output.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return text === '' ? ending : `${ending}: ${text.slice(-SHOWN_OUTPUT)}`;
}
