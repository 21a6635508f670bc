// Finds and reads the files to import.
import { splitFile, type FilePiece } from '@signetry/client';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CliFailure } from '../failures.ts';

/** Maximum file size. The content of larger files does not fit into a string. */
const MAX_FILE_MIB = 400;

/** Returns the files under these paths, sorted by name. Skips hidden files in directories. */
export async function filesBelow(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const facts = await stat(path).catch((cause: unknown) => {
      throw new CliFailure(`Cannot read ${path}.`, { help: ['Specify existing files or directories.'], cause });
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
    throw new CliFailure(`The file is larger than ${MAX_FILE_MIB} MiB. Split it into smaller files.`);
  return splitFile(path, await readFile(path));
}
