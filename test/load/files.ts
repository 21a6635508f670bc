// File search: small files with a certificate each, as on servers, and some with a key.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExternalAuthority } from '@signetry/connector-conformance';
import { DEFAULT_PATTERNS, search } from '@signetry/file-discovery/files';
import { writePem } from '@signetry/pki';
import { exportPrivateKeyPem, generateKeyPair } from '@signetry/pki/node';
import type { BenchmarkReport } from './report.ts';

const FILES = 20_000;
const PER_DIRECTORY = 200;
const MIB = 2 ** 20;

export async function benchFiles(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const count = Number(options.get('files') ?? FILES);
  const folder = mkdtempSync(join(tmpdir(), 'signetry-bench-files-'));
  try {
    await writeFiles(folder, count);
    await measureSearch(folder, 1_000); // Loading and compiling happen before the measurement.
    const before = process.memoryUsage.rss();
    const began = performance.now();
    const found = await measureSearch(folder, count);
    const seconds = (performance.now() - began) / 1000;
    return {
      name: 'File discovery',
      figures: [
        { name: 'files read', value: count / seconds, unit: '/s' },
        { name: 'certificates in them', value: found, unit: '' },
        { name: 'memory growth', value: (process.memoryUsage.rss() - before) / MIB, unit: 'MiB' },
      ],
      notes: ['PEM and DER files of a certificate, one in ten with its key; they are in the file system cache.'],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeFiles(folder: string, count: number): Promise<void> {
  const authority = await createExternalAuthority('CN=Bench Root');
  const { privateKey, spki } = await generateKeyPair('P-256');
  const leaf = authority.issue({ subject: 'CN=www.example', spki, dnsNames: ['www.example'] });
  const pem = writePem('CERTIFICATE', leaf);
  const withKey = `${await exportPrivateKeyPem(privateKey)}${pem}`;
  for (let at = 0; at < count; at += 1) {
    const directory = join(folder, String(Math.floor(at / PER_DIRECTORY)));
    if (at % PER_DIRECTORY === 0) mkdirSync(directory);
    if (at % 2 === 0) writeFileSync(join(directory, `${at}.der`), leaf);
    else writeFileSync(join(directory, `${at}.pem`), at % 10 === 1 ? withKey : pem);
  }
}

async function measureSearch(folder: string, max: number): Promise<number> {
  let found = 0;
  await search(
    { directories: [folder], patterns: DEFAULT_PATTERNS, passwords: [], maxDepth: 10, maxFileOctets: MIB },
    {
      signal: new AbortController().signal,
      mayGoOn: (number) => number < max,
      onFile: (_number, { contents }) => void (found += contents?.certificates.length ?? 0),
    },
  );
  return found;
}
