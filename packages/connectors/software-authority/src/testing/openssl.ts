// The system's OpenSSL as a foreign judge.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePem } from '@signetry/pki';

/** Runs openssl with files of the given names; answers its output, throws when it refuses. */
export function openssl(args: readonly string[], files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'software-authority-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
    return execFileSync('openssl', [...args], { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } finally {
    rmSync(directory, { recursive: true, force: true });
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
