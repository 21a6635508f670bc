import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ACTIVATION, KEY, TOKEN } from './index.ts';
import { keyPairForm, secretKeyForm } from './keys/key-form.ts';
import { offeredPairs, offeredSecrets } from './keys/key-specs.ts';
import { activationForm } from './tokens/token-form.ts';

/** All mechanisms that a token can have. */
const mechanisms = Array.from({ length: 0x1100 }, (_, mechanism) => ({
  mechanism,
  minKeySize: 0,
  maxKeySize: 100_000,
  flags: 0,
}));

it('the README names every attribute and every key type', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const attributes = [TOKEN, ACTIVATION, KEY].flatMap((form) => Object.values<string>(form));
  const types = [...offeredPairs(mechanisms), ...offeredSecrets(mechanisms)].map(({ name }) => name);
  expect(types.length).toBe(17);
  expect([...attributes, ...types].filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

it('each form defines each attribute once', () => {
  const pairs = keyPairForm(offeredPairs(mechanisms));
  const secrets = secretKeyForm(offeredSecrets(mechanisms));
  for (const form of [activationForm, pairs, secrets])
    expect(new Set(form.map(({ uuid }) => uuid)).size).toBe(form.length);
  expect(keyPairForm([]).map(({ type }) => type)).toEqual(['info']);
});
