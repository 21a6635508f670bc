import { describe, expect, it } from 'vitest';
import { acmeClients, clientOf } from './catalogue.ts';
import { namesFrom, ROOT_FILE, type Setup } from './setup.ts';

const setup: Setup = {
  directoryUrl: 'https://ca.test:8443/api/v1/protocols/acme/web/directory',
  names: ['www.example.test', '*.apps.example.test'],
  email: 'admin@example.test',
  externalKey: undefined,
  rootBase64: 'Um9vdA==',
};
const key = { keyId: 'kid-of-the-team', macKey: 'mac-of-the-team' };

describe.each(acmeClients)('the instructions for $label', ({ id, trust, snippets }) => {
  const textOf = (given: Setup): string =>
    snippets(given)
      .map(({ text }) => text)
      .join('\n');

  it('name the directory and the contact', () => {
    expect(textOf(setup)).toContain(setup.directoryUrl);
    expect(textOf(setup)).toContain(setup.email);
  });

  it('say where the root certificate is, unless the machine trusts it by itself', () => {
    if (trust === 'file') expect(textOf(setup)).toContain(ROOT_FILE);
    if (trust === 'snippet') expect(textOf(setup)).toContain(setup.rootBase64);
  });

  it('hold the external account key where there is one, and nothing of it otherwise', () => {
    const text = textOf({ ...setup, externalKey: key });
    expect(text).toContain(key.keyId);
    expect(text).toContain(key.macKey);
    expect(textOf(setup)).not.toMatch(/eab|ExternalAccount|externalAccount|undefined/);
  });

  it('keep shells from reading an asterisk', () => {
    const commands = snippets(setup).filter(({ place }) => place === 'Shell');
    for (const { text } of commands) expect(text).not.toMatch(/ \*\./);
  });

  it('are found by the name in the address', () => {
    expect(clientOf(id).id).toBe(id);
  });
});

it('instructions for an unknown client are those for the first one', () => {
  expect(clientOf('nobody')).toBe(acmeClients[0]);
});

it('names are read however they are separated, and are an example while there are none', () => {
  expect(namesFrom(' a.test, b.test;c.test\nd.test ')).toEqual(['a.test', 'b.test', 'c.test', 'd.test']);
  expect(namesFrom('  ')).toEqual(['www.example.com']);
});
