import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { fileAttributes } from './attributes/file-attributes.ts';
import { CERTIFICATE_METADATA, DISCOVERY_METADATA, FILES } from './index.ts';

it('the README names every attribute', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const names = [FILES, CERTIFICATE_METADATA, DISCOVERY_METADATA].flatMap((form) => Object.values(form));
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

it('the form defines each attribute once', () => {
  const data = fileAttributes(['web']).filter(({ type }) => type === 'data');
  expect(data.map(({ name }) => name)).toEqual(Object.values(FILES));
  expect(new Set(fileAttributes(['web']).map(({ uuid }) => uuid)).size).toBe(fileAttributes(['web']).length);
});
