import { expect, it } from 'vitest';
import { endFile, whenFileEnds } from './file-end.ts';

it('what a file opened ends in the reverse order, all of it, and failures are told', async () => {
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
  await expect(endFile()).rejects.toThrow('Of what the test file opened, 1 could not be ended');
  expect(ended).toEqual(['platform', 'broken', 'database']);
  await endFile();
  expect(ended).toHaveLength(3);
});
