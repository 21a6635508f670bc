// A change to files is reported as done only if reading them back gives what was written. Runs in a real directory
// whose file system stores something else.
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { localMachine } from '../machines/local-machine.ts';
import { MachineError, type Machine } from '../machines/machine.ts';
import { changeFiles, type FileChanges } from './change-files.ts';

let file: string;
let machine: Machine;
beforeEach(async () => {
  const path = await mkdtemp(join(tmpdir(), 'signetry-change-'));
  onTestFinished(() => rm(path, { recursive: true }));
  file = join(path, 'key.pem');
  await writeFile(file, 'old');
  machine = localMachine({ name: 'test', path });
});

const change = (changes: Partial<FileChanges> = {}, on = machine) =>
  changeFiles(
    { machine: on, again: () => Promise.resolve(on) },
    {
      changes: [{ path: file, bytes: new TextEncoder().encode('new content'), mode: 0o600, owner: undefined }],
      reload: undefined,
      ...changes,
    },
  );
const content = () => readFile(file, 'utf8');

it('is done when the files hold what was written', async () => {
  await change();
  expect(await content()).toBe('new content');
});

it('is undone when a file holds something else afterwards', async () => {
  const losing: Machine = {
    ...machine,
    rename: async (from, to) => {
      await machine.rename(from, to);
      if ((await content()) === 'new content') await truncate(file, 3);
    },
  };
  await expect(change({}, losing)).rejects.toThrow(/does not hold what was written to it. The previous files are in/);
  expect(await content()).toBe('old');
});

it('is undone when its reader does not find what was written, before the server is told to read it', async () => {
  const verify = () => Promise.reject(new MachineError('the store does not hold the entry'));
  const reload = { name: 'leaves a trace', command: `touch ${file}.read` };
  await expect(change({ verify, reload })).rejects.toThrow(/does not hold the entry. The previous files are in place/);
  expect(await content()).toBe('old');
  await expect(readFile(`${file}.read`)).rejects.toThrow('ENOENT');
});
