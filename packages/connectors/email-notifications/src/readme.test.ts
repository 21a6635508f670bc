import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { emailAttributes } from './attributes/email-attributes.ts';
import { EMAIL } from './index.ts';
import { PLACEHOLDERS } from './templates/placeholders.ts';

it('the README names every attribute and every placeholder', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const names = [...Object.values(EMAIL), ...Object.keys(PLACEHOLDERS)];
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

it('the form defines each attribute once', () => {
  const data = emailAttributes().filter(({ type }) => type === 'data');
  expect(data.map(({ name }) => name)).toEqual(Object.values(EMAIL));
  expect(new Set(emailAttributes().map(({ uuid }) => uuid)).size).toBe(emailAttributes().length);
});
