// A file change is reported as done only if reading the files back returns the written content. Uses a real directory,
// and a wrapper that stores different content.
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

it('completes a change if the files contain what was written', async () => {
  await change();
  expect(await content()).toBe('new content');
});

it('reverts a change if a file later has different content', async () => {
  const losing: Machine = {
    ...machine,
    rename: async (from, to) => {
      await machine.rename(from, to);
      if ((await content()) === 'new content') await truncate(file, 3);
    },
  };
  await expect(change({}, losing)).rejects.toThrow(
    /does not contain what was written to it\. The previous files were restored\./,
  );
  expect(await content()).toBe('old');
});

it('reverts a change before the reload if its verification fails', async () => {
  const verify = () => Promise.reject(new MachineError('the store does not contain the entry'));
  const reload = { name: 'leaves a trace', command: `touch ${file}.read` };
  await expect(change({ verify, reload })).rejects.toThrow(
    /does not contain the entry\. The previous files were restored\./,
  );
  expect(await content()).toBe('old');
  await expect(readFile(`${file}.read`)).rejects.toThrow('ENOENT');
});
