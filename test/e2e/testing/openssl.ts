// The system's OpenSSL as an independent verifier. It runs beside the tests without blocking them, because the platform
// that openssl talks to is in the same process. Tests that need it are skipped, saying so, where it is not installed.
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
/** Its CMP knows keys that the server makes, and templates of requests. */
export const HAS_OPENSSL_3_5: boolean = HAS_OPENSSL && Number(/^OpenSSL 3\.(\d+)/.exec(version ?? '')?.[1]) >= 5;
export const OPENSSL_3_5_NOTE: string = HAS_OPENSSL_3_5 ? '' : ' (skipped: no OpenSSL from 3.5 on PATH)';
/** Appended to the names of test groups, to say why one is skipped. */
export const OPENSSL_NOTE: string = HAS_OPENSSL ? '' : ' (skipped: no OpenSSL 3 on PATH)';

export interface Openssl {
  /**
   * Runs `openssl` with arguments in groups; answers standard output and error together. Rejects when it fails, with
   * its words in the message.
   */
  run(...args: readonly (string | readonly string[])[]): Promise<string>;
  write(name: string, content: Uint8Array | string): Promise<void>;
  read(name: string): Promise<string>;
}

/** `openssl` in a folder of its own, which is removed after the test file. Call at the top of a file. */
export function opensslFolder(): Openssl {
  const folder = mkdtempSync(join(tmpdir(), 'signetry-openssl-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    run: async (...args) => {
      try {
        const { stdout, stderr } = await execute('openssl', args.flat(), { cwd: folder, timeout: TIMEOUT_MS });
        return stdout + stderr;
      } catch (error) {
        // Some of its commands say on standard output why they failed.
        const { message, stdout = '' } = error as Error & { stdout?: string }; // of `execFile`
        throw new Error(`${message}\n${stdout}`, { cause: error });
      }
    },
    write: (name, content) => writeFile(join(folder, name), content),
    read: (name) => readFile(join(folder, name), 'utf8'),
  };
}
