import { expect, it } from 'vitest';
import { finishFile, onFileFinished } from './file-end.ts';

it("a file's cleanups all run, in reverse order, and report their failures", async () => {
  const ended: string[] = [];
  onFileFinished(() => ended.push('database'));
  onFileFinished(() => {
    ended.push('broken');
    throw new Error('cannot be ended');
  });
  onFileFinished(async () => {
    await Promise.resolve();
    ended.push('platform');
  });
  await expect(finishFile()).rejects.toThrow('Cannot run 1 cleanups of the test file');
  expect(ended).toEqual(['platform', 'broken', 'database']);
  await finishFile();
  expect(ended).toHaveLength(3);
});
