import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { rules } from './catalog.ts';
import { subjectKinds } from './subjects.ts';

it('the README names every group, resource and rule attribute', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const codes = subjectKinds.flatMap(({ resource, sets }) => [resource, ...sets.map(({ code }) => code)]);
  expect(codes.filter((code) => !readme.includes(`\`${code}\``))).toEqual([]);
  const rows = rules
    .filter(({ attributes }) => attributes.length > 0)
    .map(({ id, attributes }) => `| \`${id}\` | ${attributes.map(({ name }) => `\`${name}\``).join(', ')} |`);
  expect(rows.filter((row) => !readme.includes(row))).toEqual([]);
  expect(rows.length).toBeGreaterThan(5);
});
