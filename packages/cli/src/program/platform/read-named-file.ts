// A text file that a flag names.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT } from '../exit-codes.ts';
import { CliFailure, messageOf } from '../failures.ts';

export async function readNamedFile(flag: string, { file, cwd }: { file: string; cwd: string }): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new CliFailure(`${flag}: the file cannot be read: ${messageOf(error)}`, {
      exitCode: EXIT.usage,
      cause: error,
    });
  }
}
