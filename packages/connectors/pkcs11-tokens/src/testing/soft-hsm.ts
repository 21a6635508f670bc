// SoftHSM 2 for tests: each test file has its own token directory, and tokens are initialized through the library. If
// the library or the binding is not installed, tests are skipped with a note.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PATHS = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib64/softhsm/libsofthsm2.so',
  '/usr/local/lib/softhsm/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
];

export const SOFT_HSM = PATHS.find((path) => existsSync(path)) ?? '';

function hasBinding(): boolean {
  try {
    createRequire(import.meta.url).resolve('pkcs11js/build/Release/pkcs11.node');
    return true;
  } catch {
    return false;
  }
}

/** Reason why the tests cannot run here, or undefined if they can. */
export const MISSING = SOFT_HSM === '' ? 'no SoftHSM 2' : hasBinding() ? undefined : 'pkcs11js is not built';

export const HAS_SOFT_HSM = MISSING === undefined;
/** Suffix for the name of a test group, with the reason why it is skipped. */
export const SOFT_HSM_NOTE = HAS_SOFT_HSM ? '' : ` (skipped: ${MISSING})`;

export interface SoftHsm {
  /** Returns the serial number. */
  initToken(label: string, pin: string): Promise<string>;
  /** Simulates unplugging the token. */
  removeToken(serial: string): Promise<void>;
  remove(): Promise<void>;
}

/** Creates a token directory for libraries that this process loads from now on. */
export async function openSoftHsm(): Promise<SoftHsm> {
  const folder = await mkdtemp(join(tmpdir(), 'signetry-softhsm-'));
  const tokens = join(folder, 'tokens');
  const configuration = join(folder, 'softhsm2.conf');
  await mkdir(tokens);
  await writeFile(configuration, `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`);
  process.env['SOFTHSM2_CONF'] = configuration;
  return {
    initToken: async (label, pin) => {
      // SoftHSM reads its configuration once, from the environment of its process.
      const script = fileURLToPath(new URL('init-token.ts', import.meta.url));
      const { stdout } = await promisify(execFile)(process.execPath, [script, SOFT_HSM, label, pin], {
        env: { ...process.env, SOFTHSM2_CONF: configuration },
      });
      return stdout.trim();
    },
    removeToken: async (serial) => {
      // SoftHSM has one directory per token, whose name ends with the serial number.
      const name = (await readdir(tokens)).find((each) => each.replaceAll('-', '').endsWith(serial));
      if (name === undefined) throw new Error(`SoftHSM has no token with the serial number ${serial}.`);
      await rm(join(tokens, name), { recursive: true });
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
