// pki, strongSwan's program for keys and certificates (Debian: strongswan-pki). SCEP requires its curl plugin, and
// elliptic curves its OpenSSL plugin (Debian: libstrongswan-extra-plugins, libstrongswan-standard-plugins).
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCertificate, readDerOrPem, type Certificate } from '@signetry/pki';
import { expect } from 'vitest';
import { runForeign, succeed, versionOf, type EndedRun } from './foreign-programs.ts';

const PEM = /-----BEGIN [A-Z0-9 ]+-----[\s\S]+?-----END [A-Z0-9 ]+-----/;
const help = versionOf('pki', '--help') ?? '';

/** Other projects have a program with the same name. */
export const HAS_STRONGSWAN = help.startsWith('strongSwan') && /loaded plugins:.*\bopenssl\b.*\bcurl\b/.test(help);
/** Appended to the name of a test group to explain why it is skipped. */
export const STRONGSWAN_NOTE = HAS_STRONGSWAN ? '' : ' (skipped: no pki of strongSwan with its plugins on PATH)';

export interface Strongswan {
  /** For commands that are expected to fail. */
  run(...args: readonly string[]): Promise<EndedRun>;
  /** Runs a command that must succeed, and returns its output. */
  succeed(...args: readonly string[]): Promise<string>;
  /** Creates a key in this file. */
  makeKey(file: string, kind: 'rsa' | 'ecdsa'): Promise<void>;
  /** Runs a command that must return a certificate, and stores it in this file. */
  getCertificate(file: string, ...args: readonly string[]): Promise<Certificate>;
  /** Runs a command that must return PEM, and stores it in this file. */
  keep(file: string, ...args: readonly string[]): Promise<string>;
}

/** Uses this folder for all files. */
export function strongswanIn(folder: string): Strongswan {
  const runSuccessfully = (...args: readonly string[]) => succeed('pki', args, { folder });
  const storePem = async (file: string, ...args: readonly string[]): Promise<string> => {
    const output = await runSuccessfully(...args, '--outform', 'pem');
    const [pem] = PEM.exec(output) ?? expect.fail(`nothing in PEM:\n${output}`);
    await writeFile(join(folder, file), `${pem}\n`);
    return pem;
  };
  return {
    run: (...args) => runForeign('pki', args, { folder }),
    succeed: runSuccessfully,
    keep: storePem,
    makeKey: async (file, kind) => {
      await storePem(file, '--gen', '--type', kind, '--size', kind === 'rsa' ? '2048' : '256');
    },
    getCertificate: async (file, ...args) =>
      parseCertificate(readDerOrPem(await storePem(file, ...args), ['CERTIFICATE'])),
  };
}
