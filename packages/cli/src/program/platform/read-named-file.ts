// Reads a text file specified by a flag.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT } from '../exit-codes.ts';
import { CliFailure, messageOf } from '../failures.ts';

export async function readNamedFile(flag: string, { file, cwd }: { file: string; cwd: string }): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new CliFailure(`${flag}: cannot read the file: ${messageOf(error)}`, {
      exitCode: EXIT.usage,
      cause: error,
    });
  }
}
