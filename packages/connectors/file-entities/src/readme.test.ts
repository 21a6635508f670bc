import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { entityForm } from './entities/entity-form.ts';
import { HOST_KEY } from './entities/present-entity.ts';
import { ENTITY, LOCATION, REQUEST } from './index.ts';
import { locationForm } from './locations/location-form.ts';
import { METADATA } from './locations/location-metadata.ts';
import { KEY_ALGORITHMS, requestForm } from './locations/request-form.ts';

it('the README names every attribute, fact and key that can be made', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const names = [ENTITY, LOCATION, REQUEST, METADATA].flatMap((form) => Object.values<string>(form));
  const all = [...names, HOST_KEY, ...KEY_ALGORITHMS];
  expect(all.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

it('each form defines each of its attributes once', () => {
  const forms = [
    [entityForm(['web']), ENTITY],
    [locationForm({ transport: 'local', reloadCommands: ['nginx'] }), LOCATION],
    [requestForm(), REQUEST],
  ] as const;
  for (const [form, names] of forms) {
    const defined = form.filter(({ type }) => type === 'data').map(({ name }) => name);
    expect(defined.toSorted()).toEqual(Object.values<string>(names).toSorted());
    expect(new Set(form.map(({ uuid }) => uuid)).size).toBe(form.length);
  }
});
