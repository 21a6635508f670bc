// The files that an import is about.
import { piecesOfFile, type FilePiece } from '@signetry/client';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CliFailure } from '../failures.ts';

/** A text longer than this cannot be held. */
const MAX_FILE_MIB = 400;

/** The files below these paths, in the order of their names; hidden ones in folders are left out. */
export async function filesBelow(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const facts = await stat(path).catch((cause: unknown) => {
      throw new CliFailure(`${path} cannot be read.`, { help: ['Name files or folders that exist.'], cause });
    });
    if (!facts.isDirectory()) found.push(path);
    else {
      const entries = await readdir(path, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
      for (const { name, parentPath } of files) found.push(join(parentPath, name));
    }
  }
  return found.toSorted();
}

export async function readPieces(path: string): Promise<FilePiece[]> {
  const { size } = await stat(path);
  if (size > MAX_FILE_MIB * 1024 * 1024)
    throw new CliFailure(`It is larger than ${MAX_FILE_MIB} MiB; split it into several files.`);
  return piecesOfFile(path, await readFile(path));
}
