// The one error type of the embedded database. The code is closed so that a caller can choose what to do;
// the message says what was refused, which directory or program, and what would help.
// It must not carry passwords or the text of SQL statements.

export type EmbeddedPostgresErrorCode =
  | 'locked' // another process holds the data directory
  | 'unsupported-platform' // no PostgreSQL programs exist for this operating system, processor or C library
  | 'binaries-missing' // the npm package with the programs is not installed
  | 'binaries-unusable' // installed, but the server's user cannot run them, and no copy could be made
  | 'server-user' // no user under which the server could run
  | 'directory-unusable' // cannot be created, read, written or given to the server's user
  | 'disk-full'
  | 'not-a-cluster' // the folder holds something that is not a PostgreSQL cluster
  | 'other-major-version' // the cluster was written by another major version
  | 'initdb-failed'
  | 'start-failed'
  | 'survivor' // a server of an earlier run is still at work and cannot be ended from here
  | 'password-refused'
  | 'invalid-setting';

/** Who holds a directory, as far as the holder's own note tells. */
export interface LockHolder {
  readonly pid: number;
  readonly startedAt: string;
  readonly host: string;
}

export interface EmbeddedPostgresErrorDetails {
  readonly directory?: string;
  readonly holder?: LockHolder;
  readonly cause?: unknown;
}

export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;
  readonly directory: string | undefined;
  readonly holder: LockHolder | undefined;

  constructor(code: EmbeddedPostgresErrorCode, message: string, details: EmbeddedPostgresErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.directory = details.directory;
    this.holder = details.holder;
  }
}

/** The `code` of a Node system error (`ENOENT`), or undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function isNoSpace(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** PostgreSQL and initdb print strerror texts; with LC_ALL=C these two are fixed. */
export function mentionsNoSpace(text: string): boolean {
  return text.includes('No space left on device') || text.includes('Disk quota exceeded');
}

export function diskFull(directory: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'disk-full',
    `The file system of ${directory} is full, so the database was not started. ` +
      'Free some space (a new database needs about 60 MB) and start again; nothing that was committed is lost.',
    { directory, cause },
  );
}

/** Translates a file-system error met while working on `directory`; our own errors pass unchanged. */
export function directoryError(error: unknown, directory: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  if (isNoSpace(error)) return diskFull(directory, error);
  const uid = process.geteuid?.();
  const reason = error instanceof Error ? error.message : String(error);
  return new EmbeddedPostgresError(
    'directory-unusable',
    `The directory ${directory} cannot be used by this process (uid ${uid ?? 'unknown'}): ${reason}. ` +
      'Give it to that user, run as the user it belongs to, or choose another data directory on a local, writable disk.',
    { directory, cause: error },
  );
}
