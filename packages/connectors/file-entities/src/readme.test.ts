import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { entityForm } from './entities/entity-form.ts';
import { HOST_KEY } from './entities/present-entity.ts';
import { ENTITY, KEY_STORE, KEY_STORE_ENTITY, KEY_STORE_REQUEST, LOCATION, REQUEST } from './index.ts';
import { keyStoreForm } from './key-stores/key-store-form.ts';
import { KEY_STORE_METADATA } from './key-stores/key-store-metadata.ts';
import { KEY_STORE_KEY_ALGORITHMS, keyStoreRequestForm } from './key-stores/key-store-request-form.ts';
import { locationForm } from './locations/location-form.ts';
import { METADATA } from './locations/location-metadata.ts';
import { KEY_ALGORITHMS, requestForm } from './locations/request-form.ts';

it('the README names every attribute, metadata item and supported key algorithm', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const names = [
    ENTITY,
    LOCATION,
    REQUEST,
    METADATA,
    KEY_STORE_ENTITY,
    KEY_STORE,
    KEY_STORE_REQUEST,
    KEY_STORE_METADATA,
  ].flatMap((form) => Object.values<string>(form));
  const all = [...names, HOST_KEY, ...KEY_ALGORITHMS, ...KEY_STORE_KEY_ALGORITHMS];
  expect(all.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

it('each form defines each attribute once', () => {
  const forms = [
    [entityForm({ kind: 'PEM', directories: ['web'] }), ENTITY],
    [entityForm({ kind: 'Keystore', directories: ['web'] }), KEY_STORE_ENTITY],
    [keyStoreForm({ transport: 'local', reloadCommands: ['nginx'] }), KEY_STORE],
    [keyStoreRequestForm(), KEY_STORE_REQUEST],
    [locationForm({ transport: 'local', reloadCommands: ['nginx'] }), LOCATION],
    [requestForm(), REQUEST],
  ] as const;
  for (const [form, names] of forms) {
    const defined = form.filter(({ type }) => type === 'data').map(({ name }) => name);
    expect(defined.toSorted()).toEqual(Object.values<string>(names).toSorted());
    expect(new Set(form.map(({ uuid }) => uuid)).size).toBe(form.length);
  }
});
