import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ADVISORY_LOCKS } from './advisory-locks.ts';

const SOURCES = fileURLToPath(new URL('../../', import.meta.url));

it('advisory locks are distinct, so that unrelated tasks do not block each other', () => {
  const numbers = Object.values(ADVISORY_LOCKS);
  expect(new Set(numbers).size).toBe(numbers.length);
});

it('every advisory lock uses a number from ADVISORY_LOCKS', async () => {
  const files = (await readdir(SOURCES, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const takers: string[] = [];
  for (const name of files) {
    const text = await readFile(join(SOURCES, name), 'utf8');
    if (/pg_(?:try_)?advisory_(?:xact_)?lock/.test(text) && !/ADVISORY_LOCKS[.[]/.test(text)) takers.push(name);
  }
  expect(takers).toEqual([]);
});
