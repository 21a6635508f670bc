import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { AUTHORITY, ISSUE, PROFILE, REVOKE } from './index.ts';
import { authorityAttributes } from './attributes/authority-attributes.ts';
import { issueAttributes } from './attributes/issue-attributes.ts';
import { raProfileAttributes } from './attributes/ra-profile-attributes.ts';
import { revokeAttributes } from './attributes/revoke-attributes.ts';

it('the README names every attribute', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const names = [AUTHORITY, PROFILE, ISSUE, REVOKE].flatMap((form) => Object.values(form));
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

it.each([
  ['CAs', authorityAttributes([]), AUTHORITY],
  ['RA profiles', raProfileAttributes({ deltaCrls: false }), PROFILE],
  ['issuing', issueAttributes(), ISSUE],
  ['revoking', revokeAttributes(), REVOKE],
])('the form of %s defines each of its attributes once', (_, definitions, names) => {
  const defined = definitions.filter(({ type }) => type === 'data').map(({ name }) => name);
  expect(defined.toSorted()).toEqual(Object.values<string>(names).toSorted());
  expect(new Set(definitions.map(({ uuid }) => uuid)).size).toBe(definitions.length);
});
