import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { AUTHORITY, ISSUE, PROFILE, REVOKE } from './index.ts';
import { authorityAttributes, CA_SOURCES } from './attributes/authority-attributes.ts';
import { authorityForm, sourceAttributes } from './attributes/authority-form.ts';
import { issueAttributes } from './attributes/issue-attributes.ts';
import { raProfileAttributes } from './attributes/ra-profile-attributes.ts';
import { revokeAttributes } from './attributes/revoke-attributes.ts';

/** Options with which the CA form has all fields. */
const everything = { parents: [], hasTokenKeys: true };

it('the README names every attribute', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const names = [AUTHORITY, PROFILE, ISSUE, REVOKE].flatMap((form) => Object.values(form));
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

it('the CA form contains every attribute, and groups the attributes of each kind of CA', () => {
  const form = authorityForm({ parents: [{ uuid: 'p', name: 'Parent' }], hasTokenKeys: true });
  const inside = form.flatMap((each) => (each.type === 'group' ? (each.content ?? []) : []));
  const data = [...form, ...inside].filter(({ type }) => type === 'data').map(({ name }) => name);
  expect(data.toSorted()).toEqual(Object.values<string>(AUTHORITY).toSorted());
  expect(new Set([...form, ...inside].map(({ uuid }) => uuid)).size).toBe(form.length + inside.length);
  const ofKinds = CA_SOURCES.flatMap((source) => sourceAttributes(source, everything).map(({ name }) => name));
  expect(new Set(ofKinds)).toEqual(new Set(inside.map(({ name }) => name)));
});

it.each([
  ['CAs', authorityAttributes(everything), AUTHORITY],
  ['RA profiles', raProfileAttributes({ deltaCrls: false }), PROFILE],
  ['issuing', issueAttributes(), ISSUE],
  ['revoking', revokeAttributes(), REVOKE],
])('the form for %s defines each attribute once', (_, definitions, names) => {
  const defined = definitions.filter(({ type }) => type === 'data').map(({ name }) => name);
  expect(defined.toSorted()).toEqual(Object.values<string>(names).toSorted());
  expect(new Set(definitions.map(({ uuid }) => uuid)).size).toBe(definitions.length);
});
