// Runs the openssl program to cross-check results. Tests that need it are skipped with a note if it is not installed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';

function findVersion(): string | undefined {
  try {
    return execFileSync('openssl', ['version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

const OPENSSL_VERSION: string | undefined = findVersion();
export const HAS_OPENSSL: boolean = OPENSSL_VERSION?.startsWith('OpenSSL 3') ?? false;
/** Suffix for names of test groups that explains why a group is skipped. */
export const OPENSSL_NOTE: string = HAS_OPENSSL ? '' : ' (skipped: no OpenSSL 3 on PATH)';

export interface OpensslRun {
  /** Runs `openssl` in its folder and returns standard output. Throws if it fails. */
  readonly run: (...args: string[]) => string;
  readonly write: (name: string, content: Uint8Array | string) => string;
  readonly folder: string;
  readonly remove: () => void;
}

/** Creates a folder for files, with a function that runs `openssl` in it. */
export function opensslFolder(): OpensslRun {
  const folder = mkdtempSync(join(tmpdir(), 'signetry-pki-'));
  return {
    folder,
    run: (...args) =>
      execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    write: (name, content) => {
      writeFileSync(join(folder, name), content);
      return name;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
