import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { pairAttributes, secretAttributes } from './attributes/key-attributes.ts';
import { activationAttributes, tokenAttributes } from './attributes/token-attributes.ts';
import { KEY, TOKEN } from './index.ts';
import { PAIR_SPECIFICATIONS, secretSpecifications } from './keys/key-specifications.ts';
import { TOKEN_METADATA } from './tokens/present-token.ts';

it('the README names every attribute and every supported key type', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const names = [TOKEN, KEY, TOKEN_METADATA].flatMap((form) => Object.values(form));
  const all = [...names, ...PAIR_SPECIFICATIONS.filter((each) => !each.startsWith('SLH')), ...secretSpecifications];
  expect(all.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

it('each form defines each attribute once', () => {
  const namesOf = (form: readonly { readonly type: string; readonly name: string }[]): string[] =>
    form.filter(({ type }) => type === 'data').map(({ name }) => name);
  expect(namesOf(tokenAttributes()).toSorted()).toEqual(Object.values<string>(TOKEN).toSorted());
  expect(namesOf(activationAttributes())).toEqual([TOKEN.code]);
  expect(new Set([...namesOf(pairAttributes(true)), ...namesOf(secretAttributes())])).toEqual(
    new Set(Object.values(KEY)),
  );
  const uuids = [...tokenAttributes(), ...activationAttributes()].map(({ uuid }) => uuid);
  expect(new Set(uuids).size).toBe(uuids.length);
});
