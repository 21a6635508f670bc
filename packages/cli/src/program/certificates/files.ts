// Files for a requested certificate. Existing files are never overwritten, and keys are readable only by their owner.
import { lstat, open, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { CliFailure, codeOf, messageOf } from '../failures.ts';

export interface CertificateFiles {
  readonly key: string;
  readonly certificate: string;
}

export const certificateFiles = (folder: string, name: string): CertificateFiles => ({
  key: join(folder, `${name}.key.pem`),
  certificate: join(folder, `${name}.pem`),
});

/** Returns a path for display, relative to the current directory if it is inside that directory. */
export function shownPath(path: string, cwd: string): string {
  const fromHere = relative(cwd, path);
  return fromHere.startsWith('..') ? path : fromHere;
}

/**
 * Rejects existing paths before the platform is called. Symbolic links count as existing, regardless of their target.
 */
export async function assertAbsent(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await lstat(path).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw writeError(path, error);
    });
    if (found !== undefined) throw fileExistsError(path);
  }
}

/** Creates a file that only its owner can read, and flushes it so that it survives a power failure. */
export const writeKeyFile = (path: string, content: string | Uint8Array): Promise<void> =>
  create(path, { content, mode: 0o600 });

export const writeCertificateFile = (path: string, pem: string): Promise<void> =>
  create(path, { content: pem, mode: 0o644 });

/** Removes a key file that this command created and that has no certificate. */
export const removeKeyFile = (path: string): Promise<void> => rm(path, { force: true });

async function create(
  path: string,
  { content, mode }: { readonly content: string | Uint8Array; readonly mode: number },
): Promise<void> {
  // `wx` atomically creates the file or fails, so no other process can create a file or link in between.
  const file = await open(path, 'wx', mode).catch((error: unknown) => {
    throw codeOf(error) === 'EEXIST' ? fileExistsError(path) : writeError(path, error);
  });
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    // A full disk leaves a partial file behind, which would block the next attempt.
    await rm(path, { force: true });
    throw writeError(path, error);
  } finally {
    await file.close();
  }
}

const fileExistsError = (path: string): CliFailure =>
  new CliFailure(`Cannot create ${path}: it already exists.`, {
    help: ['Move it, run the command in a different directory, or specify one with --out FOLDER.'],
  });

const writeError = (path: string, error: unknown): CliFailure =>
  new CliFailure(`Cannot write ${path}: ${messageOf(error)}`, {
    help: codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' ? ['The directory must exist.'] : [],
    cause: error,
  });
