// SoftHSM 2 for tests: a folder of tokens of its own for each test file, and tokens that are initialized through the
// library. Where the library or the binding is not installed, tests say so and are skipped.
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

/** Why the tests cannot run here; undefined where they can. */
export const MISSING = SOFT_HSM === '' ? 'no SoftHSM 2' : hasBinding() ? undefined : 'pkcs11js is not built';

export const HAS_SOFT_HSM = MISSING === undefined;
/** Appended to the name of a test group, to say why it is skipped. */
export const SOFT_HSM_NOTE = HAS_SOFT_HSM ? '' : ` (skipped: ${MISSING})`;

export interface SoftHsm {
  /** Answers the serial number. */
  initToken(label: string, pin: string): Promise<string>;
  /** As if the token was pulled out. */
  removeToken(serial: string): Promise<void>;
  remove(): Promise<void>;
}

/** Libraries that this process loads from now on use the new folder. */
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
      // SoftHSM has a folder for each token; the end of its name is the serial number.
      const name = (await readdir(tokens)).find((each) => each.replaceAll('-', '').endsWith(serial));
      if (name === undefined) throw new Error(`SoftHSM has no token with the serial number ${serial}.`);
      await rm(join(tokens, name), { recursive: true });
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
