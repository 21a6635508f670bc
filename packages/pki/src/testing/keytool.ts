// Runs Java's keytool to cross-check key stores. Tests that need it are skipped with a note if it is not installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const HAS_KEYTOOL: boolean = spawnSync('keytool', ['-help'], { stdio: 'ignore' }).status === 0;
/** Suffix for names of test groups that explains why a group is skipped. */
export const KEYTOOL_NOTE: string = HAS_KEYTOOL ? '' : ' (skipped: no keytool on PATH)';

export interface KeytoolRun {
  readonly folder: string;
  /**
   * Returns standard output, without the warning that keytool prints on standard error about every JKS store. Throws if
   * keytool fails.
   */
  readonly run: (...args: string[]) => string;
  readonly remove: () => void;
}

/** Creates a folder for files, with a function that runs `keytool` in it. */
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
