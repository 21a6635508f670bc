// Runs Java's keytool to cross-check key stores. Tests that need it are skipped with a note if it is not installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const HAS_KEYTOOL: boolean = spawnSync('keytool', ['-help'], { stdio: 'ignore' }).status === 0;
/** Appended to the names of test groups, to say why one is skipped. */
export const KEYTOOL_NOTE: string = HAS_KEYTOOL ? '' : ' (skipped: no keytool on PATH)';

export interface KeytoolRun {
  readonly folder: string;
  /** Standard output; throws when it fails. It warns on standard error about every JKS store. */
  readonly run: (...args: string[]) => string;
  readonly remove: () => void;
}

/** A folder for files and a way to run `keytool` in it. */
export function keytoolFolder(): KeytoolRun {
  const folder = mkdtempSync(join(tmpdir(), 'signetry-keytool-'));
  return {
    folder,
    run: (...args) =>
      execFileSync('keytool', ['-J-Dfile.encoding=UTF-8', '-J-Duser.language=en', ...args], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
