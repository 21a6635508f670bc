// pki, the program of strongSwan for keys and certificates (Debian: strongswan-pki). SCEP needs its plugin of curl,
// elliptic curves that of OpenSSL (Debian: libstrongswan-extra-plugins, libstrongswan-standard-plugins).
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCertificate, readDerOrPem, type Certificate } from '@signetry/pki';
import { expect } from 'vitest';
import { runForeign, succeed, versionOf, type EndedRun } from './foreign-programs.ts';

const PEM = /-----BEGIN [A-Z0-9 ]+-----[\s\S]+?-----END [A-Z0-9 ]+-----/;
const help = versionOf('pki', '--help') ?? '';

/** Other projects have a program of this name. */
export const HAS_STRONGSWAN = help.startsWith('strongSwan') && /loaded plugins:.*\bopenssl\b.*\bcurl\b/.test(help);
/** Appended to the name of a test group, to say why one is skipped. */
export const STRONGSWAN_NOTE = HAS_STRONGSWAN ? '' : ' (skipped: no pki of strongSwan with its plugins on PATH)';

export interface Strongswan {
  /** For what is to fail. */
  run(...args: readonly string[]): Promise<EndedRun>;
  /** Must succeed; what it printed. */
  succeed(...args: readonly string[]): Promise<string>;
  /** A new key in this file. */
  makeKey(file: string, kind: 'rsa' | 'ecdsa'): Promise<void>;
  /** Must succeed with a certificate, which is kept in this file. */
  getCertificate(file: string, ...args: readonly string[]): Promise<Certificate>;
  /** Must succeed with something in PEM, which is kept in this file. */
  keep(file: string, ...args: readonly string[]): Promise<string>;
}

/** All files are in this folder. */
export function strongswanIn(folder: string): Strongswan {
  const succeeding = (...args: readonly string[]) => succeed('pki', args, { folder });
  const keep = async (file: string, ...args: readonly string[]): Promise<string> => {
    const output = await succeeding(...args, '--outform', 'pem');
    const [pem] = PEM.exec(output) ?? expect.fail(`nothing in PEM:\n${output}`);
    await writeFile(join(folder, file), `${pem}\n`);
    return pem;
  };
  return {
    run: (...args) => runForeign('pki', args, { folder }),
    succeed: succeeding,
    keep,
    makeKey: async (file, kind) => {
      await keep(file, '--gen', '--type', kind, '--size', kind === 'rsa' ? '2048' : '256');
    },
    getCertificate: async (file, ...args) => parseCertificate(readDerOrPem(await keep(file, ...args), ['CERTIFICATE'])),
  };
}
