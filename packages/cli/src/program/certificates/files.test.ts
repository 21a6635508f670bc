import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/fake-platform.ts';
import { assertAbsent, certificateFiles, shownPath, writeCertificateFile, writeKeyFile } from './files.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('files of a certificate', () => {
  it('are named after it', () => {
    expect(certificateFiles('/x', 'web.example')).toEqual({
      key: '/x/web.example.key.pem',
      certificate: '/x/web.example.pem',
    });
  });

  it('keep the key to its owner, whatever the mask of the process is', async () => {
    const { key, certificate } = certificateFiles(temporaryFolder(), 'a');
    const mask = process.umask(0);
    try {
      await writeKeyFile(key, 'key');
      await writeCertificateFile(certificate, 'certificate');
    } finally {
      process.umask(mask);
    }
    expect([modeOf(key), modeOf(certificate)]).toEqual([0o600, 0o644]);
    expect(readFileSync(key, 'utf8')).toBe('key');
  });

  it.each([
    ['a file', (path: string) => writeFileSync(path, 'mine')],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link to nowhere', (path: string) => symlinkSync('/nonexistent/elsewhere', path)],
  ])('never replace %s', async (_, occupy) => {
    const { key } = certificateFiles(temporaryFolder(), 'a');
    occupy(key);
    await expect(assertAbsent([key])).rejects.toThrow(`${key} already exists`);
    await expect(writeKeyFile(key, 'key')).rejects.toThrow(`${key} already exists`);
  });

  it('are absent in an empty folder, and nothing is made by looking', async () => {
    const folder = temporaryFolder();
    await assertAbsent([join(folder, 'a')]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('need a folder that exists', async () => {
    await expect(writeKeyFile(join(temporaryFolder(), 'no', 'a'), 'key')).rejects.toMatchObject({
      message: expect.stringContaining('cannot be written'),
      help: ['The folder must exist.'],
    });
  });

  it('are shown from where the person stands', () => {
    expect([shownPath('/x/y/a', '/x'), shownPath('/z/a', '/x')]).toEqual(['y/a', '/z/a']);
  });
});
