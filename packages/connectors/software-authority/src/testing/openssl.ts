// Cross-checks with the system's OpenSSL.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePem } from '@signetry/pki';

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Runs openssl in a directory with these files and returns its output; throws if it fails. */
export const openssl = (args: readonly string[], files: Files = {}): string =>
  inFolder(args, files, (_, output) => output);

/** Like `openssl`, for commands that write a file named `out`. */
export const opensslFile = (args: readonly string[], files: Files): Uint8Array =>
  inFolder([...args, '-out', 'out'], files, (folder) => readFileSync(join(folder, 'out')));

function inFolder<Result>(
  args: readonly string[],
  files: Files,
  read: (folder: string, output: string) => Result,
): Result {
  const folder = mkdtempSync(join(tmpdir(), 'software-authority-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const output = execFileSync('openssl', [...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return read(folder, output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const certificatePem = (...certificates: readonly Uint8Array[]): string =>
  certificates.map((der) => writePem('CERTIFICATE', der)).join('');

/** Verifies a certificate strictly against a chain whose last certificate is trusted. */
export function verifyChain(
  certificate: Uint8Array,
  chain: readonly Uint8Array[],
  options: readonly string[] = [],
): string {
  const root = chain.at(-1) ?? new Uint8Array();
  return openssl(['verify', '-x509_strict', ...options, '-CAfile', 'root.pem', '-untrusted', 'chain.pem', 'leaf.pem'], {
    'root.pem': certificatePem(root),
    'chain.pem': certificatePem(...chain),
    'leaf.pem': certificatePem(certificate),
  });
}
