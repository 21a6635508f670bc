import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { webhookAttributes } from './attributes/webhook-attributes.ts';
import { WEBHOOK } from './index.ts';

it('the README names every attribute', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const names = Object.values(WEBHOOK);
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

it('the form defines each attribute once', () => {
  const data = webhookAttributes().filter(({ type }) => type === 'data');
  expect(data.map(({ name }) => name)).toEqual(Object.values(WEBHOOK));
  expect(new Set(webhookAttributes().map(({ uuid }) => uuid)).size).toBe(webhookAttributes().length);
});
