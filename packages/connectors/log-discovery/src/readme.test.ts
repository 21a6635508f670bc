import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { logAttributes } from './attributes/log-attributes.ts';
import { CERTIFICATE_METADATA, DISCOVERY_METADATA, LOG } from './index.ts';

it('the README names every attribute', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const names = [LOG, CERTIFICATE_METADATA, DISCOVERY_METADATA].flatMap((form) => Object.values(form));
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

it('the form defines each attribute once', () => {
  const data = logAttributes().filter(({ type }) => type === 'data');
  expect(data.map(({ name }) => name)).toEqual(Object.values(LOG));
  expect(new Set(logAttributes().map(({ uuid }) => uuid)).size).toBe(logAttributes().length);
});
