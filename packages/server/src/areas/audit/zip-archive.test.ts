import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { zipArchive } from './zip-archive.ts';

// MS-DOS timestamps are in local time.
const modified = new Date(2026, 10, 20, 12, 34, 56);

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

async function* inChunks(text: string) {
  for (let start = 0; start < text.length; start += 1000) yield Buffer.from(text.slice(start, start + 1000));
}

describe('a ZIP archive', () => {
  it('contains the deflated file under its name', async () => {
    const text = 'näme,value\r\n'.repeat(5000);
    const archive = await collect(zipArchive({ name: 'ä.csv', modified, contents: inChunks(text) }));
    const directory = archive.readUInt32LE(archive.length - 22 + 16);
    expect(archive.readUInt32LE(directory + 24)).toBe(Buffer.byteLength(text));
    const name = archive.subarray(directory + 46, directory + 46 + archive.readUInt16LE(directory + 28));
    expect(name.toString()).toBe('ä.csv');
    const start = 30 + archive.readUInt16LE(26) + archive.readUInt16LE(28);
    const packed = archive.readUInt32LE(directory + 20);
    expect(inflateRawSync(archive.subarray(start, start + packed)).toString()).toBe(text);
  });

  const hasPython = spawnSync('python3', ['--version']).status === 0;

  it.runIf(hasPython)('can be read by a different implementation', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'signetry-zip-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const path = join(directory, 'a.zip');
    writeFileSync(path, await collect(zipArchive({ name: 'a.csv', modified, contents: inChunks('x'.repeat(5000)) })));
    const script =
      'import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\ni = z.infolist()[0]\nprint(i.filename, i.file_size, i.date_time, len(z.read(i)))';
    const output = execFileSync('python3', ['-c', script, path], { encoding: 'utf8' });
    expect(output.trim()).toBe('a.csv 5000 (2026, 11, 20, 12, 34, 56) 5000');
  });

  it('fails if reading its contents fails', async () => {
    async function* failing() {
      yield Buffer.from('a');
      throw new Error('the database went away');
    }
    await expect(collect(zipArchive({ name: 'a.csv', modified, contents: failing() }))).rejects.toThrow(
      'the database went away',
    );
  });

  it('closes its contents if the reader stops', async () => {
    let ended = false;
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(65_536, Math.random() * 256);
      } finally {
        ended = true;
      }
    }
    for await (const chunk of zipArchive({ name: 'a.csv', modified, contents: endless() }))
      if (chunk.length > 100) break;
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(true);
  });
});
