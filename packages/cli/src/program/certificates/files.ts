// The files of a requested certificate. Nothing that exists is ever overwritten; keys are readable by their owner only.
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

/** A path for display: relative to the current folder, unless it is outside of it. */
export function shownPath(path: string, cwd: string): string {
  const fromHere = relative(cwd, path);
  return fromHere.startsWith('..') ? path : fromHere;
}

/** Refuses before the platform is called. Links count as existing, whatever they point to. */
export async function assertAbsent(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await lstat(path).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw cannotWrite(path, error);
    });
    if (found !== undefined) throw inTheWay(path);
  }
}

/** Creates a file that only its owner can read, and flushes it so that it survives a power failure. */
export const writeKeyFile = (path: string, pem: string): Promise<void> => create(path, { text: pem, mode: 0o600 });

export const writeCertificateFile = (path: string, pem: string): Promise<void> =>
  create(path, { text: pem, mode: 0o644 });

/** Removes a key that this command wrote and that has no certificate. */
export const removeKeyFile = (path: string): Promise<void> => rm(path, { force: true });

async function create(path: string, { text, mode }: { text: string; mode: number }): Promise<void> {
  // `wx` creates or fails, in one step of the system: no other process can slip a file or link in between.
  const file = await open(path, 'wx', mode).catch((error: unknown) => {
    throw codeOf(error) === 'EEXIST' ? inTheWay(path) : cannotWrite(path, error);
  });
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    // A full disk leaves half a file, which would block the next attempt.
    await rm(path, { force: true });
    throw cannotWrite(path, error);
  } finally {
    await file.close();
  }
}

const inTheWay = (path: string): CliFailure =>
  new CliFailure(`${path} already exists and is not overwritten.`, {
    help: ['Move it away, work in another folder, or choose one with --out FOLDER.'],
  });

const cannotWrite = (path: string, error: unknown): CliFailure =>
  new CliFailure(`${path} cannot be written: ${messageOf(error)}`, {
    help: codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' ? ['The folder must exist.'] : [],
    cause: error,
  });
