import { expect, it } from 'vitest';
import { endFile, whenFileEnds } from './file-end.ts';

it("a file's cleanups all run, in reverse order, and report their failures", async () => {
  const ended: string[] = [];
  whenFileEnds(() => ended.push('database'));
  whenFileEnds(() => {
    ended.push('broken');
    throw new Error('cannot be ended');
  });
  whenFileEnds(async () => {
    await Promise.resolve();
    ended.push('platform');
  });
  await expect(endFile()).rejects.toThrow('Cannot run 1 cleanups of the test file');
  expect(ended).toEqual(['platform', 'broken', 'database']);
  await endFile();
  expect(ended).toHaveLength(3);
});
