// The system's OpenSSL as an independent verifier. It runs without blocking the tests, because the platform that
// openssl connects to runs in the same process. If it is not installed, tests that need it are skipped with a note.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

const execute = promisify(execFile);
const TIMEOUT_MS = 20_000;

function findVersion(): string | undefined {
  try {
    return execFileSync('openssl', ['version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

const version = findVersion();
export const HAS_OPENSSL: boolean = version?.startsWith('OpenSSL 3') ?? false;
/** Its CMP supports server-generated keys and request templates. */
export const HAS_OPENSSL_3_5: boolean = HAS_OPENSSL && Number(/^OpenSSL 3\.(\d+)/.exec(version ?? '')?.[1]) >= 5;
export const OPENSSL_3_5_NOTE: string = HAS_OPENSSL_3_5 ? '' : ' (skipped: no OpenSSL from 3.5 on PATH)';
/** Appended to the names of test groups to explain why they are skipped. */
export const OPENSSL_NOTE: string = HAS_OPENSSL ? '' : ' (skipped: no OpenSSL 3 on PATH)';

export interface Openssl {
  /**
   * Runs `openssl` with arguments in groups; returns combined standard output and error. Rejects with the output in the
   * message if it fails.
   */
  run(...args: readonly (string | readonly string[])[]): Promise<string>;
  write(name: string, content: Uint8Array | string): Promise<void>;
  read(name: string): Promise<string>;
}

/**
 * Creates an `openssl` runner with a separate folder, which is removed after the test file. Call at the top of a file.
 */
export function opensslFolder(): Openssl {
  const folder = mkdtempSync(join(tmpdir(), 'signetry-openssl-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    run: async (...args) => {
      try {
        const { stdout, stderr } = await execute('openssl', args.flat(), { cwd: folder, timeout: TIMEOUT_MS });
        return stdout + stderr;
      } catch (error) {
        // Some of its commands report errors on standard output.
        const { message, stdout = '' } = error as Error & { stdout?: string }; // Thrown by `execFile`.
        throw new Error(`${message}\n${stdout}`, { cause: error });
      }
    },
    write: (name, content) => writeFile(join(folder, name), content),
    read: (name) => readFile(join(folder, name), 'utf8'),
  };
}
