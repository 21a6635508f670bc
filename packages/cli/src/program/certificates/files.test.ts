import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/fake-platform.ts';
import { assertAbsent, certificateFiles, shownPath, writeCertificateFile, writeKeyFile } from './files.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('certificate files', () => {
  it('are named after the certificate', () => {
    expect(certificateFiles('/x', 'web.example')).toEqual({
      key: '/x/web.example.key.pem',
      certificate: '/x/web.example.pem',
    });
  });

  it('make the key readable only by its owner, regardless of the umask', async () => {
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
    ['a dangling symbolic link', (path: string) => symlinkSync('/nonexistent/elsewhere', path)],
  ])('never replace %s', async (_, occupy) => {
    const { key } = certificateFiles(temporaryFolder(), 'a');
    occupy(key);
    await expect(assertAbsent([key])).rejects.toThrow(`Cannot create ${key}: it already exists.`);
    await expect(writeKeyFile(key, 'key')).rejects.toThrow(`Cannot create ${key}: it already exists.`);
  });

  it('are reported absent in an empty folder, and the check creates nothing', async () => {
    const folder = temporaryFolder();
    await assertAbsent([join(folder, 'a')]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('require an existing folder', async () => {
    await expect(writeKeyFile(join(temporaryFolder(), 'no', 'a'), 'key')).rejects.toMatchObject({
      message: expect.stringContaining('Cannot write '),
      help: ['The directory must exist.'],
    });
  });

  it('are shown relative to the working directory', () => {
    expect([shownPath('/x/y/a', '/x'), shownPath('/z/a', '/x')]).toEqual(['y/a', '/z/a']);
  });
});
